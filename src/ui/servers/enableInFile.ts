// Loaded when a server that its file disables is first enabled.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { enableEntry } from '../../config/edit/entrySwitches.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { isOfFolder } from '../../servers/trust/serverStatus.ts';
import { confirm } from '../askChoice.ts';
import { changeEntry } from '../config/edit/changeEntry.ts';
import { offerUndo } from '../config/edit/fileUndo.ts';

/**
 * Enables a server where its definition says that it is disabled; asks first where others see the file.
 * @throws SwitchboardError as `changeEntry`
 */
export async function enableInFile(host: Host, { definition }: ServerView): Promise<void> {
  const { t } = vscode.l10n;
  const { entry } = definition;
  const { label } = entry.source;
  const question = t('“{0}” is disabled in {1}. Enable it there?', plainText(entry.name), plainText(label));
  const detail = t('Everyone who has this folder’s files gets the change.');
  if (isOfFolder(entry) && !(await confirm(question, t('Enable in File'), detail))) return;
  const undo = await changeEntry(host, definition, enableEntry);
  offerUndo(host, t('Enabled “{0}” in {1}.', entry.name, label), [undo]);
}
