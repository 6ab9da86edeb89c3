import * as vscode from 'vscode';
import { isRecord } from '../base/json/json.ts';
import type { SourceOptions } from '../config/configSources.ts';
import type { ServerEntry } from '../config/configTypes.ts';
import type { Host } from '../host/host.ts';
import { readSourceOptions } from '../platform/configPorts.ts';
import { agentCommands } from './agentCommands.ts';
import { said, type CommandPorts, type Commands } from './commandPorts.ts';
import type { ServerActionId } from './servers/serverActions.ts';
import { nodesForKey, serverNodes } from './servers/chosenServers.ts';
import type { Node } from './servers/tree/treeNodes.ts';
import type { DropPorts } from './servers/tree/dropServers.ts';

const SERVER_ACTIONS: readonly ServerActionId[] = [
  'mcpSwitchboard.connect',
  'mcpSwitchboard.disconnect',
  'mcpSwitchboard.restart',
  'mcpSwitchboard.showLog',
  'mcpSwitchboard.openDefinition',
  'mcpSwitchboard.approve',
  'mcpSwitchboard.disable',
  'mcpSwitchboard.enable',
  'mcpSwitchboard.removeServer',
  'mcpSwitchboard.signIn',
  'mcpSwitchboard.signInAs',
  'mcpSwitchboard.switchAccount',
  'mcpSwitchboard.signOut',
  'mcpSwitchboard.resetRegistration',
  'mcpSwitchboard.setHeader',
];

/** What a key gives a command in the place of a row. */
const SELECTION = 'selection';

/** What each command of the manifest does, by id. Loaded with the first command. */
export function commandsOf(ports: CommandPorts): Commands {
  return {
    ...serverCommands(ports),
    ...viewCommands(ports),
    ...configCommands(ports),
    ...agentCommands(ports),
  };
}

function serverCommands({
  host,
  tree,
  logs,
  whoHosts,
  outside,
  signIn,
  callSettings,
  storage,
}: CommandPorts): Commands {
  // A key gives no row.
  const run = async (id: ServerActionId, target: unknown, selected: unknown): Promise<void> => {
    const isByKey = target === SELECTION;
    const nodes = isByKey
      ? serverNodes(await nodesForKey(tree.view))
      : Array.isArray(selected)
        ? (selected as unknown[])
        : [];
    if (isByKey && nodes.length === 0) return;
    const { runServerAction } = await import('./servers/serverActions.ts');
    await runServerAction(host, logs, id, isByKey ? nodes[0] : target, nodes, isByKey);
  };
  return {
    ...Object.fromEntries(
      SERVER_ACTIONS.map((id) => [id, (target: unknown, selected: unknown) => run(id, target, selected)]),
    ),
    'mcpSwitchboard.pasteSignInAddress': async () =>
      (await import('./servers/signInActions.ts')).pasteSignInAddress(await signIn()),
    'mcpSwitchboard.listServers': async () => (await import('./servers/serverActions.ts')).listServers(host, logs),
    'mcpSwitchboard.showMenu': async () =>
      (await import('./servers/signs/quickMenu.ts')).showQuickMenu(host, callSettings),
    'mcpSwitchboard.selectPreset': async () => (await import('./presets/selectPreset.ts')).selectPreset(host),
    'mcpSwitchboard.useAllServers': async () => (await import('./presets/selectPreset.ts')).useAllServers(host),
    'mcpSwitchboard.usePresetInAgent': async () =>
      (await import('./presets/usePresetInAgent.ts')).usePresetInAgent(host),
    'mcpSwitchboard.newPreset': async () => (await import('./presets/editPresets.ts')).newPreset(host),
    'mcpSwitchboard.editPresets': async () => (await import('./presets/editPresets.ts')).editPresets(host),
    'mcpSwitchboard.review': async (ids) => {
      if (!Array.isArray(ids)) return (await whoHosts.dialog()).review();
      await (await import('./servers/approvals.ts')).reviewEach(host, ids as string[]);
    },
    'mcpSwitchboard.showInServersView': async (target) =>
      (await import('./files/showInServersView.ts')).showInServersView(host, tree, target),
    'mcpSwitchboard.chooseHost': async () => (await whoHosts.dialog()).choose(),
    'mcpSwitchboard.copyGatewayAddress': async () =>
      (await import('./outside/gatewayAddress.ts')).copyGatewayAddress(outside),
    'mcpSwitchboard.revokeGatewayAddress': async () =>
      (await import('./outside/gatewayAddress.ts')).revokeGatewayAddress(outside),
    'mcpSwitchboard.addPortableEntry': async () =>
      (await import('./outside/portableEntries.ts')).addPortableEntry(host, outside, readSourceOptions(storage)),
    'mcpSwitchboard.removePortableEntry': async () =>
      (await import('./outside/portableEntries.ts')).removePortableEntry(host, outside, readSourceOptions(storage)),
  };
}

