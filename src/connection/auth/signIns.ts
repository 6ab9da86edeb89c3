import type { Event } from '../../base/event.ts';

/** An account at an authorization server, for one server. Has no secret in it. */
export interface Account {
  /** Stable, and no name. */
  readonly id: string;
  /** What the authorization server calls the person, or what the person called it; comes from outside. */
  readonly label: string;
  readonly issuer: string;
  /** What it granted; empty where the authorization server doesn't say. */
  readonly scopes: readonly string[];
  /** The one that this workspace uses for the server. */
  readonly isCurrent: boolean;
}

/** What is known of a server's sign-in at this moment, without a request and without reading a secret. */
export interface SignInView {
  /** The account of its calls; absent until a connection has read it, and where there is none. */
  readonly account?: Account;
  /** There is no sign-in for it: `headers`: its definition sets `Authorization` itself; `entry`: it says `oauth: false`. */
  readonly off?: 'headers' | 'entry';
  /** A sign-in waits for the person, in this window. */
  readonly inProgress?: true;
}

export interface SignInOptions {
  /**
   * `new`: as somebody else, even where there is an account; an account's id: that one again. Without it, the account of
   * this workspace again, or the first one.
   */
  readonly account?: string;
  readonly signal?: AbortSignal;
}

/** Signing in to servers. Everything but `view` loads its code with the first use. */
export interface SignIns {
  /** `undefined`: not a remote server, or unknown. */
  view(serverId: string): SignInView | undefined;
  /** The accounts of a server that are kept, the current one first. @throws SwitchboardError `unknown-server` */
  accountsOf(serverId: string): Promise<readonly Account[]>;
  /**
   * Signs in: finds out where, asks, opens the browser, keeps what is granted, makes the account this workspace's, and
   * connects the server anew. A second call for the same server ends the first one.
   * @throws SwitchboardError `unknown-server`; `call-cancelled` where the person or `signal` ended it; `denied` where the
   * authorization server or a rule of safety refused; `unsupported` where the server or its definition has no sign-in;
   * `unreachable`, `http-status` and others where a request failed. The text is fit to be shown.
   */
  signIn(serverId: string, options?: SignInOptions): Promise<Account>;
  /**
   * Uses another account that is kept, in this workspace, and connects anew.
   * @throws SwitchboardError `unknown-server`, or `invalid-arguments` for an account that isn't kept
   */
  switchAccount(serverId: string, accountId: string): Promise<void>;
  /**
   * Revokes what the account granted (RFC 7009), where the authorization server can, and forgets it in any case. Without
   * `accountId` the account of this workspace. A failed revocation doesn't throw: it is in the log, and in the result.
   */
  signOut(serverId: string, accountId?: string): Promise<{ readonly revoked: boolean }>;
  /** Forgets how this client is registered for a server, and the accounts that were granted with that. */
  resetRegistration(serverId: string): Promise<void>;
  /** Fires with the id of a server whose view or accounts may be others, in whichever window. */
  readonly onDidChange: Event<string>;
}
