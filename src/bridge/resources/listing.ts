import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { McpPrompt, McpResource, McpResourceTemplate } from '../../catalog/offerTypes.ts';
import type { Host } from '../../host.ts';
import type { ServerView } from '../../serverView.ts';
import { capabilitiesOf, connectedView, connectedViews, liveSession, pages } from './serverRequests.ts';

/** Something of a server, with the server's configured name. */
export type Offered<T> = T & { readonly server: string };

export type OfferedResource = Offered<McpResource>;
export type OfferedTemplate = Offered<McpResourceTemplate>;
export type OfferedPrompt = Offered<McpPrompt>;

/** What several servers offer, and which of them could not say. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** One sentence each. */
  readonly failures: readonly string[];
}

/**
 * The resources of one server, or of all that are connected. A server that fails costs itself alone.
 * @throws SwitchboardError `unknown-server`
 */
export function listAllResources(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedResource>> {
  return list(host, signal, server, 'resources', 'resources/list', 'resources', (item, name) =>
    typeof item['uri'] === 'string'
      ? {
          server: name,
          uri: item['uri'],
          ...named(item, item['uri']),
          ...optional(item, 'mimeType', 'string'),
          ...optional(item, 'size', 'number'),
        }
      : undefined,
  );
}

/** Resource templates, as `listAllResources` lists resources. */
export function listAllTemplates(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedTemplate>> {
  return list(host, signal, server, 'resources', 'resources/templates/list', 'resourceTemplates', (item, name) =>
    typeof item['uriTemplate'] === 'string'
      ? {
          server: name,
          uriTemplate: item['uriTemplate'],
          ...named(item, item['uriTemplate']),
          ...optional(item, 'mimeType', 'string'),
        }
      : undefined,
  );
}

/** Prompts, as `listAllResources` lists resources. */
export function listAllPrompts(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedPrompt>> {
  return list(host, signal, server, 'prompts', 'prompts/list', 'prompts', (item, name) =>
    typeof item['name'] === 'string'
      ? { server: name, ...named(item, item['name']), arguments: argumentsOf(item['arguments']) }
      : undefined,
  );
}

async function list<T>(
  host: Host,
  signal: AbortSignal,
  server: string | undefined,
  capability: string,
  method: string,
  key: string,
  read: (item: Record<string, unknown>, serverName: string) => T | undefined,
): Promise<Listing<T>> {
  const views = server === undefined ? connectedViews(host) : [connectedView(host, server)];
  const failures: string[] = [];
  const ofServer = async (view: ServerView): Promise<readonly T[]> => {
    const { name } = view.definition;
    if (!capabilitiesOf(view)[capability]) return [];
    try {
      const items = await pages(await liveSession(host, view, signal), method, key);
      return items.map((item) => read(item, name)).filter((item) => item !== undefined);
    } catch (error) {
      // Servers may have resources and no templates.
      if (method !== 'resources/templates/list') failures.push(`${name}: ${messageOf(error)}`);
      return [];
    }
  };
  const items = (await Promise.all(views.map(ofServer))).flat();
  return { items, failures };
}

function argumentsOf(value: unknown): NonNullable<McpPrompt['arguments']> {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all
    .filter(isRecord)
    .flatMap((item) =>
      typeof item['name'] === 'string'
        ? [{ name: item['name'], ...optional(item, 'description', 'string'), required: item['required'] === true }]
        : [],
    );
}

function named(
  item: Record<string, unknown>,
  otherwise: string,
): { readonly name: string; readonly title?: string; readonly description?: string } {
  const name = typeof item['name'] === 'string' ? item['name'] : otherwise;
  return { name, ...optional(item, 'title', 'string'), ...optional(item, 'description', 'string') };
}

interface Types {
  string: string;
  number: number;
}

function optional<K extends string, T extends keyof Types>(
  item: Record<string, unknown>,
  key: K,
  type: T,
): { readonly [key in K]?: Types[T] } {
  return (typeof item[key] === type ? { [key]: item[key] } : {}) as { readonly [key in K]?: Types[T] };
}
