import * as vscode from 'vscode';
import type { SamplingConsents } from '../bridge/sampling/consents.ts';
import type { Host } from '../host.ts';
import type { EditorCallSettings } from '../platform/callSettings.ts';
import type { PlanNode } from './planTree.ts';
import type { PermissionNode } from './permissionsTree.ts';

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
      (await import('./managePermissions.ts')).managePermissions(host, settings, consents),
    'mcpSwitchboard.revokePermission': (node) =>
      grants.revoke((node as Partial<PermissionNode> | undefined)?.grant?.id ?? ''),
    'mcpSwitchboard.showHistory': async () => (await import('./callHistory.ts')).showHistory(host),
    'mcpSwitchboard.showFailedCalls': async () => (await import('./failedCalls.ts')).showFailedCalls(host),
    'mcpSwitchboard.togglePlanMode': async () => {
      await plan.setOn(!plan.on);
      void vscode.window.setStatusBarMessage(
        plan.on
          ? vscode.l10n.t('Plan mode is on: calls that write are put on a list.')
          : vscode.l10n.t('Plan mode is off.'),
        5_000,
      );
    },
    'mcpSwitchboard.planRun': async (node) => (await import('./planActions.ts')).runPlanned(host, planned(node)),
    'mcpSwitchboard.planRunAll': async () => (await import('./planActions.ts')).runPlan(host),
    'mcpSwitchboard.planEdit': async (node) => (await import('./planActions.ts')).editPlanned(host, planned(node)),
    'mcpSwitchboard.planDiscard': (node) => plan.discard(planned(node)),
    'mcpSwitchboard.planDiscardAll': async () => (await import('./planActions.ts')).discardPlan(host),
    'mcpSwitchboard.reviewHooks': async () => (await import('./hookApproval.ts')).reviewHooks(settings, true),
  };
}
