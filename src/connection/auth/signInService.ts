import { onAbort } from '../../base/async.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { sha256, stableStringify } from '../../base/json/json.ts';
import type { OAuthOptions } from '../../config/oauthOptions.ts';
import type { ConnectionSpec } from '../connectionTypes.ts';
import { httpAddress } from '../remote/httpAddress.ts';
import { ChosenAccounts } from './chosenAccounts.ts';
import { authFetch } from './requests/authFetch.ts';
import type { Challenge, RequestAuthorization } from './requests/authorization.ts';
import { hasAuthorization } from './requests/bearer.ts';
import { accountOf, type Grant, isLive, NOTHING_KEPT, withoutGrant } from './grants/accountGrants.ts';
import { GrantStore } from './grants/grantStore.ts';
import { admitMachine, machineTokens } from './grants/machineGrant.ts';
import { revokeKept } from './grants/revocation.ts';
import { AccessToken } from './requests/accessToken.ts';
import type { SignInServicePorts, SignInTarget } from './signInPorts.ts';
import { type MoreScopes, runSignIn } from './signInRun.ts';
import type { Account, SignInOptions, SignInView } from './signIns.ts';
import { toldRequests } from './requests/toldRequests.ts';
import { say } from '../../base/say.ts';

type Sdk = typeof import('../protocol/sdk.ts');

/** Signs in to servers, keeps what they grant, and authorizes requests with it. Loaded with the first use. */
export class SignInService implements Disposable {
  readonly #ports: SignInServicePorts;
  readonly #sdk: Sdk;
  readonly #store: GrantStore;
  readonly #chosen: ChosenAccounts;
  readonly #authorizations = new Map<string, AccessToken>();
  readonly #running = new Map<string, AbortController>();
  readonly #disposables = new DisposableStore();
  /** The account of each server's calls, as far as it is known. */
  readonly #accounts = new Map<string, Account>();
  /** By binding, see `FlowOptions`. */
  readonly #unanswered = new Map<string, Set<string>>();
  /** The servers that secrets are for, by the secrets' names. */
  readonly #keys = new Map<string, SignInTarget>();

  constructor(ports: SignInServicePorts, sdk: Sdk) {
    this.#ports = ports;
    this.#sdk = sdk;
    const { secrets } = ports.signIn;
    const { folder, clock, platform } = ports;
    const onNewer = (): void =>
      ports.log.log(
        'warning',
        'A sign-in was saved by a later version of MCP Switchboard and is left as it is. Until that version is installed again, signing in lasts until the window closes.',
      );
    this.#store = new GrantStore({ secrets, folder, clock, platform, onNewer });
    this.#chosen = new ChosenAccounts(ports.store);
    this.#disposables.add(secrets.onDidChange((key) => void this.#arrived(key)));
  }

