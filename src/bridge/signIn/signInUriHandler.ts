import * as vscode from 'vscode';
import { notify } from '../dialogs/showNotification.ts';
import type { WaitingSignIns } from './waitingSignIns.ts';

/** An address of this extension that the editor passes on: the browser came back from an authorization server. */
export function takeUri({ path, query }: vscode.Uri, waiting: WaitingSignIns): void {
  if (path !== '/sign-in') return;
  const refusal = waiting.offer(new URLSearchParams(query));
  const { t } = vscode.l10n;
  // The page in the browser says nothing of it.
  if (refusal === 'other')
    void notify('warning', t('A page came back from a sign-in that this window doesn’t wait for. Nothing was done.'));
  else if (refusal === 'late')
    void notify('warning', t('A page came back from a sign-in that is over. Nothing was done.'));
}
