import * as vscode from 'vscode';
import { plainText } from '../../bridge/safeText.ts';
import { messageOf } from '../../base/errors.ts';
import { effectOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { summarise } from '../../catalog/exposure/descriptions.ts';
import type { Host } from '../../host/host.ts';
import { readGatewaySettings } from '../../platform/hostSettings.ts';
import { picked } from '../askChoice.ts';
import { effectLabel } from '../servers/serverLabels.ts';
import type { ServersTree } from '../servers/serversTree.ts';
import { notify } from '../../bridge/showNotification.ts';

const MAX_RESULTS = 50;
/** How long the status bar shows the outcome. */
const SHOWN_MS = 6_000;

interface ToolPick extends vscode.QuickPickItem {
  readonly tool: CatalogTool;
}

/**
 * *Search Tools…*: the model's search, as the user types. Picking a tool shows it in the tree and adds it to the agent's
 * tools.
 */
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
  if (readGatewaySettings().enabled && host.loaded.load([chosen.name]).length > 0) {
    const loaded = vscode.l10n.t('Added {0} to the agent’s tools', chosen.name);
    vscode.window.setStatusBarMessage(loaded, SHOWN_MS);
  }
  await tree.reveal(chosen);
}

async function itemsFor(host: Host, query: string): Promise<readonly ToolPick[]> {
  if (query.trim() === '') return host.catalog.tools.slice(0, MAX_RESULTS).map(itemOf);
  try {
    const { hits } = await host.search({ query, limit: MAX_RESULTS });
    return hits.map(({ tool }) => itemOf(tool));
  } catch (error) {
    void notify('error', messageOf(error));
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
