import * as vscode from 'vscode';
import { plainText, withoutLinks } from '../bridge/text/safeText.ts';

/** Long work: it gets a signal that ends it, and what tells how far it is, a text of any origin. */
type LongWork<T> = (signal: AbortSignal, report: (message: string) => void) => Promise<T>;

/**
 * Shows a notification while `work` runs, with a button that aborts it.
 * @throws what the work throws, also where it was aborted
 */
export async function withCancel<T>(title: string, work: LongWork<T>): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (progress, token) => {
      const ending = new AbortController();
      const subscription = token.onCancellationRequested(() => ending.abort());
      try {
        return await work(ending.signal, (message) => progress.report({ message: plainText(message) }));
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** As `withCancel`. @returns `undefined` where the work threw because the user cancelled it */
export async function unlessCancelled<T>(title: string, work: LongWork<T>): Promise<T | undefined> {
  let isCancelled = false;
  try {
    return await withCancel(title, (signal, report) => {
      signal.addEventListener('abort', () => (isCancelled = true));
      return work(signal, report);
    });
  } catch (error) {
    if (isCancelled) return undefined;
    throw error;
  }
}