  /** What is known of a server at this moment. */
  viewOf(serverId: string): Pick<SignInView, 'account' | 'inProgress'> {
    const account = this.#accounts.get(serverId);
    return { ...(account ? { account } : {}), ...(this.#running.has(serverId) ? { inProgress: true } : {}) };
  }

  /** What authorizes the requests to a server; `undefined` where its definition does that itself. */
  async authorizationFor(serverId: string, spec: ConnectionSpec): Promise<RequestAuthorization | undefined> {
    if (!('url' in spec)) return undefined;
    const { oauth = {} } = spec;
    const target = this.#ports.target(serverId);
    if (!target || oauth === false || hasAuthorization(spec.headers)) return undefined;
    return this.#authorization(target, httpAddress(spec.url), oauth);
  }

  async isSignedIn(serverId: string): Promise<boolean> {
    const target = this.#ports.target(serverId);
    if (!target) return false;
    await this.#watch(target);
    const grant = await this.#chosen.of(target.binding, await this.#store.read(target.binding));
    return grant !== undefined && isLive(grant);
  }

  async accountsOf(serverId: string): Promise<readonly Account[]> {
    const target = this.#require(serverId);
    const kept = await this.#store.read(target.binding);
    const current = await this.#chosen.of(target.binding, kept);
    const accounts = kept.grants.map((grant) => accountOf(grant, grant.id === current?.id));
    return accounts.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  }

  async signIn(serverId: string, { account, signal }: SignInOptions = {}): Promise<Account> {
    const target = this.#require(serverId);
    const kept = await this.#store.read(target.binding);
    const known = kept.grants.find(({ id }) => id === account);
    if (account !== undefined && account !== 'new' && !known) throw unknownAccount();
    const previous =
      account === 'new' ? undefined : (known ?? (await this.#chosen.of(target.binding, kept)) ?? kept.grants[0]);
    // Whoever signed out may want to be somebody else, and the browser would be asked nothing.
    const asSomebodyElse = account === 'new' || (!known && this.#chosen.isSignedOut(target.binding));
    const grant = await this.#signIn(target, previous, undefined, { asSomebodyElse, ...(signal ? { signal } : {}) });
    await this.#use(target, grant);
    await this.#ports.reconnect(serverId);
    return accountOf(grant, true);
  }

  async switchAccount(serverId: string, accountId: string): Promise<void> {
    const target = this.#require(serverId);
    const grant = (await this.#store.read(target.binding)).grants.find(({ id }) => id === accountId);
    if (!grant) throw unknownAccount();
    await this.#use(target, grant);
    await this.#ports.reconnect(serverId);
  }

  async signOut(serverId: string, accountId?: string): Promise<{ readonly revoked: boolean }> {
    const target = this.#require(serverId);
    // Whoever signs out isn't signed in again by a page that is still open.
    this.#running.get(serverId)?.abort();
    const revoked = await this.#store.exclusively(target.binding, async ({ kept, save, signal }) => {
      const current = await this.#chosen.of(target.binding, kept);
      const grant = accountId === undefined ? current : kept.grants.find(({ id }) => id === accountId);
      if (!grant) return false;
      const isRevoked = await revokeKept(this.#sdk, grant, this.#ports, signal);
      // First: what is saved is read at once, and an account that is left must not be taken for this workspace's.
      if (grant.id === current?.id) await this.#chosen.signOut(target.binding);
      await save(withoutGrant(kept, grant.id));
      return isRevoked;
    });
    this.#forget(serverId);
    await this.#ports.reconnect(serverId);
    return { revoked };
  }

  async resetRegistration(serverId: string): Promise<void> {
    const target = this.#require(serverId);
    this.#running.get(serverId)?.abort();
    await this.#store.exclusively(target.binding, async ({ kept, save, signal }) => {
      for (const grant of kept.grants) await revokeKept(this.#sdk, grant, this.#ports, signal);
      await save(NOTHING_KEPT);
    });
    await this.#chosen.forget(target.binding);
    this.#forget(serverId);
    await this.#ports.reconnect(serverId);
  }

  dispose(): void {
    for (const running of this.#running.values()) running.abort();
    this.#disposables.dispose();
  }

  #require(serverId: string): SignInTarget {
    const target = this.#ports.target(serverId);
    if (target) return target;
    throw new SwitchboardError('unknown-server', say`There is no server "${serverId}" to sign in to.`);
  }

  #authorization(target: SignInTarget, serverUrl: URL, oauth: OAuthOptions): AccessToken {
    const { server, binding } = target;
    // What vouches for a person or a workload is soon over: the definition's variables give another then.
    const vouching = oauth.grant === undefined ? '' : stableStringify(oauth);
    const key = sha256(`${server.id} ${binding} ${serverUrl.href} ${vouching}`);
    const existing = this.#authorizations.get(key);
    if (existing) return existing;
    const { clock, log, signIn } = this.#ports;
    const fetch = this.#toldFetch(server.id);
    const made: AccessToken = new AccessToken({
      server,
      binding,
      serverUrl,
      oauth,
      store: this.#store,
      clock,
      log,
      fetch,
      sdk: this.#sdk,
      editorAccounts: signIn.editorAccounts,
      choose: (kept) => this.#chosen.of(binding, kept),
      stepUp: (scope, challenge) => this.#stepUp(target, made, scope, challenge),
      machine: machineTokens({
        sdk: this.#sdk,
        oauth,
        serverUrl,
        clock,
        fetch: authFetch({ inner: fetch, serverUrl }),
        admit: (issuer) => admitMachine(this.#store, target, issuer),
      }),
      onGrant: (grant) => this.#tell(server.id, liveAccountOf(grant)),
    });
    this.#authorizations.set(key, made);
    void this.#watch(target);
    return made;
  }

  async #signIn(
    target: SignInTarget,
    previous: Grant | undefined,
    more: MoreScopes | undefined,
    { signal, asSomebodyElse = false }: { readonly signal?: AbortSignal; readonly asSomebodyElse?: boolean } = {},
  ): Promise<Grant> {
    const { server } = target;
    this.#running.get(server.id)?.abort();
    const ending = new AbortController();
    this.#running.set(server.id, ending);
    const abortion = signal && onAbort(signal, () => ending.abort());
    this.#tell(server.id, this.#accounts.get(server.id));
    this.#ports.stepped?.(server.id, 'sign-in', 'begun');
    let end = 'not completed';
    try {
      const grant = await runSignIn({
        ports: { ...this.#ports, fetch: this.#toldFetch(server.id) },
        sdk: this.#sdk,
        store: this.#store,
        target,
        previous,
        more,
        asSomebodyElse,
        unanswered: this.#unansweredAt(target.binding),
        challengeAt: (serverUrl, oauth) => this.#authorization(target, serverUrl, oauth).challenge,
        signal: ending.signal,
      });
      end = 'done';
      return grant;
    } finally {
      this.#ports.stepped?.(server.id, 'sign-in', end);
      abortion?.dispose();
      if (this.#running.get(server.id) === ending) this.#running.delete(server.id);
      this.#tell(server.id, this.#accounts.get(server.id));
    }
  }

  #toldFetch(serverId: string): typeof fetch {
    return toldRequests(this.#ports.fetch, (...step) => this.#ports.stepped?.(serverId, ...step));
  }

  #unansweredAt(binding: string): Set<string> {
    const issuers = this.#unanswered.get(binding) ?? new Set();
    this.#unanswered.set(binding, issuers);
    return issuers;
  }

  async #stepUp(
    target: SignInTarget,
    authorization: AccessToken,
    scope: string,
    challenge: Challenge,
  ): Promise<boolean> {
    try {
      const grant = await this.#signIn(target, authorization.grant, { scope, challenge });
      await this.#use(target, grant);
      return true;
    } catch (error) {
      this.#ports.log.log(
        'info',
        `${target.server.name} wants more scopes, which weren’t granted: ${messageOf(error)}`,
      );
      return false;
    }
  }

  async #use(target: SignInTarget, grant: Grant): Promise<void> {
    await this.#chosen.use(target.binding, grant);
    this.#forget(target.server.id);
  }

  #forget(serverId: string): void {
    for (const authorization of this.#authorizations.values())
      if (authorization.server.id === serverId) authorization.forget();
  }

  async #watch(target: SignInTarget): Promise<void> {
    this.#keys.set(await this.#store.keyOf(target.binding), target);
  }

  #tell(serverId: string, account: Account | undefined, isNews = false): void {
    if (account) this.#accounts.set(serverId, account);
    else this.#accounts.delete(serverId);
    this.#ports.changed(serverId, isNews);
  }

  /** A secret was changed, maybe by another window. */
  async #arrived(key: string): Promise<void> {
    const target = this.#keys.get(key);
    if (!target || this.#running.has(target.server.id)) return;
    const had = this.#accounts.get(target.server.id);
    const current = await this.#chosen.of(target.binding, await this.#store.read(target.binding));
    for (const authorization of this.#authorizations.values())
      if (authorization.server.id === target.server.id) authorization.arrived(current);
    const account = liveAccountOf(current);
    // Other tokens of the same grant are no news: two windows must not call each other for ever.
    this.#tell(target.server.id, account, account !== undefined && account.id !== had?.id);
  }
}

function unknownAccount(): SwitchboardError {
  return new SwitchboardError('invalid-arguments', say`There is no such account. Sign in to add it.`);
}

/** The account of the grant that is used, as long as the grant holds. */
function liveAccountOf(grant: Grant | undefined): Account | undefined {
  return grant && isLive(grant) ? accountOf(grant, true) : undefined;
}
