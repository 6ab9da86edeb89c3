// Loaded with the first list of calls.
import * as vscode from 'vscode';
import type { Answer, CallPhase, Surface } from '../../calls/callTypes.ts';
import type { HistoryEntry } from '../../calls/history/callHistory.ts';
import { localized } from '../../bridge/text/localized.ts';
import { resultLabel } from './resultLabel.ts';

/** A tool's part of a callable name: `add_note` of `mcp__notes__add_note`. */
export function ownName(callable: string): string {
  return /^(?:mcp__)?.+?__(.+)$/s.exec(callable)?.[1] ?? callable;
}

/** A duration in the unit that it is read in. */
export function durationText(ms: number): string {
  const { t } = vscode.l10n;
  if (ms < 1_000) return t('{0} ms', Math.round(ms));
  return ms < 60_000 ? t('{0} s', (ms / 1_000).toFixed(1)) : t('{0} min', (ms / 60_000).toFixed(1));
}

/** The time of day, to the second. */
export function timeText(at: number): string {
  return new Date(at).toLocaleTimeString();
}

/** The time of day, to the minute: a row has little room. */
export function shortTime(at: number): string {
  return new Date(at).toLocaleTimeString([], { timeStyle: 'short' });
}

/** Why a call ran, needed an answer or didn't run, in a sentence or two. */
export function whyOf({
  decision,
  answer,
  result,
  surface,
}: Pick<HistoryEntry, 'decision' | 'answer' | 'result' | 'surface'>): string {
  const { t } = vscode.l10n;
  if (!decision) return t('No decision: {0}.', resultLabel(result));
  if (result === 'queued') return t('Planned: {0}.', localized(decision.reason));
  switch (decision.action) {
    case 'allow':
      return isManual(surface) ? t('You ran it manually.') : t('Allowed: {0}.', localized(decision.reason));
    case 'deny':
      return t('Denied: {0}.', localized(decision.reason));
    case 'ask':
      return answer === undefined
        ? t('Asked: {0}. No answer.', localized(decision.reason))
        : t('Asked: {0}. You chose {1}.', localized(decision.reason), answerLabel(answer));
  }
}

/** The label of the button that was clicked. */
export function answerLabel(answer: Answer): string {
  const { t } = vscode.l10n;
  switch (answer) {
    case 'once':
      return t('Allow Once');
    case 'session':
      return t('Allow in This Session');
    case 'always':
      return t('Always Allow');
    case 'alwaysArgs':
      return t('Always Allow with These Arguments');
    case 'deny':
      return t('Deny');
  }
}

function isManual(surface: Surface): boolean {
  return surface === 'plan-queue' || surface === 'dead-letters' || surface === 'run-again';
}

/** Who or what called. */
export function callerLabel(surface: Surface, caller: string | undefined): string {
  return caller === undefined ? surfaceLabel(surface) : `${surfaceLabel(surface)} · ${caller}`;
}

function surfaceLabel(surface: Surface): string {
  const { t } = vscode.l10n;
  switch (surface) {
    case 'lm-tool':
    case 'gateway':
      return t('Agent');
    case 'outside':
      return t('Agent outside the editor');
    case 'participant':
      return '@mcp';
    case 'app':
      return t('App');
    case 'editor':
      return t('Editor');
    case 'api':
      return t('Extension');
    case 'plan-queue':
      return t('Plan');
    case 'dead-letters':
      return t('Failed calls');
    case 'run-again':
      return t('Run again by you');
    case 'test':
      return t('Test');
  }
}

/** Where a call is. */
export function phaseLabel(phase: CallPhase): string {
  const { t } = vscode.l10n;
  switch (phase) {
    case 'checking':
      return t('checking permission');
    case 'asking':
      return t('waiting for your answer');
    case 'queued':
      return t('waiting for its turn');
    case 'running':
      return t('running');
  }
}

/** The codicon of what became of a call; each differs in shape. */
export function resultIcon({ result, decision }: Pick<HistoryEntry, 'result' | 'decision'>): string {
  if (result === 'ok') return decision?.action === 'ask' ? 'person' : 'check';
  if (result === 'queued') return 'checklist';
  return result === 'denied' ? 'circle-slash' : result === 'call-cancelled' ? 'stop-circle' : 'error';
}
