import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { viewNamed } from '../../host/views/viewNamed.ts';
import type { ServerNode } from './tree/treeNodes.ts';

/** The rows of servers among nodes of the tree: what is below a server doesn't stand for it. */
export function serverNodes(nodes: readonly unknown[]): readonly ServerNode[] {
  return nodes.filter((node): node is ServerNode => (node as Partial<ServerNode> | undefined)?.kind === 'server');
}

/** The id of a tree node, or of a server given by id or by any of its names. */
export function serverIdOf(host: Pick<Host, 'view' | 'views' | 'catalog'>, target: unknown): string | undefined {
  if (typeof target === 'string')
    return (host.view(target) ?? viewNamed(host.views, target, host.catalog))?.definition.id;
  return (target as Partial<ServerNode> | undefined)?.serverId;
}

/**
 * The servers that an action runs on, of those that it applies to: the one named, or all that are selected where that
 * is among them.
 */
export function chosenServers(
  host: Pick<Host, 'view'>,
  appliesTo: (view: ServerView) => boolean,
  named: string,
  selected: readonly unknown[],
): readonly ServerView[] {
  const ids = new Set(serverNodes(selected).map(({ serverId }) => serverId));
  return (ids.has(named) ? [...ids] : [named]).flatMap((id) => host.view(id) ?? []).filter(appliesTo);
}
