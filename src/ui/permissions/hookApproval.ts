// Loaded when a workspace has hooks, or with the command.
import * as vscode from 'vscode';
import { LINE_LENGTH, paragraph, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import { confirmForOthers } from '../../bridge/dialogs/confirmWhole.ts';
import { hookText } from '../../calls/hooks/hookText.ts';
import { HOOK_EVENTS, type HookGroups } from '../../calls/hooks/hookTypes.ts';
import { workspaceFolders } from '../../platform/configPorts.ts';
import type { EditorCallSettings } from '../../platform/settings/editorCallSettings.ts';
import { filesOfHook } from '../../servers/trust/folderFiles.ts';
import { fileLine } from '../fileLine.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

/**
 * Shows the hooks of the workspace's settings, and of Claude Code's, for approval. Until then none of them runs.
 * @param asked the user ran the command: if there is nothing to approve, a message says so
 */
export async function reviewHooks(settings: EditorCallSettings, asked: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const hooks = settings.hooksToApprove;
  if (!hooks) {
    if (asked) void notify('information', t('No hooks need approval.'));
    return;
  }
  if (!asked) {
    const review = t('Review…');
    const question = t(
      'The settings of this workspace or of Claude Code define commands that run before or after MCP tool calls. They don’t run until you approve them.',
    );
    if ((await notify('warning', question, review)) !== review) return;
  }
  const question = t('Run these commands with MCP tool calls?');
  const files = paragraph((await filesOf(hooks)).map(fileLine));
  const closing = t('They run with your permissions and see the arguments of each call.');
  const text = [describe(hooks), files, closing].filter((part) => part !== '').join('\n\n');
  const title = t('Hooks');
  if (await confirmForOthers(question, t('Approve'), text, title)) await settings.approveHooks(hooks);
}

/** The files of the folder that hooks are run with. */
async function filesOf(hooks: HookGroups): Promise<readonly string[]> {
  const folder = workspaceFolders()[0]?.path;
  if (folder === undefined) return [];
  const commands = HOOK_EVENTS.flatMap((event) => hooks[event].flatMap((group) => group.hooks));
  return [...new Set((await Promise.all(commands.map(({ command }) => filesOfHook(command, folder)))).flat())];
}

function describe(hooks: HookGroups): string {
  return HOOK_EVENTS.flatMap((event) =>
    hooks[event].flatMap(({ matcher, hooks: commands }) =>
      commands.flatMap(({ command }) => wrapped(hookText(event, matcher, command), LINE_LENGTH)),
    ),
  ).join('\n');
}
