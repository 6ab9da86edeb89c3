import * as vscode from 'vscode';
import type { EventWords, FormWords } from '../../pageContent.ts';

/** The texts of a form's own controls. */
export function formWords(): FormWords {
  const { t } = vscode.l10n;
  return {
    json: t('As JSON'),
    notJson: t('This is not valid JSON.'),
    notSet: t('(not set)'),
    none: t('No arguments.'),
    add: t('Add'),
    remove: t('Remove'),
    variant: t('Variant'),
  };
}

/** The texts of a list of events. */
export function eventWords(): EventWords {
  const { t } = vscode.l10n;
  return {
    search: t('Search'),
    method: t('Method'),
    id: t('Id'),
    direction: t('Direction'),
    all: t('All'),
    sent: t('Sent'),
    received: t('Received'),
    errorsOnly: t('Errors only'),
    pause: t('Pause'),
    clear: t('Clear'),
    // The page fills in the numbers.
    count: t('{0} of {1}', '{0}', '{1}'),
    empty: t('Nothing yet.'),
    details: t('Details'),
    request: t('Request'),
    response: t('Response'),
    copyJson: t('Copy as JSON'),
    copyCurl: t('Copy as curl'),
    waiting: t('waiting'),
    error: t('Error'),
  };
}
