import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import { CLOUD_TOKEN } from '../../platform/secrets.ts';
import type { SecretStore } from '../../servers/inputValues.ts';

/** *Set Token for Servers from the Cloud…*: kept in the secret storage; an empty one is removed. */
export async function setCloudToken(host: Host, secrets: SecretStore): Promise<void> {
  const { t } = vscode.l10n;
  const token = await vscode.window.showInputBox({
    title: t('Token for the servers from the cloud'),
    prompt: t('Sent as a bearer token to the address in mcpSwitchboard.cloud.url. Leave it empty to remove it.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (token === undefined) return;
  await secrets.set(CLOUD_TOKEN, token.trim() === '' ? undefined : token.trim());
  await host.config.reload();
}
