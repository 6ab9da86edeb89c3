import { SwitchboardError } from '../../base/errors.ts';
import type { OAuthOptions } from '../../config/oauthOptions.ts';
import { httpAddress } from '../remote/httpAddress.ts';
import { accountLabel } from './flow/accountName.ts';
import { cancelled } from './flow/flowRedirect.ts';
import type { SignedIn } from './flow/flowTypes.ts';
import { signInFlow } from './flow/signInFlow.ts';
import { type Grant, grantId, withGrant, withoutGrant } from './grants/accountGrants.ts';
import type { GrantStore } from './grants/grantStore.ts';
import { addressGuard } from './requests/addressGuard.ts';
import { authFetch } from './requests/authFetch.ts';
import type { Challenge } from './requests/authorization.ts';
import { hasAuthorization } from './requests/bearer.ts';
import type { SignInServicePorts, SignInTarget } from './signInPorts.ts';
import { say } from '../../base/say.ts';

/** What a server wants beyond what was granted. */
export interface MoreScopes {
  readonly scope: string;
  readonly challenge: Challenge;
}

export interface SignInRunOptions {
  readonly ports: Pick<SignInServicePorts, 'signIn' | 'clock' | 'fetch' | 'clientName'>;
  readonly sdk: typeof import('../protocol/sdk.ts');
  readonly store: GrantStore;
  readonly target: SignInTarget;
  /** The grant of the account that signs in again. */
  readonly previous: Grant | undefined;
  readonly more: MoreScopes | undefined;
  readonly asSomebodyElse: boolean;
  /** See `FlowOptions`. */
  readonly unanswered: Set<string>;
  /** What the server said last when it refused a request. */
  readonly challengeAt: (serverUrl: URL, oauth: OAuthOptions) => Challenge;
  readonly signal: AbortSignal;
}

/** One sign-in: from the definition of a server to what is kept of its grant. */
export async function runSignIn(options: SignInRunOptions): Promise<Grant> {
  const { ports, sdk, store, target, previous, more, asSomebodyElse, unanswered, signal } = options;
  const { server, binding } = target;
  const spec = await target.resolve();
  if (!('url' in spec) || spec.oauth === false)
    throw new SwitchboardError('unsupported', say`${server.name} is not a server that is signed in to.`);
  if (hasAuthorization(spec.headers))
    throw new SwitchboardError('unsupported', say`The definition of ${server.name} sets the Authorization header.`, {
      remedy: say`Remove the header to sign in, or correct it.`,
    });
  const serverUrl = httpAddress(spec.url);
  const oauth = spec.oauth ?? {};
  const challenge = options.challengeAt(serverUrl, oauth);
  const kept = await store.read(binding);
  return signInFlow({
    sdk,
    ports: ports.signIn,
    server,
    serverUrl,
    opensSocket: spec.type === 'ws',
    oauth,
    challenge: more?.challenge ?? challenge,
    ...(more ? { scope: more.scope } : {}),
    previous,
    asSomebodyElse,
    registrations: kept.registrations,
    onRegistered: async (issuer, registration) => {
      await store.change(binding, (all) => ({
        ...all,
        registrations: { ...all.registrations, [issuer]: registration },
      }));
    },
    unanswered,
    clientName: ports.clientName,
    clock: ports.clock,
    fetch: authFetch({ inner: ports.fetch, serverUrl, signal }),
    guard: addressGuard({ serverUrl }),
    keep: async (signedIn) => {
      if (signal.aborted) throw cancelled();
      return keep(options, serverUrl, signedIn);
    },
    signal,
  });
}

/** Keeps what was granted: in the place of the same account's, or as another one. */
async function keep(
  { ports, store, target: { server, binding }, previous, signal }: SignInRunOptions,
  serverUrl: URL,
  { issuer, scopes, account, via }: SignedIn,
): Promise<Grant> {
  const clientId = via.kind === 'oauth' ? via.client.client_id : 'editor';
  const resource = (via.kind === 'oauth' ? via.resource : undefined) ?? serverUrl.href;
  // Where nobody says who signed in, whoever signs in again counts as the same.
  const isSame = previous?.issuer === issuer && previous.subject === undefined && account.subject === undefined;
  const id = isSame ? previous.id : grantId(issuer, clientId, resource, account.subject ?? String(ports.clock.now()));
  let label = account.label ?? (isSame ? previous.label : undefined);
  if (label === undefined) {
    const given = await ports.signIn.askAccountName?.({ server, issuer }, signal);
    label = given && accountLabel(given);
  }
  const kept = await store.change(binding, (all) => {
    const name = label ?? `Account ${all.grants.filter((each) => each.id !== id).length + 1}`;
    const grant: Grant = {
      id,
      label: name,
      serverUrl: serverUrl.href,
      issuer,
      scopes,
      via,
      ...(account.subject === undefined ? {} : { subject: account.subject }),
    };
    const rest = previous && isReplaced(previous, grant) ? withoutGrant(all, previous.id) : all;
    return withGrant(rest, grant);
  });
  const grant = kept.grants.find((each) => each.id === id);
  if (!grant) throw new SwitchboardError('internal', say`The sign-in was not kept.`);
  return grant;
}

/** Whether a new grant stands for the old one: the same account at a client that is registered anew, or nobody says who. */
function isReplaced(previous: Grant, next: Grant): boolean {
  return previous.id !== next.id && previous.subject === next.subject && previous.issuer === next.issuer;
}
