import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import type { OutsideAccess } from '../../bridge/gateway/outside/outsideAccess.ts';
import {
  httpSnippet,
  OUTSIDE_AGENTS,
  snippetFor,
  type OutsideAgent,
} from '../../bridge/gateway/outside/clientSnippets.ts';
import { readOutsideSettings } from '../../platform/settings/hostSettings.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

interface AgentItem extends vscode.QuickPickItem {
  readonly agent: OutsideAgent['id'] | 'http';
}

/**
 * *Copy Gateway Address…*: copies the configuration for an agent outside the editor: a command, or, where the setting
 * `gateway.http` is on, an address of this window with its token. The first time turns access on.
 */
export async function copyGatewayAddress(access: OutsideAccess): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Copy Gateway Address');
  const placeHolder = access.isOn
    ? t('Select an agent. Access is on.')
    : t('Select an agent. It gets your access to the servers here.');
  const items: AgentItem[] = OUTSIDE_AGENTS.map(({ id, name, place }) => ({
    label: name ?? t('Other (JSON)'),
    description: place === 'terminal' ? t('terminal command') : place,
    agent: id,
  }));
  if (readOutsideSettings().http)
    items.push({ label: t('Other (HTTP)'), description: t('until the window closes'), agent: 'http' });
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }),
  );
  if (!picked) return;
  const gateway = await access.gateway();
  const snippet =
    picked.agent === 'http'
      ? httpSnippet(await gateway.openHttp())
      : snippetFor(picked.agent, gateway.commandFor(), process.platform);
  await vscode.env.clipboard.writeText(snippet);
  const text =
    picked.agent === 'http'
      ? t('Copied. The address has a token: it gives access until the window closes.')
      : t('Copied. The command connects to this workspace while its window is open.');
  const revoke = t('Revoke');
  const answer = await notify('information', text, revoke);
  if (answer === revoke) await revokeGatewayAddress(access);
}

/** *Revoke Gateway Address*: ends the access of agents outside the editor. */
export async function revokeGatewayAddress(access: OutsideAccess): Promise<void> {
  await access.revoke();
  await notify('information', vscode.l10n.t('Gateway access revoked.'));
}
