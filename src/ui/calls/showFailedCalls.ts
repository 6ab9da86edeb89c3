// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/safeText.ts';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { Host } from '../../host/host.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { notify } from '../../bridge/showNotification.ts';

/** *Show Failed Calls…*: view, retry, copy or discard calls that failed finally. */
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
    { label: `$(clear-all) ${t('Discard All')}` },
  ];
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, { title: t('Failed Calls'), matchOnDetail: true }),
  );
  if (!picked) return;
  if (picked.call) await act(host, picked.call);
  else await failedCalls.clear();
}

async function act(host: Host, call: FailedCall): Promise<void> {
  const { t } = vscode.l10n;
  const [retry, view, copy, discard] = [t('Retry'), t('View'), t('Copy'), t('Discard')];
  const text = `${call.tool}\n${argumentText(call.args)}\n${showInvisible(call.error)}`;
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
      await showReadOnlyText(`${call.tool}.txt`, text);
      return;
    case retry:
      await retryCall(host, call);
      return;
    case copy:
      await vscode.env.clipboard.writeText(text);
      return;
    case discard:
      await host.calls.failedCalls.discard(call.id);
      return;
    default:
  }
}

async function retryCall(host: Host, call: FailedCall): Promise<void> {
  const { t } = vscode.l10n;
  const parts = await host.calls.retryFailed(call, new AbortController().signal);
  void (parts
    ? notify('information', t('{0} ran.', call.tool))
    : notify('warning', t('This call can’t be retried: its secrets are no longer stored.')));
}
