// Loaded with the first command on a server.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { EditorSignIn } from '../../bridge/signIn/editorSignIn.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { Account } from '../../connection/auth/signIns.ts';
import type { Host } from '../../host/host.ts';
import { canSignIn, type ServerView } from '../../host/views/serverView.ts';
import { confirm } from '../askChoice.ts';
import { accountOf, hasAccounts } from './serverAccount.ts';
import { canSetHeader } from './canBeRemoved.ts';
import type { ServerAction } from './serverActions.ts';

export type SignInActionId =
  | 'mcpSwitchboard.signIn'
  | 'mcpSwitchboard.signInAs'
  | 'mcpSwitchboard.switchAccount'
  | 'mcpSwitchboard.signOut'
  | 'mcpSwitchboard.resetRegistration'
  | 'mcpSwitchboard.setHeader';

/** The commands about a server's accounts. */
export function signInActions(host: Host): readonly ServerAction[] {
  const { t } = vscode.l10n;
  return [
    {
      id: 'mcpSwitchboard.signIn',
      label: `$(key) ${t('Sign In')}`,
      placeHolder: t('Select a server to sign in to'),
      none: t('No server needs a sign-in.'),
      appliesTo: canSignIn,
      run: (view) => signIn(host, view),
    },
    {
      id: 'mcpSwitchboard.signInAs',
      label: `$(person-add) ${t('Sign In as…')}`,
      placeHolder: t('Select a server to sign in to as somebody else'),
      none: t('No server has a sign-in.'),
      appliesTo: (view) => hasAccounts(host, view),
      run: (view) => signIn(host, view, 'new'),
    },
    {
      id: 'mcpSwitchboard.switchAccount',
      label: `$(arrow-swap) ${t('Switch Account…')}`,
      placeHolder: t('Select a server to use another account for'),
      none: t('No server is signed in to.'),
      appliesTo: (view) => hasAccounts(host, view),
      run: (view) => switchAccount(host, view),
    },
    {
      id: 'mcpSwitchboard.signOut',
      label: `$(sign-out) ${t('Sign Out')}`,
      placeHolder: t('Select a server to sign out of'),
      none: t('No server is signed in to.'),
      appliesTo: (view) => accountOf(host, view) !== undefined,
      run: (view) => signOut(host, view),
    },
    {
      id: 'mcpSwitchboard.resetRegistration',
      label: `$(discard) ${t('Reset Registration')}`,
      placeHolder: t('Select a server to forget the registration of'),
      none: t('No server has a sign-in.'),
      appliesTo: (view) => hasAccounts(host, view),
      run: (view) => resetRegistration(host, view),
    },
    {
      id: 'mcpSwitchboard.setHeader',
      label: `$(symbol-field) ${t('Set Header…')}`,
      placeHolder: t('Select a server to set a header of'),
      none: t('No server is sent headers that can be set here.'),
      appliesTo: canSetHeader,
      run: async (view) => (await import('./setHeader.ts')).setHeader(host, view),
    },
  ];
}

/** Signs in; what waits for the person says so itself. */
async function signIn(host: Host, { definition: { id, name } }: ServerView, account?: string): Promise<void> {
  const { t } = vscode.l10n;
  const title = `$(key) ${plainText(t('Signing in to {0}', name))}`;
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
    try {
      const { label } = await host.signIns.signIn(id, account === undefined ? {} : { account });
      void vscode.window.setStatusBarMessage(`$(key) ${plainText(t('{0}: signed in as {1}', name, label))}`, 5_000);
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      // What the person ended in the editor isn't news.
      if (error.code === 'call-cancelled') return;
      const { isSaidNo } = await import('../../connection/auth/requests/authErrors.ts');
      if (!isSaidNo(error)) throw error;
      void notify('information', plainText(`${name}: ${error.message}`));
    }
  });
}

type AccountItem = vscode.QuickPickItem & { readonly account?: Account };

/** Which account this workspace uses for a server; another one can be added. */
async function switchAccount(host: Host, view: ServerView): Promise<void> {
  const { t } = vscode.l10n;
  const { id, name } = view.definition;
  const accounts = await host.signIns.accountsOf(id);
  const items: AccountItem[] = [
    ...accounts.map((account) => ({
      label: `$(account) ${plainText(account.label)}`,
      ...(account.isCurrent ? { description: t('used in this workspace') } : {}),
      detail: plainText(account.issuer),
      account,
    })),
    { label: `$(person-add) ${t('Sign In as Somebody Else…')}` },
  ];
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      title: t('Account for “{0}”', plainText(name)),
      placeHolder: t('For this workspace. Other workspaces keep theirs.'),
      ignoreFocusOut: true,
    }),
  );
  if (!picked) return;
  if (!picked.account) return signIn(host, view, 'new');
  if (!picked.account.isCurrent) await host.signIns.switchAccount(id, picked.account.id);
}

async function signOut(host: Host, view: ServerView): Promise<void> {
  const { t } = vscode.l10n;
  const { id, name } = view.definition;
  const label = accountOf(host, view)?.label;
  const question =
    label === undefined
      ? t('Sign out of “{0}”?', plainText(name))
      : t('Sign {0} out of “{1}”?', plainText(label), plainText(name));
  const detail = t('What the account granted is revoked where the server can, and forgotten here, in every workspace.');
  if (!(await confirm(question, t('Sign Out'), detail))) return;
  const { revoked } = await host.signIns.signOut(id);
  if (revoked) return;
  const text = t(
    'Signed out of “{0}”. The grant could not be revoked at the server: remove it there, too.',
    plainText(name),
  );
  void notify('information', text);
}

async function resetRegistration(host: Host, { definition: { id, name } }: ServerView): Promise<void> {
  const { t } = vscode.l10n;
  const detail = t('The next sign-in registers anew. Its accounts are signed out, in every workspace.');
  if (!(await confirm(t('Forget the registration at “{0}”?', plainText(name)), t('Reset Registration'), detail)))
    return;
  await host.signIns.resetRegistration(id);
}

/** *Paste Sign-In Address…* */
export async function pasteSignInAddress(signIn: EditorSignIn): Promise<void> {
  if (!(await signIn.pasteAddress())) void notify('information', vscode.l10n.t('No sign-in waits for an address.'));
}
