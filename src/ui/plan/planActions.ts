// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { confirmWhole } from '../../bridge/dialogs/confirmWhole.ts';
import { messageOf } from '../../base/errors.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import { planText } from '../../calls/plan/planText.ts';
import type { Host } from '../../host/host.ts';
import { confirm } from '../askChoice.ts';
import { planUri } from './plannedArguments.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { unlessCancelled, withCancel } from '../withCancel.ts';
import { localized } from '../../bridge/text/localized.ts';

/** Runs one planned call, once the user has confirmed it. @param id empty: the user picks the call */
export async function runPlanned(host: Host, id: string): Promise<void> {
  const { t } = vscode.l10n;
  const planned = await plannedOf(host, id);
  if (!planned) return;
  const question = t('Run “{0}” on {1}?', plainText(planned.tool), plainText(planned.serverName));
  if (!(await confirmCalls(question, t('Run'), [planned]))) return;
  await unlessCancelled(t('Running {0}', planned.tool), (signal) => host.calls.runPlanned(planned, signal));
}

/** Runs all planned calls that the user is shown, in order, until one fails or the user cancels. Calls that are added meanwhile wait. */
export async function runPlan(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const { queue } = host.calls.plan;
  if (queue.length === 0) {
    void notify('information', t('No planned calls.'));
    return;
  }
  if (!(await confirmCalls(t('Run {0} planned calls in this order?', queue.length), t('Run All'), queue))) return;
  const { ran, failed, error, isCancelled } = await withCancel(t('Running the plan'), async (signal, report) => {
    const run = await host.calls.runPlan(queue, signal, (index) => report(progressText(queue, index)));
    return { ...run, isCancelled: signal.aborted && run.ran < queue.length };
  });
  const reason = error === undefined ? '' : localized(messageOf(error));
  if (isCancelled) {
    const text = t('Cancelled. {0} of {1} calls ran, the others are still planned.', ran, queue.length);
    void notify('warning', `${text} ${reason}`.trimEnd());
  } else if (failed) {
    void notify('error', t('{0} of {1} calls ran. {2} failed: {3}', ran, queue.length, failed.tool, reason));
  } else {
    void notify('information', ran === 1 ? t('1 planned call ran.') : t('{0} planned calls ran.', ran));
  }
}

function progressText(queue: readonly PlannedCall[], index: number): string {
  return `${vscode.l10n.t('{0} of {1}', index + 1, queue.length)} · ${queue[index]?.tool ?? ''}`;
}

/** Opens the arguments of a planned call as a JSON document; without an id, the user picks the call. */
export async function editPlanned(host: Host, id: string): Promise<void> {
  const planned = await plannedOf(host, id);
  if (planned) await vscode.window.showTextDocument(planUri(planned), { preview: false });
}

/** Takes one planned call off the list. @param id empty: the user picks the call */
export async function discardPlanned(host: Host, id: string): Promise<void> {
  const planned = await plannedOf(host, id);
  if (planned) await host.calls.plan.discard(planned.id);
}

async function plannedOf(host: Host, id: string): Promise<PlannedCall | undefined> {
  return id === '' ? pickPlanned(host) : host.calls.plan.queue.find((call) => call.id === id);
}

async function pickPlanned({ calls, mask }: Host): Promise<PlannedCall | undefined> {
  const { t } = vscode.l10n;
  const { queue } = calls.plan;
  if (queue.length === 0) {
    void notify('information', t('No planned calls.'));
    return undefined;
  }
  const items = queue.map((planned) => ({
    label: plainText(planned.tool),
    detail: summary(planned, mask),
    planned,
  }));
  return (await ownInputs.ask(() => vscode.window.showQuickPick(items, { title: t('Select a Planned Call') })))
    ?.planned;
}

/** Takes all planned calls off the list, once the user has confirmed it. */
export async function discardPlan(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const { queue } = host.calls.plan;
  if (queue.length === 0) void notify('information', t('No planned calls.'));
  else if (await confirm(t('Discard {0} planned calls?', queue.length), t('Discard All')))
    await host.calls.plan.clear();
}

function summary({ tool, args }: PlannedCall, mask: Mask): string {
  return plainText(`${tool} ${argumentText(maskedWithin(args, mask)).replaceAll(/\s+/g, ' ').slice(0, 300)}`);
}

/** Asks with the calls whole. */
async function confirmCalls(question: string, yes: string, calls: readonly PlannedCall[]): Promise<boolean> {
  return confirmWhole(question, yes, planText(calls), vscode.l10n.t('Planned Calls'));
}
