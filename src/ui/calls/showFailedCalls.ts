// A bundle of its own, loaded on first use.
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { argumentText, showInvisible } from '../../calls/arguments/argumentText.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { Host } from '../../host/host.ts';
import { showReadOnlyText } from '../readOnlyText.ts';

/** *Show Failed Calls…*: the calls that failed for good: view, retry, copy, discard. */
export async function showFailedCalls(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const { failedCalls } = host.calls;
  if (failedCalls.all.length === 0) {
    void vscode.window.showInformationMessage(t('No call has failed for good.'));
    return;
  }
  const items: (vscode.QuickPickItem & { readonly letter?: FailedCall })[] = [
    ...failedCalls.all.toReversed().map((letter) => ({
      label: showInvisible(letter.tool),
      description: `${new Date(letter.at).toLocaleString()} · ${letter.attempts === 1 ? t('1 attempt') : t('{0} attempts', letter.attempts)}`,
      detail: showInvisible(letter.error),
      letter,
    })),
    { label: `$(clear-all) ${t('Discard All')}` },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Failed calls'), matchOnDetail: true });
  if (!picked) return;
  if (picked.letter) await act(host, picked.letter);
  else await failedCalls.clear();
}

async function act(host: Host, letter: FailedCall): Promise<void> {
  const { t } = vscode.l10n;
  const [retry, view, copy, discard] = [t('Retry'), t('View'), t('Copy'), t('Discard')];
  const text = `${letter.tool}\n${argumentText(letter.args)}\n${showInvisible(letter.error)}`;
  const action = await vscode.window.showQuickPick(
    [
      { label: view },
      { label: retry, detail: argumentText(letter.args).replaceAll('\n', ' ').slice(0, 300) },
      { label: copy },
      { label: discard },
    ],
    { title: showInvisible(letter.tool) },
  );
  switch (action?.label) {
    case view:
      await showReadOnlyText(`${letter.tool}.txt`, text);
      return;
    case retry:
      await retryLetter(host, letter);
      return;
    case copy:
      await vscode.env.clipboard.writeText(text);
      return;
    case discard:
      await host.calls.failedCalls.discard(letter.id);
      return;
    default:
  }
}

async function retryLetter(host: Host, letter: FailedCall): Promise<void> {
  const { t } = vscode.l10n;
  try {
    const parts = await host.calls.retryFailed(letter, new AbortController().signal);
    void (parts
      ? vscode.window.showInformationMessage(t('{0} ran.', letter.tool))
      : vscode.window.showWarningMessage(t('Its secrets are no longer known, so it can’t be repeated from here.')));
  } catch (error) {
    void vscode.window.showErrorMessage(messageOf(error));
  }
}
