import * as vscode from 'vscode';
import { isRecord } from '../base/json/json.ts';
import type { EditorSignIn } from '../bridge/signIn/editorSignIn.ts';
import type { OutsideAccess } from '../bridge/gateway/outside/outsideAccess.ts';
import type { OfferedResource, OfferedTemplate } from '../bridge/resources/listOffered.ts';
import type { ResourceFiles } from '../bridge/resources/lazyDocuments.ts';
import type { SourceOptions } from '../config/configSources.ts';
import type { ServerEntry } from '../config/configTypes.ts';
import type { Host } from '../host/host.ts';
import type { EditorCallSettings } from '../platform/settings/editorCallSettings.ts';
import { readSourceOptions } from '../platform/configPorts.ts';
import { readToolSettings } from '../platform/settings/hostSettings.ts';
import type { Logs } from '../platform/outputChannels.ts';
import type { SecretStore } from '../servers/inputValues.ts';
import type { ExtensionStorage } from './add/addServer.ts';
import type { ActivityNode } from './activity/activityNodes.ts';
import type { LazyTree } from './lazyTree.ts';
import type { PageSource } from './pages/webPage.ts';
import type { PermissionRow } from './permissions/permissionRow.ts';
import type { PermissionNode, PermissionsTree } from './permissions/permissionsTree.ts';
import type { ServerActionId } from './servers/serverActions.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import { nodesForKey, serverIdOf, serverNodes } from './servers/chosenServers.ts';
import type { ServersTree } from './servers/serversTree.ts';
import type { ItemNode, Node, ToolNode } from './servers/tree/treeNodes.ts';
import type { DropPorts } from './servers/tree/dropServers.ts';
import type { WhoHosts } from './servers/whoHosts.ts';

/** What the commands need. */
export interface CommandPorts {
  readonly host: Host;
  readonly tree: ServersTree;
  readonly resourceFiles: ResourceFiles;
  readonly whoHosts: WhoHosts;
  readonly outside: OutsideAccess;
  readonly signIn: () => Promise<EditorSignIn>;
  readonly logs: Logs;
  readonly secrets: SecretStore;
  readonly callSettings: EditorCallSettings;
  readonly permissions: LazyTree<PermissionNode, PermissionsTree>;
  /** Where this extension keeps files, and what it is called. */
  readonly storage: ExtensionStorage;
  /** In tests a command that fails also rejects. */
  readonly isTest: boolean;
}

export type Commands = Readonly<Record<string, (...args: unknown[]) => unknown>>;

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
    ...toolCommands(ports),
    ...permissionCommands(ports),
    ...callCommands(ports),
    ...recordingCommands(ports),
  };
}

function serverCommands({ host, tree, logs, whoHosts, outside, signIn, callSettings }: CommandPorts): Commands {
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
    'mcpSwitchboard.newPreset': async () => (await import('./presets/editPresets.ts')).newPreset(host),
    'mcpSwitchboard.editPresets': async () => (await import('./presets/editPresets.ts')).editPresets(host),
    'mcpSwitchboard.review': async (ids) =>
      (await import('./servers/approvals.ts')).reviewServers(host, Array.isArray(ids) ? (ids as string[]) : undefined),
    'mcpSwitchboard.showInServersView': async (target) =>
      (await import('./files/showInServersView.ts')).showInServersView(host, tree, target),
    'mcpSwitchboard.chooseHost': () => whoHosts.choose(),
    'mcpSwitchboard.copyGatewayAddress': async () => (await import('./gatewayAddress.ts')).copyGatewayAddress(outside),
    'mcpSwitchboard.revokeGatewayAddress': async () =>
      (await import('./gatewayAddress.ts')).revokeGatewayAddress(outside),
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
    'mcpSwitchboard.clearServerFilter': async () => (await tree.data()).arrange({ filter: '' }),
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
    'mcpSwitchboard.help': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'mcp-switchboard.mcp-switchboard#start'),
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

