import * as vscode from 'vscode';
import { plainText, withoutLinks } from '../../bridge/safeText.ts';

/**
 * Runs long work under a notification with *Cancel*.
 * @param title without links; names in it are plain texts already
 * @param work gets a signal that ends it, and what tells how far it is
 * @returns `undefined` if the user cancelled
 * @throws what the work throws
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T | undefined> {
  const aborter = new AbortController();
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (progress, token) => {
      const cancelled = token.onCancellationRequested(() => aborter.abort());
      try {
        return await work(aborter.signal, (message) => progress.report({ message: plainText(message) }));
      } catch (error) {
        if (aborter.signal.aborted) return undefined;
        throw error;
      } finally {
        cancelled.dispose();
      }
    },
  );
}
