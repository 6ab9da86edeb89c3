// Loaded with the first server.
import * as vscode from 'vscode';
import type { WaitingForUser } from '../../../host/views/waitingForUser.ts';

/** What waits for the user, in words: one sentence of each kind that there is. */
export function waitingTexts({
  hosting,
  approvals,
  signIns,
  changes,
}: WaitingForUser): Readonly<Record<keyof WaitingForUser, string | undefined>> {
  const { t } = vscode.l10n;
  return {
    hosting: counted(hosting, t('Choose what runs 1 server'), t('Choose what runs {0} servers', hosting)),
    approvals: counted(approvals, t('1 server needs approval'), t('{0} servers need approval', approvals)),
    signIns: counted(signIns, t('1 server needs a sign-in'), t('{0} servers need a sign-in', signIns)),
    changes: counted(changes, t('1 change needs review'), t('{0} changes need review', changes)),
  };
}

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : count === 1 ? one : many;
}