/** Commands about tools, resources and prompts; from a server in the tree, about that one. */
function toolCommands({ host, tree, resourceFiles, storage }: CommandPorts): Commands {
  const serverOf = (node: unknown): string | undefined =>
    isRecord(node) && typeof node['serverId'] === 'string' ? host.servers.get(node['serverId'])?.name : undefined;
  /** The resource, template or prompt of a row. */
  const itemOf = (node: unknown): ItemNode['item'] | undefined => (node as Partial<ItemNode> | undefined)?.item;
  const resourceOf = (node: unknown): OfferedResource | OfferedTemplate | undefined => {
    const item = itemOf(node);
    return item && ('uri' in item || 'uriTemplate' in item) ? item : undefined;
  };
  /** Of a row of the tree. */
  const toolOf = (node: unknown): CatalogTool | undefined =>
    host.catalog.find((node as Partial<ToolNode> | undefined)?.tool?.name ?? '');
  return {
    'mcpSwitchboard.searchTools': async () => (await import('./tools/searchCommand.ts')).searchTools(host, tree),
    'mcpSwitchboard.listTools': async () =>
      (await import('./tools/listTools.ts')).listTools(host, tree, readToolSettings().toolQualityThreshold),
    'mcpSwitchboard.showContextBudget': async () => {
      const { BudgetPage } = await import('./pages/budget/budgetPage.ts');
      await showPageOf(new BudgetPage(host), storage);
    },
    'mcpSwitchboard.openInspector': async (node) => {
      const { inspectorOf } = await import('./pages/inspector/inspectorPage.ts');
      const inspector = inspectorOf(host);
      const tool = toolOf(node);
      const serverId = isRecord(node) && typeof node['serverId'] === 'string' ? node['serverId'] : tool?.serverId;
      await inspector.look({ ...(serverId === undefined ? {} : { serverId }), ...(tool ? { tool: tool.name } : {}) });
      await showPageOf(inspector, storage);
    },
    'mcpSwitchboard.showTool': async (node) => {
      const tool = toolOf(node);
      if (tool) await (await import('./tools/toolDetails.ts')).showTool(host, tool);
    },
    'mcpSwitchboard.toggleTool': async (node) => {
      const row = node as Node;
      if (row.kind !== 'tool' && row.kind !== 'disabledTool') return;
      try {
        await (await import('./servers/tree/switchTools.ts')).switchToolOf(host, row, row.kind === 'disabledTool');
      } finally {
        tree.redraw(row);
      }
    },
    'mcpSwitchboard.copyToolName': async (node) => {
      const tool = toolOf(node);
      if (tool) await (await import('./tools/toolDetails.ts')).copyToolName(tool);
    },
    'mcpSwitchboard.reviewTools': async () => (await import('./tools/toolChanges.ts')).reviewTools(host),
    'mcpSwitchboard.openResource': async (node) =>
      (await import('./items/openResource.ts')).openResource(host, resourceFiles, serverOf(node), resourceOf(node)),
    'mcpSwitchboard.runPrompt': async (node) =>
      (await import('./items/runPrompt.ts')).runPrompt(host, serverOf(node), itemOf(node)),
  };
}

/** Commands about permissions and hooks; from a row of the view, about that one. */
function permissionCommands({ callSettings, permissions }: CommandPorts): Commands {
  const rowOf = (node: unknown): PermissionRow | undefined => (node as Partial<PermissionNode> | undefined)?.row;
  return {
    'mcpSwitchboard.manageApprovals': async () =>
      (await import('./permissions/managePermissions.ts')).manageApprovals(await permissions.provider()),
    'mcpSwitchboard.managePermissions': async () =>
      (await import('./permissions/managePermissions.ts')).managePermissions(await permissions.provider()),
    'mcpSwitchboard.revokePermission': async (node) => {
      const row = rowOf(node);
      const tree = await permissions.provider();
      if (row) await tree.revoke(row);
      else await (await import('./permissions/managePermissions.ts')).revokePermission(tree);
    },
    'mcpSwitchboard.undoRevoke': async () => (await permissions.provider()).undoRevoke(),
    'mcpSwitchboard.openPermission': (node) => rowOf(node)?.open?.(),
    'mcpSwitchboard.reviewHooks': async () =>
      (await import('./permissions/hookApproval.ts')).reviewHooks(callSettings, true),
  };
}

