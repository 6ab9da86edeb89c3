import type { Account } from '../../connection/auth/signIns.ts';
import type { Host } from '../../host/host.ts';
import { canSignIn, type ServerView } from '../../host/views/serverView.ts';

/** The account that a server's calls use, where it is known. */
export function accountOf(host: Host, { definition: { id } }: ServerView): Account | undefined {
  return host.signIns.view(id)?.account;
}

/** Whether a server is one that a person can have an account at. */
export function hasAccounts(host: Host, view: ServerView): boolean {
  const signIn = host.signIns.view(view.definition.id);
  return signIn !== undefined && signIn.off === undefined && (canSignIn(view) || signIn.account !== undefined);
}
