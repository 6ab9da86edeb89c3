// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { Host } from '../../host/host.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { discardFailedCalls, runAgain } from './callCommands.ts';
import { failedText, showFailed } from './callDetails.ts';

/** *Show Failed Calls…*: view, run again, copy or discard calls that failed finally. */
export async function showFailedCalls(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const { failedCalls } = host.calls;
  if (failedCalls.all.length === 0) {
    void notify('information', t('No failed calls.'));
    return;
  }
  const items: (vscode.QuickPickItem & { readonly call?: FailedCall })[] = [
    ...failedCalls.all.toReversed().map((call) => ({
      label: plainText(call.tool),
      description: `${new Date(call.at).toLocaleString()} · ${call.attempts === 1 ? t('1 attempt') : t('{0} attempts', call.attempts)}`,
      detail: plainText(call.error),
      call,
    })),
    { label: `$(clear-all) ${t('Discard All…')}` },
  ];
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, { title: t('Failed Calls'), matchOnDetail: true }),
  );
  if (!picked) return;
  if (picked.call) await act(host, picked.call);
  else await discardFailedCalls(host);
}

async function act(host: Host, call: FailedCall): Promise<void> {
  const { t } = vscode.l10n;
  const [retry, view, copy, discard] = [t('Run Again…'), t('View'), t('Copy'), t('Discard')];
  const action = await ownInputs.ask(() =>
    vscode.window.showQuickPick(
      [
        { label: view },
        { label: retry, detail: plainText(argumentText(call.args).slice(0, 300)) },
        { label: copy },
        { label: discard },
      ],
      { title: plainText(call.tool) },
    ),
  );
  switch (action?.label) {
    case view:
      await showFailed(call);
      return;
    case retry:
      await runAgain(host, { kind: 'failed', failed: call });
      return;
    case copy:
      await vscode.env.clipboard.writeText(failedText(call));
      return;
    case discard:
      await host.calls.failedCalls.discard(call.id);
      return;
    default:
  }
}
