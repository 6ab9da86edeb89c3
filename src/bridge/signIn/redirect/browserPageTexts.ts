import * as vscode from 'vscode';
import { showInvisible } from '../../../base/text/showInvisible.ts';
import type { PageTexts } from './loopbackListener.ts';

/** What the page in the browser says when it comes back. */
export const pageTexts: PageTexts = (of) => {
  const { t } = vscode.l10n;
  if (typeof of !== 'string') {
    return of.ok
      ? {
          title: t('Signed in'),
          text: t('Signed in as {0}. You can close this page and go back to the editor.', showInvisible(of.account)),
        }
      : { title: t('Not signed in'), text: t('{0} The editor says more.', showInvisible(of.message)) };
  }
  switch (of) {
    case 'other':
      return {
        title: t('Not the sign-in that the editor waits for'),
        text: t(
          'This page belongs to another sign-in or another window. Nothing was done. Sign in again in the editor.',
        ),
      };
    case 'late':
      return {
        title: t('This sign-in is over'),
        text: t('It was finished or cancelled before. To sign in, start again in the editor.'),
      };
    case 'cancelled':
      return { title: t('Not signed in'), text: t('The sign-in was cancelled in the editor.') };
  }
};
