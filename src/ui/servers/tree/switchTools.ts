import * as vscode from 'vscode';
import { Sequencer } from '../../../base/async.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import { underlyingOf, type CatalogTool } from '../../../catalog/catalogTool.ts';
import { USER_SETTING_ID } from '../../../config/ownSources.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import { canBeRemoved } from '../canBeRemoved.ts';
import type { DisabledToolNode, ToolNode } from './treeNodes.ts';

/** Whether the definition of a server can say which tools it offers: it stands in a file in JSON or a setting of the user's. */
export function canSwitchTools(view: ServerView): boolean {
  const { source } = view.definition.entry;
  return canBeRemoved(view) && (source.id === USER_SETTING_ID || source.file?.endsWith('.toml') === false);
}

/** The same for one of its tools: a custom tool is one of the definition's own. */
export function canSwitchTool(view: ServerView, { tool }: CatalogTool): boolean {
  const { customTools = [] } = view.definition.entry;
  return canSwitchTools(view) && !customTools.some(({ name }) => name === tool.name);
}

/** Checkboxes clicked one after another are changed one after another: each knows the definition that the last one left. */
const switches = new Sequencer();

/**
 * The checkbox of a tool: writes `disabledTools` or what else decides into the entry of its server; ticking it again takes that back.
 * @throws SwitchboardError as `changeEntry`
 */
export function switchToolOf(host: Host, node: ToolNode | DisabledToolNode, isEnabled: boolean): Promise<void> {
  return switches.run(() => switchNow(host, node, isEnabled));
}

async function switchNow(host: Host, node: ToolNode | DisabledToolNode, isEnabled: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const serverId = node.kind === 'tool' ? node.tool.serverId : node.serverId;
  const name = node.kind === 'tool' ? underlyingOf(node.tool).name : node.tool.name;
  const definition = host.servers.get(serverId);
  if (!definition) return;
  const [{ changeEntry }, { switchTool }] = await Promise.all([
    import('../../config/edit/changeEntry.ts'),
    import('../../../config/edit/entrySwitches.ts'),
  ]);
  await changeEntry(host, definition, switchTool(name, isEnabled));
  const { label } = definition.entry.source;
  const names = [name, definition.name, label].map(plainText);
  const text = isEnabled
    ? t('Enabled “{0}” of “{1}” in {2}.', ...names)
    : t('Disabled “{0}” of “{1}” in {2}.', ...names);
  void vscode.window.setStatusBarMessage(text, 5_000);
}
