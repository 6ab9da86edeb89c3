import * as vscode from 'vscode';
import type { OutsideAccess } from '../bridge/gateway/outside/outsideAccess.ts';
import {
  OUTSIDE_AGENTS,
  snippetFor,
  TOKEN_PLACEHOLDER,
  type OutsideAgent,
} from '../bridge/gateway/outside/clientSnippets.ts';

interface AgentItem extends vscode.QuickPickItem {
  readonly agent: OutsideAgent;
}

/**
 * *Copy Gateway Address…*: copies the configuration for an agent outside the editor. The first time turns access on and
 * includes the token.
 */
export async function copyGatewayAddress(access: OutsideAccess): Promise<void> {
  const { t } = vscode.l10n;
  const title = access.isOn
    ? t('Select an agent. The address is unchanged, and the token isn’t shown again.')
    : t('Select an agent. Agents outside VS Code can then use the servers of this workspace, under your permissions.');
  const items: AgentItem[] = OUTSIDE_AGENTS.map((agent) => ({
    label: agent.name ?? t('Other (JSON)'),
    description: agent.place === 'terminal' ? t('terminal command') : agent.place,
    agent,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (!picked) return;
  const { gateway, freshToken } = await access.address();
  await vscode.env.clipboard.writeText(snippetFor(picked.agent.id, gateway.url, freshToken ?? TOKEN_PLACEHOLDER));
  const text = freshToken
    ? t('Copied. The token won’t be shown again.')
    : t('Copied, with {0} in place of the token. To get a new token, revoke the address.', TOKEN_PLACEHOLDER);
  const revoke = t('Revoke');
  const answer = await vscode.window.showInformationMessage(text, revoke);
  if (answer === revoke) await revokeGatewayAddress(access);
}

/** *Revoke Gateway Address*: ends the access of agents outside the editor. */
export async function revokeGatewayAddress(access: OutsideAccess): Promise<void> {
  await access.revoke();
  await vscode.window.showInformationMessage(vscode.l10n.t('Gateway access revoked.'));
}
