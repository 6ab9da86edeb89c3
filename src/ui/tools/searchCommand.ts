import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { messageOf } from '../../base/errors.ts';
import { effectOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { summarise } from '../../catalog/exposure/descriptions.ts';
import type { Host } from '../../host/host.ts';
import { readGatewaySettings } from '../../platform/settings/hostSettings.ts';
import { picked } from '../../bridge/dialogs/pickedRow.ts';
import { effectLabel } from '../servers/serverLabels.ts';
import type { ServersTree } from '../servers/serversTree.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { localized } from '../../bridge/text/localized.ts';

const MAX_RESULTS = 50;
/** How long the status bar shows the outcome. */
const SHOWN_MS = 6_000;

interface ToolPick extends vscode.QuickPickItem {
  readonly tool: CatalogTool;
}

/** *Search Tools…*: the model's search, as the user types. Then the user says what to do with the tool. */
export async function searchTools(host: Host, tree: ServersTree): Promise<void> {
  const pick = vscode.window.createQuickPick<ToolPick>();
  pick.placeholder = vscode.l10n.t('Search the tools of all connected MCP servers');
  let latest = 0;
  const update = async (query: string): Promise<void> => {
    const turn = ++latest;
    pick.busy = true;
    const items = await itemsFor(host, query);
    if (turn !== latest) return;
    pick.items = items;
    pick.busy = false;
  };
  pick.onDidChangeValue((value) => void update(value));
  void update('');
  const chosen = await picked(pick, ({ tool }) => tool);
  if (!chosen) return;
  await (await askAction(chosen))?.run(host, tree, chosen);
}

interface Action extends vscode.QuickPickItem {
  readonly run: (host: Host, tree: ServersTree, tool: CatalogTool) => Promise<void> | void;
}

/** What to do with a tool that was found: nothing reaches the agent without a choice. */
async function askAction(tool: CatalogTool): Promise<Action | undefined> {
  const { t } = vscode.l10n;
  const actions: readonly Action[] = [
    { label: `$(list-tree) ${t('Show in Servers')}`, run: (_host, tree, shown) => tree.reveal(shown) },
    {
      label: `$(go-to-file) ${t('Show Details')}`,
      run: async (host, _tree, shown) => (await import('./toolDetails.ts')).showTool(host, shown),
    },
    ...(readGatewaySettings().enabled ? [{ label: `$(add) ${t('Add to the Agent’s Tools')}`, run: addToAgent }] : []),
  ];
  return ownInputs.ask(() => vscode.window.showQuickPick(actions, { title: plainText(tool.name) }));
}

function addToAgent(host: Host, _tree: ServersTree, { name }: CatalogTool): void {
  const { t } = vscode.l10n;
  const isNew = host.loaded.load([name]).length > 0;
  const text = isNew ? t('Added {0} to the agent’s tools', name) : t('The agent already has {0}', name);
  vscode.window.setStatusBarMessage(text, SHOWN_MS);
}

async function itemsFor(host: Host, query: string): Promise<readonly ToolPick[]> {
  if (query.trim() === '') return host.catalog.tools.slice(0, MAX_RESULTS).map(itemOf);
  try {
    const { hits } = await host.search({ query, limit: MAX_RESULTS });
    return hits.map(({ tool }) => itemOf(tool));
  } catch (error) {
    void notify('error', localized(messageOf(error)));
    return [];
  }
}

function itemOf(tool: CatalogTool): ToolPick {
  return {
    tool,
    label: plainText(tool.tool.title ?? tool.tool.name),
    description: `${plainText(tool.serverName)} · ${effectLabel(effectOf(tool.tool.annotations))}`,
    detail: plainText(summarise(tool)),
    alwaysShow: true,
  };
}
