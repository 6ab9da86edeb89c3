import * as vscode from 'vscode';
import type { SamplingConsents } from '../../bridge/sampling/samplingConsents.ts';
import type { Host } from '../../host/host.ts';
import type { EditorCallSettings } from '../../platform/editorCallSettings.ts';
import type { PlanNode } from '../plan/planTree.ts';
import type { PermissionNode } from '../permissions/permissionsTree.ts';

/** Commands about permissions, plan mode, history and hooks, by id. What they show is loaded on first use. */
export function callCommands(
  host: Host,
  settings: EditorCallSettings,
  consents: SamplingConsents,
): Record<string, (...args: unknown[]) => unknown> {
  const { plan, grants } = host.calls;
  const planned = (node: unknown): string => (node as Partial<PlanNode> | undefined)?.planned?.id ?? '';
  return {
    'mcpSwitchboard.managePermissions': async () =>
      (await import('../permissions/managePermissions.ts')).managePermissions(host, settings, consents),
    'mcpSwitchboard.revokePermission': (node) =>
      grants.revoke((node as Partial<PermissionNode> | undefined)?.grant?.id ?? ''),
    'mcpSwitchboard.showHistory': async () => (await import('./showCallHistory.ts')).showHistory(host),
    'mcpSwitchboard.showFailedCalls': async () => (await import('./showFailedCalls.ts')).showFailedCalls(host),
    'mcpSwitchboard.togglePlanMode': async () => {
      await plan.setOn(!plan.on);
      void vscode.window.setStatusBarMessage(
        plan.on
          ? vscode.l10n.t('Plan mode is on: calls that write are put on a list.')
          : vscode.l10n.t('Plan mode is off.'),
        5_000,
      );
    },
    'mcpSwitchboard.planRun': async (node) => (await import('../plan/planActions.ts')).runPlanned(host, planned(node)),
    'mcpSwitchboard.planRunAll': async () => (await import('../plan/planActions.ts')).runPlan(host),
    'mcpSwitchboard.planEdit': async (node) =>
      (await import('../plan/planActions.ts')).editPlanned(host, planned(node)),
    'mcpSwitchboard.planDiscard': (node) => plan.discard(planned(node)),
    'mcpSwitchboard.planDiscardAll': async () => (await import('../plan/planActions.ts')).discardPlan(host),
    'mcpSwitchboard.reviewHooks': async () =>
      (await import('../permissions/hookApproval.ts')).reviewHooks(settings, true),
  };
}
