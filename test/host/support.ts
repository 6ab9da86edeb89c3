import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { messageOf } from '../../src/base/errors.ts';
import type { Exports } from '../../src/extension.ts';
import { describeState } from '../../src/connection/connectionState.ts';
import type { ServerView } from '../../src/host/views/serverView.ts';
import type { Node, ServerNode, ToolNode } from '../../src/ui/servers/tree/treeNodes.ts';
import { eventually as wait } from '../support/eventually.ts';
import { withShown } from './shown.ts';

export const EXTENSION_ID = 'mcp-switchboard.mcp-switchboard';
export const DEMO_SERVERS = ['everything', 'filesystem', 'memory', 'notes'];

export async function exportsOf(): Promise<Exports> {
  const extension = vscode.extensions.getExtension<Exports>(EXTENSION_ID);
  assert.ok(extension, 'the extension is installed');
  return extension.activate();
}

/** As in test/support, with the states of the servers in the failure. */
export async function eventually<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs?: number,
): Promise<T> {
  try {
    return await wait(what, condition, timeoutMs);
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${await statesText()}`, { cause: error });
  }
}

async function statesText(): Promise<string> {
  const { host } = await exportsOf();
  return host.views.map(({ definition, state }) => `${definition.name}: ${describeState(state)}`).join('\n');
}

export async function viewNamed(name: string): Promise<ServerView> {
  const { host } = await exportsOf();
  const view = host.views.find(({ definition }) => definition.name === name);
  assert.ok(view, `there is a server ${name}`);
  return view;
}

export async function connected(name: string): Promise<ServerView> {
  return eventually(`${name} is connected`, async () => {
    const view = await viewNamed(name);
    if (view.state.kind === 'failed') assert.fail(`${name}: ${JSON.stringify(view.state.failure)}`);
    return view.state.kind === 'connected' && view;
  });
}

/** Process id by name of every server that has one now. */
export async function pids(): Promise<Record<string, number>> {
  const { host } = await exportsOf();
  return Object.fromEntries(
    host.views.flatMap(({ definition, state }) =>
      state.kind === 'connected' && state.info.pid !== undefined ? [[definition.name, state.info.pid]] : [],
    ),
  );
}

export async function nodeOf(name: string): Promise<ServerNode> {
  const { tree } = await exportsOf();
  return (await tree.data()).serverNode((await viewNamed(name)).definition.id);
}

/** The rows below *Tools* of a server; none where it has none. */
export async function toolNodesOf(name: string): Promise<readonly ToolNode[]> {
  return toolNodesUnder((await viewNamed(name)).definition.id);
}

/** As `toolNodesOf`, for the id of a server. */
export async function toolNodesUnder(serverId: string): Promise<readonly ToolNode[]> {
  const { tree } = await exportsOf();
  const categories = await tree.getChildren((await tree.data()).serverNode(serverId));
  const tools = categories.find((node) => node.kind === 'category' && node.what === 'tools');
  return tools ? (await tree.getChildren(tools)).filter((node) => node.kind === 'tool') : [];
}

/** What the view shows of a node. */
export async function itemOf(node: Node): Promise<vscode.TreeItem> {
  return (await exportsOf()).tree.getTreeItem(node);
}

export async function approveDemo(): Promise<void> {
  const { host } = await exportsOf();
  const ids = host.views.filter(({ definition }) => DEMO_SERVERS.includes(definition.name));
  await host.servers.approve(ids.map(({ definition }) => definition.id));
  for (const name of DEMO_SERVERS) await connected(name);
}

export function workspaceFile(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'a folder is open');
  return vscode.Uri.joinPath(folder.uri, name);
}

export async function invoke(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '(data)'))
    .join('\n');
}

/** Closes what asks, again and again until `pending` settles: one question may follow another. */
export async function closeQuestions(pending: Thenable<unknown>): Promise<void> {
  let settled = false;
  const note = (): void => void (settled = true);
  void pending.then(note, note);
  await eventually('the question is closed', async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    return settled;
  });
}

/** Starts something that shows a list, closes the list, and waits for its end. */
export async function openAndClose(begin: () => Thenable<unknown>): Promise<void> {
  await withShown(async (shown) => {
    const pending = begin();
    await eventually('a list is shown', () => shown.lists > 0);
    await closeQuestions(pending);
    await pending;
  });
}

/** Settings are the user's own: a test resets what it sets. */
export async function withSetting(name: string, value: unknown, body: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    await body();
  } finally {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}
