import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import type { AskingServer } from '../../serverQuestionTypes.ts';
import type { Grant, Registration } from '../grants/accountGrants.ts';
import type { Challenge } from '../requests/authorization.ts';
import type { SignInPorts } from '../signInPorts.ts';
import type { KnownAccount } from './accountName.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/** What a sign-in goes by. */
export interface FlowOptions {
  readonly sdk: Sdk;
  readonly ports: SignInPorts;
  readonly server: AskingServer;
  readonly serverUrl: URL;
  /** It is a WebSocket that the server opens. */
  readonly opensSocket: boolean;
  readonly oauth: OAuthOptions;
  readonly challenge: Challenge;
  /** Scopes to ask for, in place of what the server says. */
  readonly scope?: string;
  /** The grant of the account that signs in again. */
  readonly previous: Grant | undefined;
  /** The browser may be signed in there as a person who has an account here already: that one isn't meant. */
  readonly asSomebodyElse: boolean;
  readonly registrations: Readonly<Record<string, Registration>>;
  readonly onRegistered: (issuer: string, registration: Registration) => Promise<void>;
  /**
   * Issuers that may not know the client: their page was opened and never came back, or they refused it. Then this client is
   * registered anew. Changed by the flow.
   */
  readonly unanswered: Set<string>;
  readonly clientName: string;
  readonly fetch: FetchLike;
  /** Keeps what was granted. Called before the browser is told that it worked. */
  readonly keep: (signedIn: SignedIn) => Promise<Grant>;
  /** Rejects where the browser isn't led to. */
  readonly guard: (url: URL) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a sign-in came to. */
export interface SignedIn {
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly account: KnownAccount;
  readonly via: Grant['via'];
}
