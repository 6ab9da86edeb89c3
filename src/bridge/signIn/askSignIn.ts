import * as vscode from 'vscode';
import type { SignInQuestion, SignInReason } from '../../connection/auth/signInPorts.ts';
import { inLines, LINE_LENGTH } from '../dialogs/dialogLines.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { warningSentence } from '../serverQuestions/askToOpen.ts';
import { askServerPick, type ServerAnswer } from '../serverQuestions/serverPick.ts';
import { shownAddress, type ShownAddress } from '../serverQuestions/shownAddress.ts';
import { isLoopbackAddress } from './redirect/redirectAddress.ts';
import type { WaitingSignIns } from './waitingSignIns.ts';

type Answer = 'open' | 'copy' | 'cancel';

/**
 * Shows who asks for what, and where the person signs in, and opens the page after a yes.
 * @returns `false`: nothing was opened
 */
export async function confirmAndOpen(
  question: SignInQuestion,
  turns: InputTurns,
  waiting: WaitingSignIns,
  signal: AbortSignal,
): Promise<boolean> {
  const page = shownAddress(question.url);
  // What isn't a page of the web isn't opened.
  if (!page) return false;
  const warnings = warningsOf(question, page);
  const answer = await turns.run(signal, (turn) =>
    askServerPick<Answer>(
      { params: {}, signal },
      turn,
      titleOf(question),
      answersTo(question, page, warnings.length > 0),
      detailsOf(question, page, warnings),
    ),
  );
  if (answer === 'copy') {
    await vscode.env.clipboard.writeText(page.href);
    const pasted = waiting.of(question.server.id);
    if (pasted) pasted.needsPaste = true;
    return true;
  }
  // As a text: the editor would decode and encode a `Uri` on the way and so change what it asks for. It takes both.
  return answer === 'open' && vscode.env.openExternal(page.href as unknown as vscode.Uri);
}

function titleOf({ server, reason }: SignInQuestion): string {
  const { t } = vscode.l10n;
  const name = plainText(server.name);
  switch (reason.kind) {
    case 'sign-in':
      return t('Sign in to “{0}”?', name);
    case 'expired':
      return t('Sign in to “{0}” again?', name);
    case 'more-scopes':
      return t('“{0}” asks for more access', name);
    case 'other-issuer':
      return t('“{0}” wants you to sign in somewhere else', name);
  }
}

/** Enter does no harm where something is odd, or the person didn't begin it. */
function answersTo({ reason }: SignInQuestion, page: ShownAddress, isOdd: boolean): readonly ServerAnswer<Answer>[] {
  const { t } = vscode.l10n;
  const open: readonly ServerAnswer<Answer>[] = [
    { label: `$(link-external) ${t('Open {0} in the Browser', plainText(page.host))}`, value: 'open' },
    {
      label: `$(copy) ${t('Copy the Link and Paste the Address')}`,
      description: t('for a browser that can’t come back to this window'),
      value: 'copy',
    },
  ];
  const cancel: ServerAnswer<Answer> = { label: t('Cancel'), description: t('don’t sign in'), value: 'cancel' };
  return isOdd || reason.kind === 'more-scopes' || reason.kind === 'other-issuer'
    ? [cancel, ...open]
    : [...open, cancel];
}

type Details = readonly (readonly [heading: string, lines: readonly string[]])[];

function detailsOf(
  { resource, issuer, scopes, account, reason }: SignInQuestion,
  page: ShownAddress,
  warnings: readonly string[],
): Details {
  const { t } = vscode.l10n;
  const lines = (text: string): readonly string[] => inLines(plainText(text), LINE_LENGTH);
  const asked =
    scopes.length > 0 ? scopes.flatMap((scope) => lines(scopeText(scope))) : [t('what it gives by default')];
  return [
    [t('Warnings'), warnings.flatMap(warningLines)],
    [t('Server that gets access'), lines(resource)],
    [t('You sign in at'), lines(issuer)],
    [t('Page that opens'), lines(page.host)],
    [t('Account'), account === undefined ? [] : lines(account)],
    [t('Granted so far'), reason.kind === 'more-scopes' ? reason.granted.flatMap(lines) : []],
    [t('It asks for'), asked],
  ];
}

function warningLines(sentence: string): readonly string[] {
  return inLines(plainText(sentence), LINE_LENGTH).map((line, index) => (index === 0 ? `$(warning) ${line}` : line));
}

/** What a person should know before the page opens. */
function warningsOf({ issuer, reason, resource }: SignInQuestion, page: ShownAddress): readonly string[] {
  const { t } = vscode.l10n;
  // Who develops a server and its sign-in on this computer knows its ports.
  const isHere = isLoopbackAddress(resource) && isLoopbackAddress(page.href);
  const odd = page.warnings.filter((warning) => !(isHere && (warning === 'no-name' || warning === 'port')));
  return [
    ...reasonWarnings(reason),
    ...odd.map((warning) => warningSentence(warning, page.reads)),
    ...(siteOf(issuer) === page.host ? [] : [t('The page is on another site than {0}.', issuer)]),
  ];
}

function reasonWarnings(reason: SignInReason): readonly string[] {
  return reason.kind === 'other-issuer' ? [vscode.l10n.t('So far you signed in at {0}.', reason.previousIssuer)] : [];
}

/** The one scope that each authorization server means the same by, in words. */
function scopeText(scope: string): string {
  return scope === 'offline_access' ? vscode.l10n.t('{0} (to stay signed in)', scope) : scope;
}

function siteOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}
