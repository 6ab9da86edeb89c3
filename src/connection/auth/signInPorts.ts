import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { Logger } from '../../base/log.ts';
import type { ConnectionSpec } from '../connectionTypes.ts';
import type { TellStep } from './requests/toldRequests.ts';
import type { AskingServer } from '../serverQuestionTypes.ts';

/**
 * What signing in needs of its surroundings. Without these ports a server that requires a sign-in stays in `needs-auth`.
 * Nothing here is called at a start, and none of it opens a browser by itself: `openRedirect`, `confirmAndOpen` and the
 * questions are only called within `SignIns.signIn`, which a person's click begins.
 */
export interface SignInPorts {
  readonly secrets: SecretPort;
  readonly openRedirect: (request: RedirectRequest) => Promise<Redirect>;
  /**
   * Shows what is asked for, and opens the page in the browser where the person agrees. `true` once it is opened.
   * Only called with an `https:` page, or one on this machine.
   */
  readonly confirmAndOpen: (question: SignInQuestion, signal: AbortSignal) => Promise<boolean>;
  /**
   * The authorization server takes no registrations: asks for the client that the person registered there, and shows the
   * redirect address to register, ready to copy. `undefined`: the person closed the question.
   */
  readonly askClient: (question: ClientQuestion, signal: AbortSignal) => Promise<GivenClient | undefined>;
  /**
   * The authorization server says no name: asks how to call the account. `undefined`, or without this port: a name is made up.
   */
  readonly askAccountName?: (question: AccountNameQuestion, signal: AbortSignal) => Promise<string | undefined>;
  /** Accounts that the editor has itself (GitHub, Microsoft). */
  readonly editorAccounts?: EditorAccountsPort;
  /** The URL of the client ID metadata document, where one is published; read on each use. */
  readonly clientMetadataUrl?: () => string | undefined;
}

/** Where secrets are kept: encrypted, for this extension alone, shared by all windows (SecretStorage of the editor). */
export interface SecretPort {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Fires with the key when a secret was changed, in whichever window. */
  readonly onDidChange: Event<string>;
}

export interface RedirectRequest {
  readonly server: AskingServer;
  /**
   * `state` of the request. Whatever arrives with another one, or after the first answer, is refused on a page that says so,
   * and the wait goes on: a stale tab, another window's answer or an attacker's must not end it.
   */
  readonly state: string;
  /**
   * The address that the client is registered with. It is taken where it can be: an address on this machine is listened
   * on, with its port and path. `isRequired`: with another one the authorization server would refuse.
   */
  readonly registered?: { readonly uri: string; readonly isRequired: boolean };
}

/** A place that waits for one answer of an authorization server; disposed of as soon as the answer is dealt with. */
export interface Redirect extends Disposable {
  /** What is sent as `redirect_uri` and registered, character by character. */
  readonly redirectUri: string;
  /**
   * The first answer with the right `state`.
   * @throws SwitchboardError `call-cancelled` where `signal` aborts
   */
  answer(signal: AbortSignal): Promise<RedirectAnswer>;
}

export interface RedirectAnswer {
  /** The parameters as they came (`code`, `state`, `iss`, `error` …): never logged or shown. */
  readonly params: URLSearchParams;
  /** Says on the browser's page how it ended, once that is known. Called once for each answer. */
  finish(outcome: SignInOutcome): void;
}

/** `message` is fit to be shown: it says nothing that the answer itself said. */
export type SignInOutcome =
  { readonly ok: true; readonly account: string } | { readonly ok: false; readonly message: string };

/** Why the person is asked. */
export type SignInReason =
  | { readonly kind: 'sign-in' }
  /** The grant that there was is gone. */
  | { readonly kind: 'expired' }
  /** The server wants scopes that the account hasn't granted. */
  | { readonly kind: 'more-scopes'; readonly granted: readonly string[] }
  /** The server names another authorization server than the one that the account is at. */
  | { readonly kind: 'other-issuer'; readonly previousIssuer: string };

/** The question before the browser opens. All texts but `server.name` come from outside. */
export interface SignInQuestion {
  readonly server: AskingServer;
  readonly reason: SignInReason;
  /** The URL of the server that will get the tokens. */
  readonly resource: string;
  /** Who the person signs in at, e.g. `https://auth.example.com`. */
  readonly issuer: string;
  /** The host of the page that opens, in ASCII (`xn--…`); it can be another one than the issuer's. */
  readonly pageHost: string;
  /** What is asked for; empty: what the authorization server gives by default. */
  readonly scopes: readonly string[];
  /** The account that is signed in again, by its name. */
  readonly account?: string;
  /** The page. It has no secret in it, but it is for the browser and not for logs. */
  readonly url: string;
}

export interface ClientQuestion {
  readonly server: AskingServer;
  readonly issuer: string;
  readonly redirectUri: string;
  /** Why it is asked for, a sentence: no registration, or the registration was refused. */
  readonly why: string;
}

/** A client that the person registered at an authorization server. */
export interface GivenClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

export interface AccountNameQuestion {
  readonly server: AskingServer;
  readonly issuer: string;
}

export interface EditorAccountsPort {
  /** Whether the editor has accounts of this issuer, decided without asking anybody. */
  has(issuer: string): boolean;
  /**
   * A session for a server with these scopes. `interactive`: the editor may ask the person; otherwise only what was
   * allowed before is given, and nobody is asked. `accountId`: of that account. `undefined`: none, or refused.
   */
  session(request: EditorSessionRequest, signal: AbortSignal): Promise<EditorSession | undefined>;
  /** Fires when sessions may be others. */
  readonly onDidChange: Event<void>;
}

export interface EditorSessionRequest {
  readonly server: AskingServer;
  /** The URL of the server that will get the token. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly accountId?: string;
  readonly interactive: boolean;
}

export interface EditorSession {
  readonly accessToken: string;
  readonly account: { readonly id: string; readonly label: string };
}

/** A server that can be signed in to. */
export interface SignInTarget {
  readonly server: AskingServer;
  /** What decides who gets its tokens: another one for the same id knows nothing of them. */
  readonly binding: string;
  resolve(): Promise<ConnectionSpec>;
}

export interface SignInServicePorts {
  readonly signIn: SignInPorts;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of the workspace: which account it uses. */
  readonly store: KeyValueStore;
  readonly folder: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly fetch: typeof fetch;
  readonly clientName: string;
  /** Told of each step of a sign-in, without secrets. */
  readonly stepped?: (serverId: string, ...step: Parameters<TellStep>) => void;
  target(serverId: string): SignInTarget | undefined;
  /** Connects the server anew, with what is kept now. */
  reconnect(serverId: string): Promise<void>;
  /** `isNews`: what is kept was changed elsewhere. */
  readonly changed: (serverId: string, isNews: boolean) => void;
}
