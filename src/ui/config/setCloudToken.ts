// Loaded with its command.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import type { Host } from '../../host/host.ts';
import { CLOUD_TOKEN } from '../../platform/editorStores.ts';
import type { SecretStore } from '../../servers/inputAnswers.ts';

/** *Set Cloud Token…*: kept in the secret storage; an empty one is removed. */
export async function setCloudToken(host: Host, secrets: SecretStore): Promise<void> {
  const { t } = vscode.l10n;
  const token = await ownInputs.ask(() =>
    vscode.window.showInputBox({
      title: t('Cloud Token'),
      prompt: t('Sent as a bearer token to the URL in mcpSwitchboard.cloud.url. Leave empty to remove it.'),
      password: true,
      ignoreFocusOut: true,
    }),
  );
  if (token === undefined) return;
  await secrets.set(CLOUD_TOKEN, token.trim() === '' ? undefined : token.trim());
  await host.config.reload();
}
