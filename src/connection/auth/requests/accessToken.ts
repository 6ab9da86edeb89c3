import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import { errorText } from '../../remote/answers/limitedBody.ts';
import { isFinalRefusal } from './authErrors.ts';
import type { AuthorizationHooks, Challenge, RequestAuthorization } from './authorization.ts';
import type { DpopSession } from '@modelcontextprotocol/client';
import { type DpopKey, dpopSession, isBound } from './dpopKey.ts';
import type { MachineTokens } from '../grants/machineGrant.ts';
import type { GrantStore } from '../grants/grantStore.ts';
import {
  type Grant,
  type GrantTokens,
  isLive,
  type Kept,
  withGrant,
  withoutRegistration,
} from '../grants/accountGrants.ts';
import { renewGrant } from '../grants/renewGrant.ts';
import { StepUps } from './stepUps.ts';
import { canBeSentTo, withBearer } from './bearer.ts';
import { challengeIn, isOfToken } from './challenges.ts';
import type { EditorAccountsPort } from '../signInPorts.ts';
import type { AskingServer } from '../../serverQuestionTypes.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/** A token is renewed when less than this is left of it, or a fifth of its time where that is shorter. */
const RENEW_BEFORE_MS = 60_000;

export interface AccessTokenOptions {
  readonly server: AskingServer;
  /** What decides who gets the tokens. */
  readonly binding: string;
  readonly serverUrl: URL;
  readonly oauth: OAuthOptions;
  readonly store: GrantStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly fetch: typeof fetch;
  readonly sdk: Sdk;
  readonly editorAccounts: EditorAccountsPort | undefined;
  /** The grant that this workspace uses. */
  readonly choose: (kept: Kept) => Promise<Grant | undefined>;
  /** Asks the person for these scopes beside the granted ones; `false`: not granted. */
  readonly stepUp: (scope: string, challenge: Challenge) => Promise<boolean>;
  /** Gets tokens that need no person. */
  readonly machine: ((challenge: Challenge) => Promise<MachineTokens>) | undefined;
  /** The account that is in use is another one, or has no grant any more. */
  readonly onGrant: (grant: Grant | undefined) => void;
}

/** Keeps the access token of one server at hand in this window, and renews it: one at a time, in all windows. */
export class AccessToken implements RequestAuthorization {
  readonly #options: AccessTokenOptions;
  /** What the server said last when it refused. */
  challenge: Challenge = {};
  #grant: Grant | undefined;
  #machineTokens: MachineTokens | undefined;
  /** Nonces of servers are remembered in it. */
  #dpop: { readonly key: DpopKey; readonly session: DpopSession } | undefined;
  #loading: Promise<Grant | undefined> | undefined;
  /** A refresh token that the authorization server didn't take, in this connection: it isn't asked again. */
  #refused: string | undefined;
  #renewing: { readonly rejected: string; readonly done: Promise<boolean> } | undefined;
  /** Answers to requests without a token, in connections that had none so far. */
  readonly #anonymous = new WeakSet<Response>();
  readonly #stepUps: StepUps;

  constructor(options: AccessTokenOptions) {
    this.#options = options;
    this.#stepUps = new StepUps(options.sdk, (scope) => options.stepUp(scope, this.challenge));
  }

  get grant(): Grant | undefined {
    return this.#grant;
  }

  get isOver(): boolean {
    return this.#grant !== undefined && !isLive(this.#grant);
  }

  isAnonymous(response: Response): boolean {
    return this.#anonymous.has(response);
  }

  get server(): AskingServer {
    return this.#options.server;
  }

  /** Another window may have renewed or revoked it. */
  arrived(grant: Grant | undefined): void {
    this.#loading = Promise.resolve(this.#use(grant));
  }

  /** What is kept may be other than what this window knows. */
  forget(): void {
    this.#loading = undefined;
    this.#machineTokens = undefined;
    this.#stepUps.forget();
  }

