// Loaded on first use.
import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { confirm } from '../askChoice.ts';

/**
 * Turns scripts of models on in this workspace, once the user has confirmed it, or off.
 * @returns what was done; `undefined` for nothing
 */
export async function toggleScripts(host: Host): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const scripts = await host.calls.scripts();
  if (scripts.on) {
    await scripts.setOn(false);
    return t('Scripts are off in this workspace.');
  }
  if (!vscode.workspace.isTrusted) {
    void notify('information', t('Scripts can be turned on in a trusted workspace only.'));
    return undefined;
  }
  const detail = t(
    'A model can then write a script that calls several MCP tools. The script runs by itself without network and files. Each call follows your rules and answers as always; what you have to allow you see as one list, and answer once for all of it.',
  );
  const question = t('Let models run scripts in this workspace?');
  if (!(await confirm(question, t('Turn On'), detail))) return undefined;
  await scripts.setOn(true);
  return t('Scripts are on in this workspace.');
}
