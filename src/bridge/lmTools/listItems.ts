import { messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import { pages } from '../../catalog/items/listServerItems.ts';
import { cutAtWord, SUMMARY_LIMIT } from '../../catalog/exposure/descriptions.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import type { ResourceInvocation } from './readResource.ts';
import { unavailableNote } from './toolText.ts';
import { getPromptMessages, promptText } from '../resources/prompts.ts';
import { unavailableServers } from '../../host/unavailableServers.ts';
import { capabilitiesOf, connectedView, connectedViews, readySession } from '../resources/serverRequests.ts';

/** How many items one page of `mcp_list_resources` has. */
const PAGE_SIZE = 100;

/** The kinds of a server's items in their order, with what the model gets of each. */
const MEMBERS = {
  resources: ['uri', 'name', 'mimeType'],
  templates: ['uriTemplate', 'name', 'mimeType'],
  prompts: ['name', 'arguments'],
} as const;

interface Item {
  readonly kind: keyof typeof MEMBERS;
  readonly item: Readonly<Record<string, unknown>>;
}

/** What one server offers, or why that isn't known. */
interface ServerItems {
  readonly server: string;
  readonly items: readonly Item[];
  readonly error?: string;
  /** What was left out of its lists, one sentence each. */
  readonly leftOut?: readonly string[];
}

/**
 * `mcp_list_resources`: one page of the resources, templates and prompts of one server or of all that are connected;
 * `cursor` is what the page before gave as `nextCursor`. A server that fails costs itself alone.
 * @throws SwitchboardError `unknown-server`
 */
export async function listResources(
  host: Host,
  input: JsonObject,
  signal: AbortSignal,
): Promise<readonly ResultPart[]> {
  const wanted = typeof input['server'] === 'string' ? input['server'] : undefined;
  const views = wanted === undefined ? connectedViews(host) : [connectedView(host, wanted)];
  const servers = await Promise.all(views.map((view) => itemsOf(host, view, signal)));
  const start = Math.max(0, Number.parseInt(textOf(input['cursor']), 10) || 0);
  const missing = wanted === undefined && start === 0 ? unavailableNote(unavailableServers(host)) : {};
  return [{ kind: 'text', text: JSON.stringify({ ...pageOf(servers, start), ...missing }) }];
}

/** Failures are on the first page. */
function pageOf(servers: readonly ServerItems[], start: number): JsonObject {
  const end = start + PAGE_SIZE;
  const some: JsonObject[] = [];
  let total = 0;
  for (const { server, items, error, leftOut = [] } of servers) {
    const page = items.slice(Math.max(0, start - total), Math.max(0, end - total));
    total += items.length;
    if (error !== undefined && start === 0) some.push({ server, error });
    const said = start === 0 && leftOut.length > 0 ? { leftOut } : {};
    if (page.length > 0 || said.leftOut) some.push({ server, ...byKind(page), ...said });
  }
  if (total === 0 && some.length === 0) return { servers: some, next: 'No connected server has resources or prompts.' };
  return {
    servers: some,
    total,
    ...(end < total ? { nextCursor: String(end) } : {}),
    next: 'Read one with mcp_read_resource, its uri and its server; get a prompt with mcp_get_prompt.',
  };
}

function byKind(items: readonly Item[]): JsonObject {
  const groups = Map.groupBy(items, ({ kind }) => kind);
  return Object.fromEntries([...groups].map(([kind, group]) => [kind, group.map(lineOf)]));
}

function lineOf({ kind, item }: Item): JsonObject {
  const kept = MEMBERS[kind].filter((member) => item[member] !== undefined);
  const about = typeof item['description'] === 'string' ? { about: cutAtWord(item['description'], SUMMARY_LIMIT) } : {};
  return { ...Object.fromEntries(kept.map((member) => [member, item[member] as JsonValue])), ...about };
}

/**
 * `mcp_get_prompt`: a prompt of a server, filled with arguments, as text, within the limit for results.
 * @throws SwitchboardError `unknown-server`, or what the broker throws
 */
export async function getPrompt(
  host: Host,
  { input, signal, surfaceContext }: ResourceInvocation,
): Promise<readonly ResultPart[]> {
  const { server, name, arguments: values } = input;
  const wanted = { server: textOf(server), name: textOf(name), arguments: isRecord(values) ? values : {} };
  const request = { ...wanted, surface: 'lm-tool', surfaceContext } as const;
  const messages = await getPromptMessages(host, request, signal);
  return host.broker.limited([{ kind: 'text', text: await promptText(messages) }]);
}

async function itemsOf(host: Host, view: ServerView, signal: AbortSignal): Promise<ServerItems> {
  const server = view.definition.name;
  const has = capabilitiesOf(view);
  try {
    const session = await readySession(host, view, signal);
    const [resources, templates, prompts] = await Promise.all([
      has['resources'] ? pages(session, 'resources/list', 'resources') : undefined,
      has['resources']
        ? pages(session, 'resources/templates/list', 'resourceTemplates').catch(() => undefined)
        : undefined,
      has['prompts'] ? host.feed.prompts.list(view.definition.id, session, signal) : undefined,
    ]);
    const lists = { resources, templates, prompts };
    const kinds = ['resources', 'templates', 'prompts'] as const;
    return {
      server,
      items: kinds.flatMap((kind) => (lists[kind]?.items ?? []).map((item) => ({ kind, item }))),
      leftOut: kinds.flatMap((kind) => lists[kind]?.leftOut ?? []),
    };
  } catch (error) {
    return { server, items: [], error: messageOf(error) };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
