import * as vscode from 'vscode';
import type { OfferedSkill } from '../../bridge/resources/skills.ts';

/** What is to be known of a skill before a model gets it. */
export function skillStateText(state: OfferedSkill['state']): string {
  const { t } = vscode.l10n;
  switch (state) {
    case 'approved':
      return t('approved');
    case 'changed':
      return t('changed since you approved it');
    case 'new':
      return t('new: asks the first time');
    case 'dynamic':
      return t('not loaded: made as it is read, so nothing can be compared');
  }
}
