// Loaded with the first change of a tool.
import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/invisible.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import type { PinChange } from '../../catalog/pinChanges.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';

/** Says that tools, prompts or skills of a server differ from the approved ones, with a button that shows how. */
export async function tellToolChanges(
  serverName: string,
  of: OpenChange['of'],
  changes: readonly PinChange[],
): Promise<void> {
  const { t } = vscode.l10n;
  const server = showInvisible(serverName);
  const names = changes.map(({ name }) => name);
  const some = showInvisible(names.slice(0, 5).join(', ')) + (names.length > 5 ? ', …' : '');
  const text = {
    tool: () => t('Tools of {0} changed since you approved them: {1}.', server, some),
    prompt: () => t('Prompts of {0} changed since you approved them: {1}.', server, some),
    skill: () => t('Skills of {0} changed since you approved them: {1}.', server, some),
  };
  await withReview(text[of]());
}

/** Says that nobody can tell what was approved of some servers. */
export async function tellUnreadable(): Promise<void> {
  await withReview(vscode.l10n.t('What you approved of some servers’ tools can’t be read. Review what they are now.'));
}

async function withReview(message: string): Promise<void> {
  const review = vscode.l10n.t('Review');
  if ((await notify('warning', message, review)) === review)
    await vscode.commands.executeCommand('mcpSwitchboard.reviewTools');
}
