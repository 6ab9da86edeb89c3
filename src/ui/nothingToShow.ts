import * as vscode from 'vscode';
import { notify } from '../bridge/dialogs/showNotification.ts';
import type { Host } from '../host/host.ts';

/** Says that there is nothing of a kind; where that is because there is no server, with the button that adds one. */
export async function notifyNone(host: Host, text: string): Promise<void> {
  const add = vscode.l10n.t('Add Server…');
  const answer = await notify('information', text, ...(host.views.length === 0 ? [add] : []));
  if (answer === add) await vscode.commands.executeCommand('mcpSwitchboard.addServer');
}
