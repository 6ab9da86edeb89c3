// Loaded with the first change of a tool.
import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/invisible.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { isUnreadablePin, type PinChange } from '../../catalog/pinChanges.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';

/** Says that tools, prompts or skills of a server differ from the approved ones, or that these can't be read, with a button that shows how. */
export async function tellToolChanges(
  serverName: string,
  of: OpenChange['of'],
  changes: readonly PinChange[],
): Promise<void> {
  const { t } = vscode.l10n;
  const review = t('Review');
  const server = showInvisible(serverName);
  const names = changes.map(({ name }) => name);
  const some = showInvisible(names.slice(0, 5).join(', ')) + (names.length > 5 ? ', …' : '');
  const isUnreadable = changes.every((change) => 'pinned' in change && isUnreadablePin(change.pinned));
  const text = {
    tool: () => t('Tools of {0} changed since you approved them: {1}.', server, some),
    prompt: () => t('Prompts of {0} changed since you approved them: {1}.', server, some),
    skill: () => t('Skills of {0} changed since you approved them: {1}.', server, some),
  };
  const message = isUnreadable
    ? t('What you approved of {0} can’t be read. Review it again: {1}.', server, some)
    : text[of]();
  if ((await notify('warning', message, review)) === review)
    await vscode.commands.executeCommand('mcpSwitchboard.reviewTools');
}