/** The definition of a row of the tree, or of a server that is named. */
function entryOf(host: Host, target: unknown): ServerEntry | undefined {
  const id = isRecord(target) ? target['serverId'] : target;
  return typeof id === 'string' ? host.servers.get(id)?.entry : undefined;
}

/** Commands about the view *Servers* itself, and about the place of servers in it. */
function viewCommands({ host, tree, storage }: CommandPorts): Commands {
  const dropping = async (): Promise<DropPorts> => ({
    host,
    options: readSourceOptions(storage),
    data: await tree.data(),
  });
  const move = async (node: unknown, by: -1 | 1): Promise<void> => {
    const [server] = serverNodes(node === SELECTION ? await nodesForKey(tree.view) : [node]);
    if (server) await (await import('./servers/tree/dropServers.ts')).moveServer(await dropping(), server.serverId, by);
  };
  return {
    'mcpSwitchboard.filterServers': async () =>
      (await import('./servers/tree/viewCommands.ts')).filterServers(await tree.data()),
    'mcpSwitchboard.clearServerFilter': async () =>
      (await import('./servers/tree/viewCommands.ts')).clearServerFilter(tree),
    'mcpSwitchboard.sortServers': async () =>
      (await import('./servers/tree/viewCommands.ts')).sortServers(await tree.data()),
    'mcpSwitchboard.groupServers': async () => (await tree.data()).arrange({ isGrouped: true }),
    'mcpSwitchboard.flattenServers': async () => (await tree.data()).arrange({ isGrouped: false }),
    'mcpSwitchboard.moveServerUp': (node) => move(node, -1),
    'mcpSwitchboard.moveServerDown': (node) => move(node, 1),
    'mcpSwitchboard.dropServers': async (ids, node) =>
      (await import('./servers/tree/dropServers.ts')).dropServers(
        await dropping(),
        Array.isArray(ids) ? ids.map(String) : [],
        node as Node | undefined,
      ),
    'mcpSwitchboard.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:mcp-switchboard.mcp-switchboard'),
    'mcpSwitchboard.help': async () => (await import('./servers/signs/openWalkthrough.ts')).openWalkthrough(host),
  };
}

function configCommands({ host, secrets, outside, storage }: CommandPorts): Commands {
  const sourceOptions = (): SourceOptions => readSourceOptions(storage);
  const { t } = vscode.l10n;
  return {
    'mcpSwitchboard.addServer': async (line) =>
      (await import('./add/addServer.ts')).addServerInteractively(host, storage, typeof line === 'string' ? line : ''),
    'mcpSwitchboard.browseRegistry': async () =>
      (await import('./add/registry/registryBrowser.ts')).browseFromPalette(host, storage),
    'mcpSwitchboard.checkServerUpdates': async () =>
      (await import('./add/registry/serverUpdates.ts')).checkServerUpdates(host),
    'mcpSwitchboard.copyToScope': async (node) =>
      (await import('./config/copyToScope.ts')).copyToScope(host, sourceOptions(), entryOf(host, node), 'copy'),
    'mcpSwitchboard.moveToScope': async (node) =>
      (await import('./config/copyToScope.ts')).copyToScope(host, sourceOptions(), entryOf(host, node), 'move'),
    'mcpSwitchboard.importServers': async () =>
      (await import('./config/importDialog.ts')).importInteractively(sourceOptions()),
    // The view's menu gives it the row that has the focus: it asks nevertheless.
    'mcpSwitchboard.exportServers': async () =>
      (await import('./config/exportDialog.ts')).exportInteractively(host, undefined, storage.extension.id),
    'mcpSwitchboard.exportServer': async (node) =>
      (await import('./config/exportDialog.ts')).exportInteractively(host, entryOf(host, node), storage.extension.id),
    'mcpSwitchboard.openProjectConfig': async () =>
      (await import('./servers/serverActions.ts')).openConfigFile('project'),
    'mcpSwitchboard.openWorkspaceConfig': async () =>
      (await import('./servers/serverActions.ts')).openConfigFile('workspace'),
    'mcpSwitchboard.openLocalConfig': async () =>
      (await import('./servers/serverActions.ts')).openLocalConfig(sourceOptions().localFile),
    'mcpSwitchboard.openUserConfig': async () => (await import('./servers/serverActions.ts')).openUserSetting(),
    'mcpSwitchboard.refresh': async () => {
      await host.config.reload();
      said(t('Configuration reloaded.'));
    },
    'mcpSwitchboard.forgetInputs': async () => {
      await host.values?.forget(host.views.map(({ definition }) => definition.entry));
      said(t('Saved inputs cleared.'));
    },
    'mcpSwitchboard.setCloudToken': async () =>
      (await import('./config/setCloudToken.ts')).setCloudToken(host, secrets),
    'mcpSwitchboard.doctor': async () =>
      (await import('./config/doctorCommand.ts')).showDoctor({ host, options: sourceOptions(), outside }),
  };
}
