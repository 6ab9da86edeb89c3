import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { plainText } from '../text/safeText.ts';
import type { WaitingSignIn } from './waitingSignIns.ts';

/** Shows that a sign-in waits for the browser, until `wait` is over; the person can cancel it, or paste the address. */
export async function showWaiting<T>(
  { server }: WaitingSignIn,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { t } = vscode.l10n;
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t('Finish signing in to “{0}” in the browser', plainText(server.name)),
    },
    async (progress, token) => {
      // The editor puts a colon between title and message.
      const paste = `[${t('Paste the Address')}](command:mcpSwitchboard.pasteSignInAddress)`;
      progress.report({ message: t('if it can’t come back, {0}.', paste) });
      const cancelled = new AbortController();
      const store = new DisposableStore();
      store.add(token.onCancellationRequested(() => cancelled.abort()));
      try {
        return await wait(AbortSignal.any([signal, cancelled.signal]));
      } finally {
        store.dispose();
      }
    },
  );
}
