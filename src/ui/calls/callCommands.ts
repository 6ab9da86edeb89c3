// Loaded with the first command on a call.
import * as vscode from 'vscode';
import { confirmWhole } from '../../bridge/dialogs/confirmWhole.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { oneLine, showInvisible } from '../../base/text/showInvisible.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { planText } from '../../calls/plan/planText.ts';
import type { CallOutcome } from '../../calls/callTypes.ts';
import type { CallTrace } from '../../calls/callTrace.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { HistoryEntry } from '../../calls/history/callHistory.ts';
import type { Host } from '../../host/host.ts';
import type { ActivityNode } from '../activity/activityNodes.ts';
import { confirm } from '../askChoice.ts';
import { unlessCancelled } from '../withCancel.ts';
import { showEntry, showFailed, showLive } from './callDetails.ts';
import { ownName, phaseLabel, timeText, whyOf } from './callWords.ts';
import { entryItem } from './showCallHistory.ts';

/** A call, as far as commands on calls go. */
type Call =
  | { readonly kind: 'live'; readonly trace: CallTrace }
  | { readonly kind: 'entry'; readonly entry: HistoryEntry }
  | { readonly kind: 'failed'; readonly failed: FailedCall };

type Kind = Call['kind'];

/** *Show Call*: its record, in a read-only tab. @param node a row of the view; anything else: the user picks the call */
export async function showCall(host: Host, node: unknown): Promise<void> {
  const call = await callOf(host, node, ['live', 'entry', 'failed']);
  switch (call?.kind) {
    case 'live':
      return showLive(host, call.trace);
    case 'entry':
      return showEntry(call.entry);
    case 'failed':
      return showFailed(call.failed);
    default:
  }
}

/** *Cancel Call*: its server is told, and the model that the user cancelled it. */
export async function cancelCall(host: Host, node: unknown): Promise<void> {
  const call = await callOf(host, node, ['live']);
  if (call?.kind === 'live') host.calls.inProgress.cancel(call.trace);
}

/** *Why This Decision?*: why a call ran, asked or was denied. */
export async function explainCall(host: Host, node: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const call = await callOf(host, node, ['entry']);
  if (call?.kind !== 'entry') return;
  const [details, permissions] = [t('Show Details'), t('Manage Permissions…')];
  const text = `${showInvisible(ownName(call.entry.tool))}: ${showInvisible(whyOf(call.entry))}`;
  const answer = await notify('information', text, details, permissions);
  if (answer === details) await showEntry(call.entry);
  if (answer === permissions) await vscode.commands.executeCommand('mcpSwitchboard.managePermissions');
}

/** *Run Again…*: once the user has seen the call whole; the result is shown in a read-only tab. */
export async function runAgain(host: Host, node: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const call = await callOf(host, node, ['failed', 'entry']);
  if (!call || call.kind === 'live') return;
  const { calls } = host;
  const { tool, serverName } = call.kind === 'failed' ? call.failed : call.entry;
  const args =
    call.kind === 'failed' ? calls.failedCalls.argsOf(call.failed) : calls.history.repeatable(call.entry.id)?.args;
  if (!args) {
    void notify('warning', t('This call can’t be run again: its arguments are no longer stored.'));
    return;
  }
  if (!(await confirmCall(tool, serverName, args))) return;
  const outcome = await unlessCancelled(t('Running {0}', ownName(tool)), (signal) =>
    call.kind === 'failed' ? calls.retryFailed(call.failed, signal) : calls.runAgain(call.entry.id, signal),
  );
  if (outcome) await showResult(tool, outcome);
}

/** *Discard Failed Call*. */
export async function discardFailedCall(host: Host, node: unknown): Promise<void> {
  const call = await callOf(host, node, ['failed']);
  if (call?.kind === 'failed') await host.calls.failedCalls.discard(call.failed.id);
}

/** *Discard All Failed Calls…*. */
export async function discardFailedCalls({ calls: { failedCalls } }: Host): Promise<void> {
  const { t } = vscode.l10n;
  const count = failedCalls.all.length;
  if (count === 0) void notify('information', t('No failed calls.'));
  else if (await confirm(t('Discard {0} failed calls?', count), t('Discard All'))) await failedCalls.clear();
}

async function confirmCall(tool: string, serverName: string, args: JsonObject): Promise<boolean> {
  const { t } = vscode.l10n;
  const question = t('Run “{0}” on {1} again?', oneLine(ownName(tool)), oneLine(serverName));
  const text = planText([{ tool, serverName, args }]);
  return confirmWhole(question, t('Run Again'), text, t('Call'));
}

async function showResult(tool: string, { parts }: CallOutcome): Promise<void> {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : `(${part.kind})`));
  await showReadOnlyText(`${ownName(tool)}.txt`, texts.map((text) => showInvisible(text)).join('\n\n'));
}

/** The call of a row, or one that the user picks among those of these kinds. */
async function callOf(host: Host, node: unknown, kinds: readonly Kind[]): Promise<Call | undefined> {
  const given = node as ActivityNode | undefined;
  if (given && (given.kind === 'live' || given.kind === 'entry' || given.kind === 'failed')) return given;
  const { t } = vscode.l10n;
  const items = kinds.flatMap((kind) => itemsOf(host, kind));
  if (items.length === 0) {
    const isLive = kinds.length === 1 && kinds[0] === 'live';
    void notify('information', isLive ? t('No calls are running.') : t('No calls yet.'));
    return undefined;
  }
  const options = { title: t('MCP Tool Calls'), placeHolder: t('Select a call'), matchOnDetail: true };
  return (await ownInputs.ask(() => vscode.window.showQuickPick(items, options)))?.call;
}

function itemsOf({ calls }: Host, kind: Kind): (vscode.QuickPickItem & { readonly call: Call })[] {
  switch (kind) {
    case 'live':
      return calls.inProgress.all.map((trace) => ({
        label: `$(sync) ${plainText(ownName(trace.name))}`,
        description: plainText(`${trace.serverName} · ${phaseLabel(trace.phase)} · ${timeText(trace.at)}`),
        call: { kind, trace },
      }));
    case 'entry':
      return calls.history.entries.toReversed().map((entry) => ({ ...entryItem(entry), call: { kind, entry } }));
    case 'failed':
      return calls.failedCalls.all.toReversed().map((failed) => ({
        label: `$(error) ${plainText(ownName(failed.tool))}`,
        description: plainText(`${failed.serverName} · ${timeText(failed.at)}`),
        detail: plainText(failed.error),
        call: { kind, failed },
      }));
  }
}
