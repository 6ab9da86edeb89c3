import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { viewNamed } from '../../host/views/viewNamed.ts';
import type { ServerNode } from './tree/treeNodes.ts';

/** The rows of servers among nodes of the tree: what is below a server doesn't stand for it. */
export function serverNodes(nodes: readonly unknown[]): readonly ServerNode[] {
  return nodes.filter((node): node is ServerNode => (node as Partial<ServerNode> | undefined)?.kind === 'server');
}

/** Adds the focused row of the list that has the focus to its selection, or takes it out. */
const TOGGLE_SELECTION = 'list.toggleSelection';

/**
 * The rows that a key is for: the focused one, with all that are selected where it is among them. The editor says which rows
 * are selected, and not which one has the focus: that is the one whose selection changes, and changes back.
 */
export async function nodesForKey<T>(view: Pick<vscode.TreeView<T>, 'selection'>): Promise<readonly T[]> {
  const before = view.selection;
  await vscode.commands.executeCommand(TOGGLE_SELECTION);
  const after = view.selection;
  await vscode.commands.executeCommand(TOGGLE_SELECTION);
  const added = after.filter((node) => !before.includes(node));
  return added.length > 0 ? added : before;
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
