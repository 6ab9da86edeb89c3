// Loaded when a workspace has hooks, or with the command.
import * as vscode from 'vscode';
import { showInvisible } from '../../base/invisible.ts';
import { HOOK_EVENTS, type HookGroups } from '../../calls/hooks/hookTypes.ts';
import type { EditorCallSettings } from '../../platform/editorCallSettings.ts';
import { confirm } from '../choice.ts';

/**
 * Shows the hooks of the workspace's settings for approval. Until then none of them runs.
 * @param asked the user ran the command: if there is nothing to approve, a message says so
 */
export async function reviewHooks(settings: EditorCallSettings, asked: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const hooks = settings.hooksToApprove;
  if (!hooks) {
    if (asked) void vscode.window.showInformationMessage(t('No hooks need approval.'));
    return;
  }
  if (!asked) {
    const review = t('Review…');
    const question = t(
      'This workspace defines commands that run before or after MCP tool calls. They don’t run until you approve them.',
    );
    if ((await vscode.window.showWarningMessage(question, review)) !== review) return;
  }
  const question = t('Run these workspace commands with MCP tool calls?');
  const detail = `${describe(hooks)}\n\n${t('They run with your permissions and see the arguments of each call.')}`;
  if (await confirm(question, t('Approve'), detail)) await settings.approveHooks(hooks);
}

function describe(hooks: HookGroups): string {
  return HOOK_EVENTS.flatMap((event) =>
    hooks[event].flatMap(({ matcher, hooks: commands }) =>
      commands.map(({ command }) => showInvisible(`${event} ${matcher || '*'}: ${command}`)),
    ),
  ).join('\n');
}
