import { messageOf } from '../../base/errors.ts';
import {
  pages,
  promptOf,
  resourceOf,
  templateOf,
  type ItemPages,
  type McpPrompt,
  type McpResource,
  type McpResourceTemplate,
} from '../../catalog/items/listServerItems.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { capabilitiesOf, connectedView, connectedViews, readySession } from './serverRequests.ts';

/** Something of a server, with the server's configured name. */
export type Offered<T> = T & { readonly server: string };

export type OfferedResource = Offered<McpResource>;
export type OfferedTemplate = Offered<McpResourceTemplate>;
export type OfferedPrompt = Offered<McpPrompt>;

/** What several servers offer, and which of them could not say. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** What could not be listed, one sentence each. */
  readonly failures: readonly string[];
}

/**
 * The resources of one server, or of all that are connected. A server that fails costs itself alone.
 * @throws SwitchboardError `unknown-server`
 */
export function listAllResources(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedResource>> {
  return list(
    host,
    signal,
    server,
    'resources',
    (_, session) => pages(session, 'resources/list', 'resources', signal),
    resourceOf,
  );
}

/** Resource templates, as `listAllResources` lists resources. */
export function listAllTemplates(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedTemplate>> {
  // Servers may have resources and no templates.
  const listTemplates = (_: ServerView, session: Session): Promise<ItemPages> =>
    pages(session, 'resources/templates/list', 'resourceTemplates', signal).catch(() => ({
      items: [],
      leftOut: [],
      freshForMs: 0,
    }));
  return list(host, signal, server, 'resources', listTemplates, templateOf);
}

/** Prompts, as `listAllResources` lists resources. */
export function listAllPrompts(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedPrompt>> {
  const listPrompts = ({ definition: { id } }: ServerView, session: Session): Promise<ItemPages> =>
    host.feed.prompts.list(id, session, signal);
  return list(host, signal, server, 'prompts', listPrompts, promptOf);
}

async function list<T extends object>(
  host: Host,
  signal: AbortSignal,
  server: string | undefined,
  capability: string,
  listed: (view: ServerView, session: Session) => Promise<ItemPages>,
  read: (item: Readonly<Record<string, unknown>>) => T | undefined,
): Promise<Listing<Offered<T>>> {
  const views = server === undefined ? connectedViews(host) : [connectedView(host, server)];
  const failures: string[] = [];
  const ofServer = async (view: ServerView): Promise<readonly Offered<T>[]> => {
    const { name } = view.definition;
    if (!capabilitiesOf(view)[capability]) return [];
    try {
      const { items, leftOut } = await listed(view, await readySession(host, view, signal));
      failures.push(...leftOut.map((sentence) => `${name}: left out. ${sentence}`));
      const offers = items.map(read).filter((item) => item !== undefined);
      return offers.map((offer) => ({ ...offer, server: name }));
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`);
      return [];
    }
  };
  const items = (await Promise.all(views.map(ofServer))).flat();
  return { items, failures };
}
