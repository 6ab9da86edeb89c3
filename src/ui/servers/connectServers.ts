import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { localized } from '../../bridge/text/localized.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { describeState } from '../../connection/connectionState.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';

/** Several at once, with how many are done; what fails is told once. Cancelled, those that are still under way end. */
export async function connectWithProgress(host: Host, views: readonly ServerView[]): Promise<void> {
  const { t } = vscode.l10n;
  const [first] = views;
  const title =
    views.length === 1 && first
      ? t('Connecting {0}', first.definition.name)
      : t('Connecting {0} servers', String(views.length));
  const failures: Failure[] = [];
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: plainText(title), cancellable: true },
    async (progress, token) => {
      let done = 0;
      const connectOne = async ({ definition: { id, name } }: ServerView): Promise<void> => {
        const reason = await connect(host, id, token);
        if (reason !== undefined) failures.push({ name, reason });
        done += 1;
        if (views.length === 1) return;
        progress.report({ message: t('{0} of {1}', done, views.length), increment: 100 / views.length });
      };
      await Promise.all(views.map(connectOne));
    },
  );
  reportFailures(failures, views.length);
}

interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** @returns why it isn't connected; `undefined` where it is, or where that was cancelled */
async function connect(host: Host, id: string, token: vscode.CancellationToken): Promise<string | undefined> {
  const cancelled = token.onCancellationRequested(() => void host.pool.disconnect(id));
  try {
    const state = await host.pool.connect(id);
    return state.kind === 'connected' || token.isCancellationRequested ? undefined : localized(describeState(state));
  } catch (error) {
    return localized(messageOf(error));
  } finally {
    cancelled.dispose();
  }
}

/** So many names fit a notification. */
const MAX_NAMES = 5;

function reportFailures(failures: readonly Failure[], of: number): void {
  const { t } = vscode.l10n;
  const [first] = failures;
  if (!first) return;
  if (failures.length === 1) {
    const { name, reason } = first;
    return offer(t('Could not connect “{0}”. {1}', name, reason), t('Show Log'), 'mcpSwitchboard.showLog', name);
  }
  const names = failures.slice(0, MAX_NAMES).map(({ name }) => name);
  const all = [...names, ...(failures.length > MAX_NAMES ? ['…'] : [])].join(', ');
  const text = t('Could not connect {0} of {1} servers: {2}', failures.length, of, all);
  offer(text, t('Show Servers'), 'mcpSwitchboard.servers.focus');
}

function offer(text: string, button: string, command: string, ...args: readonly unknown[]): void {
  void notify('error', text, button).then(
    (choice) => choice === button && vscode.commands.executeCommand(command, ...args),
  );
}
