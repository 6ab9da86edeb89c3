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
 * *Copy Gateway Address…*: puts what an agent outside the editor needs on the clipboard. The first time turns the access
 * on; only then is the token in it.
 */
export async function copyGatewayAddress(access: OutsideAccess): Promise<void> {
  const { t } = vscode.l10n;
  const title = access.isOn
    ? t('For which agent? The address is the one that it had; the token isn’t shown again.')
    : t(
        'For which agent? This lets agents outside the editor use the servers of this workspace, under your permissions.',
      );
  const items: AgentItem[] = OUTSIDE_AGENTS.map((agent) => ({
    label: agent.name ?? t('Another one (JSON)'),
    description: agent.place === 'terminal' ? t('a command for the terminal') : agent.place,
    agent,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (!picked) return;
  const { gateway, freshToken } = await access.address();
  await vscode.env.clipboard.writeText(snippetFor(picked.agent.id, gateway.url, freshToken ?? TOKEN_PLACEHOLDER));
  const text = freshToken
    ? t('Copied, with a token that is not shown again. “Revoke Gateway Address” ends the access.')
    : t('Copied, with {0} in place of the token. Revoke the address to get a new one.', TOKEN_PLACEHOLDER);
  const revoke = t('Revoke');
  const answer = await vscode.window.showInformationMessage(text, revoke);
  if (answer === revoke) await revokeGatewayAddress(access);
}

/** *Revoke Gateway Address*: agents outside the editor get in no more. */
export async function revokeGatewayAddress(access: OutsideAccess): Promise<void> {
  await access.revoke();
  await vscode.window.showInformationMessage(
    vscode.l10n.t('The address is revoked: nothing is served outside the editor.'),
  );
}
