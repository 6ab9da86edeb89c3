import * as vscode from 'vscode';
import { isRecord } from '../base/json/json.ts';
import type { OfferedResource, OfferedTemplate } from '../bridge/resources/listOffered.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import type { ServerQuestion } from '../connection/serverQuestionTypes.ts';
import { readSourceOptions } from '../platform/configPorts.ts';
import { readToolSettings } from '../platform/settings/hostSettings.ts';
import type { ActivityNode } from './activity/activityNodes.ts';
import type { ExtensionStorage } from './add/addServer.ts';
import { said, type CommandPorts, type Commands } from './commandPorts.ts';
import type { PageSource } from './pages/webPage.ts';
import type { PermissionRow } from './permissions/permissionRow.ts';
import type { PermissionNode } from './permissions/permissionsTree.ts';
import { serverIdOf } from './servers/chosenServers.ts';
import type { ItemNode, Node, ToolNode, SkillNode } from './servers/tree/treeNodes.ts';

/** What the commands about what agents use, may do and did do, by id. */
export function agentCommands(ports: CommandPorts): Commands {
  return { ...toolCommands(ports), ...permissionCommands(ports), ...callCommands(ports), ...recordingCommands(ports) };
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
      // The editor gives none where the view was redrawn while its row was clicked.
      const row = node as Node | undefined;
      if (row?.kind !== 'tool' && row?.kind !== 'disabledTool') return;
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
    'mcpSwitchboard.openSkill': async (node) =>
      (await import('./items/openSkill.ts')).openSkill(
        host,
        serverOf(node),
        (node as Partial<SkillNode> | undefined)?.item,
      ),
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

type QuestionNode = Extract<ActivityNode, { kind: 'question' }>;
type PlannedNode = Extract<ActivityNode, { kind: 'planned' }>;

/** Commands about calls and plan mode; from a row of the view, about that call, else about one that the user picks. */
function callCommands({ host, storage, turns }: CommandPorts): Commands {
  const { t } = vscode.l10n;
  const { plan } = host.calls;
  const questionOf = (node: unknown): ServerQuestion | undefined =>
    (node as Partial<QuestionNode> | undefined)?.question;
  /** Of a row, or of a link in the chat. */
  const planned = (node: unknown): string => (node as Partial<PlannedNode> | undefined)?.planned?.id ?? '';
  return {
    'mcpSwitchboard.showHistory': async () => (await import('./calls/showCallHistory.ts')).showHistory(host),
    'mcpSwitchboard.showUsage': async () => {
      const { UsagePage } = await import('./pages/usage/usagePage.ts');
      await showPageOf(new UsagePage(host), storage);
    },
    'mcpSwitchboard.showFailedCalls': async () => (await import('./calls/showFailedCalls.ts')).showFailedCalls(host),
    'mcpSwitchboard.showQuestion': async (node) =>
      (await import('./activity/showQuestion.ts')).showQuestion(host, await turns(), questionOf(node)),
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
