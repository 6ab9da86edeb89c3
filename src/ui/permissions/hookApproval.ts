// A bundle of its own, loaded when a workspace has hooks, or on command.
import * as vscode from 'vscode';
import { showInvisible } from '../../calls/arguments/argumentText.ts';
import { HOOK_EVENTS, type HookGroups } from '../../calls/hooks/hookTypes.ts';
import type { EditorCallSettings } from '../../platform/editorCallSettings.ts';

/**
 * Shows the hooks that the workspace's settings want to run and lets the person approve them. Until then none runs.
 * @param asked the person asked for it: then it is said where there is nothing to approve
 */
export async function reviewHooks(settings: EditorCallSettings, asked: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const hooks = settings.hooksToApprove;
  if (!hooks) {
    if (asked) void vscode.window.showInformationMessage(t('No hook of the workspace waits for your approval.'));
    return;
  }
  if (!asked) {
    const review = t('Review…');
    const question = t('This workspace wants to run commands before or after calls of MCP tools. They don’t run yet.');
    if ((await vscode.window.showWarningMessage(question, review)) !== review) return;
  }
  const approve = t('Approve');
  const answer = await vscode.window.showWarningMessage(
    t('Run these commands of the workspace at calls of MCP tools?'),
    { modal: true, detail: `${describe(hooks)}\n\n${t('They run with your rights and see the calls’ arguments.')}` },
    approve,
  );
  if (answer === approve) await settings.approveHooks(hooks);
}

function describe(hooks: HookGroups): string {
  return HOOK_EVENTS.flatMap((event) =>
    hooks[event].flatMap(({ matcher, hooks: commands }) =>
      commands.map(({ command }) => showInvisible(`${event} ${matcher || '*'}: ${command}`)),
    ),
  ).join('\n');
}