async function showPageOf(source: PageSource, { extension }: ExtensionStorage): Promise<void> {
  await (await import('./pages/webPage.ts')).showPage(source, extension.extensionUri);
}

type PlannedNode = Extract<ActivityNode, { kind: 'planned' }>;

/** Commands about calls and plan mode; from a row of the view, about that call, else about one that the user picks. */
function callCommands({ host, storage }: CommandPorts): Commands {
  const { t } = vscode.l10n;
  const { plan } = host.calls;
  /** Of a row, or of a link in the chat. */
  const planned = (node: unknown): string => (node as Partial<PlannedNode> | undefined)?.planned?.id ?? '';
  return {
    'mcpSwitchboard.showHistory': async () => (await import('./calls/showCallHistory.ts')).showHistory(host),
    'mcpSwitchboard.showUsage': async () => {
      const { UsagePage } = await import('./pages/usage/usagePage.ts');
      await showPageOf(new UsagePage(host), storage);
    },
    'mcpSwitchboard.showFailedCalls': async () => (await import('./calls/showFailedCalls.ts')).showFailedCalls(host),
    'mcpSwitchboard.showCall': async (node) => (await import('./calls/callCommands.ts')).showCall(host, node),
    'mcpSwitchboard.cancelCall': async (node) => (await import('./calls/callCommands.ts')).cancelCall(host, node),
    'mcpSwitchboard.explainCall': async (node) => (await import('./calls/callCommands.ts')).explainCall(host, node),
    'mcpSwitchboard.runAgain': async (node) => (await import('./calls/callCommands.ts')).runAgain(host, node),
    'mcpSwitchboard.discardFailedCall': async (node) =>
      (await import('./calls/callCommands.ts')).discardFailedCall(host, node),
    'mcpSwitchboard.discardFailedCalls': async () => (await import('./calls/callCommands.ts')).discardFailedCalls(host),
    'mcpSwitchboard.togglePlanMode': async () => {
      await plan.setOn(!plan.on);
      const text = plan.on
        ? t('Plan mode is on. Calls that make changes are planned, not run.')
        : t('Plan mode is off.');
      said(text);
    },
    'mcpSwitchboard.toggleScripts': async () => {
      const text = await (await import('./calls/toggleScripts.ts')).toggleScripts(host);
      if (text !== undefined) said(text);
    },
    'mcpSwitchboard.planRun': async (node) => (await import('./plan/planActions.ts')).runPlanned(host, planned(node)),
    'mcpSwitchboard.planRunAll': async () => (await import('./plan/planActions.ts')).runPlan(host),
    'mcpSwitchboard.planEdit': async (node) => (await import('./plan/planActions.ts')).editPlanned(host, planned(node)),
    'mcpSwitchboard.planDiscard': async (node) =>
      (await import('./plan/planActions.ts')).discardPlanned(host, planned(node)),
    'mcpSwitchboard.planDiscardAll': async () => (await import('./plan/planActions.ts')).discardPlan(host),
  };
}

/** Commands about recordings; from a row of the view *Servers*, about that server. */
function recordingCommands({ host, outside, storage }: CommandPorts): Commands {
  const ports = { host, extension: storage.extension };
  return {
    'mcpSwitchboard.startRecording': async (node) =>
      (await import('./recording/recordSession.ts')).startRecording(ports, serverIdOf(host, node)),
    'mcpSwitchboard.stopRecording': async () => (await import('./recording/recordSession.ts')).stopRecording(),
    'mcpSwitchboard.saveRecent': async (node) =>
      (await import('./recording/recordSession.ts')).saveRecent(ports, serverIdOf(host, node)),
    'mcpSwitchboard.replayAsServer': async (file) =>
      (await import('./recording/replayAsServer.ts')).replayAsServer(host, storage, file),
    'mcpSwitchboard.replayCalls': async (file) => (await import('./recording/replayCalls.ts')).replayCalls(ports, file),
    'mcpSwitchboard.reportProblem': async (node) =>
      (await import('./recording/reportProblem.ts')).reportProblem(
        ports,
        { host, options: readSourceOptions(storage), outside },
        node,
      ),
  };
}

/** Says in the status bar that a command without anything to see is done. */
function said(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5_000);
}