  around(inner: typeof fetch, hooks: AuthorizationHooks): typeof fetch {
    const { serverUrl, sdk } = this.#options;
    this.#refused = undefined;
    let told: string | undefined;
    let refusal: { readonly error: unknown } | undefined;
    /** Who refuses a client or what vouches for it isn't asked again within a connection: that may lock the client out. */
    const renew = async (token: string): Promise<boolean> => {
      if (refusal) throw refusal.error;
      return this.#renew(token).catch((error: unknown) => {
        if (this.#options.machine && isFinalRefusal(sdk, error)) refusal = { error };
        throw error;
      });
    };
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (!canBeSentTo(url, serverUrl)) return inner(input, init);
      const send = async (token: string | undefined): Promise<Response> => {
        if (token === undefined) return inner(input, init);
        if (token !== told) hooks.addSecret('token', token);
        told = token;
        const dpop = await this.#dpopOf(token);
        return dpop ? sdk.withDpop(dpop, () => token)(inner)(url, init) : inner(input, withBearer(init, token));
      };
      const token = await this.#token();
      const response = await send(token);
      if (isOfToken(response)) {
        this.challenge = challengeIn(response);
        if (told === undefined) this.#anonymous.add(response);
        if (!(await renew(token ?? ''))) return response;
      } else if (response.status === 403) {
        const { error, ...challenge } = challengeIn(response);
        if (error !== 'insufficient_scope' || token === undefined) return response;
        this.challenge = challenge;
        if (!(await this.#stepUps.ask(this.#grant?.scopes, challenge.scope, hooks))) return response;
      } else return response;
      await errorText(response);
      // A new one isn't renewed at once, whatever it says of its time.
      return send(await this.#kept());
    };
  }

  /**
   * The access token, renewed where it ends soon.
   * @throws ConnectError where one that is over can't be renewed now
   */
  async #token(): Promise<string | undefined> {
    const via = this.#machineTokens ? undefined : (await this.#load())?.via;
    const tokens = via?.kind === 'oauth' ? via.tokens : undefined;
    if (tokens?.refresh_token === undefined || !this.#isEnding(tokens, RENEW_BEFORE_MS)) return this.#kept();
    const isOver = this.#isEnding(tokens, 0);
    try {
      await this.#renew(tokens.access_token);
    } catch (error) {
      // It is still good for a while.
      if (isOver) throw error;
    }
    return this.#kept();
  }

  /** The access token as it is. */
  async #kept(): Promise<string | undefined> {
    if (this.#machineTokens) return this.#machineTokens.tokens.access_token;
    const grant = await this.#load();
    if (grant?.via.kind === 'editor') return this.#editorToken(grant.via.accountId, grant);
    return grant?.via.tokens?.access_token;
  }

  /** What proves that a token that is bound to a key is used by whom it was given to. */
  async #dpopOf(token: string): Promise<DpopSession | undefined> {
    if (this.#machineTokens?.tokens.access_token === token) return this.#machineTokens.dpop;
    const via = this.#grant?.via;
    if (via?.kind !== 'oauth' || !via.dpopKey || !via.tokens || !isBound(via.tokens)) return undefined;
    if (this.#dpop?.key.d !== via.dpopKey.d)
      this.#dpop = { key: via.dpopKey, session: await dpopSession(this.#options.sdk, via.dpopKey) };
    return this.#dpop?.session;
  }

  #isEnding({ expiresAt, expires_in: seconds }: GrantTokens, beforeMs: number): boolean {
    if (expiresAt === undefined) return false;
    const marginMs = Math.min(beforeMs, ((seconds ?? 0) * 1000) / 5);
    return expiresAt - this.#options.clock.now() <= marginMs;
  }

  async #editorToken(accountId: string, { issuer, scopes }: Grant): Promise<string | undefined> {
    const { editorAccounts, server, serverUrl } = this.#options;
    const request = { server, resource: serverUrl.href, issuer, scopes, accountId, interactive: false };
    return (await editorAccounts?.session(request, new AbortController().signal))?.accessToken;
  }

  #load(): Promise<Grant | undefined> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #read(): Promise<Grant | undefined> {
    const { store, binding } = this.#options;
    return this.#use(await this.#options.choose(await store.read(binding)));
  }

  #use(grant: Grant | undefined): Grant | undefined {
    const usable = grant?.serverUrl === this.#options.serverUrl.href ? grant : undefined;
    const isNews =
      usable?.id !== this.#grant?.id || (usable && isLive(usable)) !== (this.#grant && isLive(this.#grant));
    this.#grant = usable;
    if (isNews) this.#options.onGrant(usable);
    return usable;
  }

  /**
   * Gets another access token than `rejected`; `false` where only a person can. All who want one wait for the same.
   * @throws ConnectError where the authorization server can't be reached: the grant stays
   */
  #renew(rejected: string): Promise<boolean> {
    if (this.#renewing?.rejected === rejected) return this.#renewing.done;
    const done = this.#newToken(rejected).finally(() => (this.#renewing = undefined));
    this.#renewing = { rejected, done };
    return done;
  }

  async #newToken(rejected: string): Promise<boolean> {
    const { machine, store, binding, choose } = this.#options;
    if (machine) {
      if ((this.#machineTokens?.tokens.access_token ?? '') !== rejected) return true;
      this.#machineTokens = await machine(this.challenge);
      return true;
    }
    const known = (await this.#load())?.via;
    // Another request has renewed it meanwhile.
    if (known?.kind === 'oauth' && known.tokens && known.tokens.access_token !== rejected && rejected !== '')
      return true;
    if (known?.kind !== 'oauth') return false;
    return store.exclusively(binding, async ({ kept, signal, save }) => {
      const grant = this.#use(await choose(kept));
      this.#loading = Promise.resolve(grant);
      if (grant?.via.kind !== 'oauth' || !grant.via.tokens) return false;
      // Another window has.
      if (grant.via.tokens.access_token !== rejected && !this.#isEnding(grant.via.tokens, 0)) return true;
      const refreshToken = grant.via.tokens.refresh_token;
      if (refreshToken !== undefined && refreshToken === this.#refused) return false;
      const { next, isClientGone, isRefused } = await renewGrant(this.#options, grant, grant.via, signal);
      if (isRefused) {
        this.#refused = refreshToken;
        return false;
      }
      await save(withGrant(isClientGone ? withoutRegistration(kept, grant.issuer) : kept, next));
      this.#loading = Promise.resolve(this.#use(next));
      return isLive(next);
    });
  }
}
