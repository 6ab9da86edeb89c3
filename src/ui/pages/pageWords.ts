import * as vscode from 'vscode';
import type { PageWords } from './pageContent.ts';

/** The texts of what every page has. */
export function pageWords(): PageWords {
  const { t } = vscode.l10n;
  return {
    asTables: t('Show as Tables'),
    // The page fills in the number and the title.
    showMore: t('Show More ({0} left)', '{0}'),
    actions: t('Actions'),
    drawing: t('Chart: {0}. Press T for the table.', '{0}'),
  };
}
