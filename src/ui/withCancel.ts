import * as vscode from 'vscode';
import { withoutLinks } from '../bridge/safeText.ts';

/** Shows a notification while `task` runs, with a button that aborts it. */
export async function withCancel<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (_progress, token) => {
      const ending = new AbortController();
      const subscription = token.onCancellationRequested(() => ending.abort());
      try {
        return await task(ending.signal);
      } finally {
        subscription.dispose();
      }
    },
  );
}
