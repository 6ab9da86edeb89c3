import type {
  AuthorizationServerMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isRecord, sha256, stableStringify } from '../../../base/json/json.ts';
import { isNewer } from '../../../base/versionedState.ts';
import type { DpopKey } from '../requests/dpopKey.ts';
import type { Account } from '../signIns.ts';
import { type Mask, SecretValues } from '../../../base/text/secrets.ts';

/** What an authorization server granted to one account, and all that it takes to renew or revoke it. */
export interface Grant {
  /** Of issuer, client, resource and account. */
  readonly id: string;
  readonly label: string;
  /** The account's own id at the authorization server, where it says one. */
  readonly subject?: string;
  /** The URL of the server, every variable replaced: no other gets the tokens. */
  readonly serverUrl: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly via: SignedInVia;
}

export type SignedInVia =
  | {
      readonly kind: 'oauth';
      readonly client: StoredOAuthClientInformation;
      readonly resource?: string;
      readonly metadata?: AuthorizationServerMetadata;
      /** Absent: the grant is gone, and only the account is remembered. */
      readonly tokens?: GrantTokens;
      /** The tokens are bound to it. */
      readonly dpopKey?: DpopKey;
    }
  /** An account of the editor, which keeps its tokens itself. */
  | { readonly kind: 'editor'; readonly accountId: string };

/** Tokens as the SDK gives them, and when the access token ends in milliseconds since the epoch, where that is known. */
export type GrantTokens = StoredOAuthTokens & { readonly expiresAt?: number };

/** How this client is registered at an authorization server. */
export interface Registration {
  readonly client: StoredOAuthClientInformation;
  /** What it was registered with; absent for a client that somebody else registered. */
  readonly redirectUri?: string;
  /** The person gave it. */
  readonly isGiven?: true;
}

/** Everything that is kept of the sign-ins to one server. */
export interface Kept {
  readonly grants: readonly Grant[];
  /** By issuer. */
  readonly registrations: Readonly<Record<string, Registration>>;
}

export const NOTHING_KEPT: Kept = { grants: [], registrations: {} };

/** Stable over sign-ins of the same account. */
export function grantId(issuer: string, clientId: string, resource: string, account: string): string {
  return sha256(stableStringify([issuer, clientId, resource, account])).slice(0, 32);
}

/** The grants with `grant` in the place of the one with its id, or added. */
export function withGrant(kept: Kept, grant: Grant): Kept {
  const isKnown = kept.grants.some(({ id }) => id === grant.id);
  const grants = isKnown ? kept.grants.map((each) => (each.id === grant.id ? grant : each)) : [...kept.grants, grant];
  return { ...kept, grants };
}

export function withoutGrant(kept: Kept, id: string): Kept {
  return { ...kept, grants: kept.grants.filter((each) => each.id !== id) };
}

/** Without how this client registered there, so that it registers anew; what a person gave stays. */
export function withoutRegistration(kept: Kept, issuer: string): Kept {
  const { [issuer]: gone, ...registrations } = kept.registrations;
  return gone && !gone.isGiven ? { ...kept, registrations } : kept;
}

/** The grant without its tokens: the account is remembered, so that signing in again is for the same one. */
export function spent(grant: Grant): Grant {
  if (grant.via.kind === 'editor') return grant;
  const { tokens: _gone, ...via } = grant.via;
  return { ...grant, via };
}

/** Whether calls can be made with it. */
export function isLive({ via }: Grant): boolean {
  return via.kind === 'editor' || via.tokens !== undefined;
}

export function accountOf({ id, label, issuer, scopes }: Grant, isCurrent: boolean): Account {
  return { id, label, issuer, scopes, isCurrent };
}

export function scopesIn(scope: string | undefined): readonly string[] {
  return scope?.split(/\s+/).filter(Boolean) ?? [];
}

/**
 * The scopes of an answer that can be some (RFC 6749, section 3.3), and not what must not be shown. GitHub and Slack part them
 * with commas.
 */
export function grantedScopes(scope: string, mask: Mask): readonly string[] {
  const all = scopesIn(scope);
  return (all.length === 1 ? scope.split(',').map((each) => each.trim()) : all).filter(
    (each) => /^[!#-[\]-~]{1,200}$/.test(each) && mask(each) === each,
  );
}

/** Masks what an authorization server granted, in what else it says. */
export function maskOf(tokens: StoredOAuthTokens): Mask {
  const secrets = new SecretValues();
  for (const name of ['access_token', 'refresh_token', 'id_token'] as const) secrets.add('token', tokens[name] ?? '');
  return secrets.mask;
}

/** Whether it has what each use reads; what the SDK reads is the SDK's to judge. */
function isGrant(value: unknown): value is Grant {
  if (!isRecord(value) || !isRecord(value['via']) || !Array.isArray(value['scopes'])) return false;
  const { id, label, serverUrl, issuer, via } = value;
  const isKnown = via['kind'] === 'editor' || (via['kind'] === 'oauth' && isRecord(via['client']));
  return isKnown && [id, label, serverUrl].every((text) => typeof text === 'string') && URL.canParse(String(issuer));
}

/** Of the form in which grants are kept. */
export const KEPT_VERSION = 1;

/** What was read, with the mark of its writing. */
export type ReadKept = Kept & { readonly generation?: string; readonly isNewer?: true };

/** What was kept, as it was written; anything else counts as nothing, and so does what a later version wrote (`isNewer`). */
export function parseKept(text: string | undefined): ReadKept {
  if (text === undefined) return NOTHING_KEPT;
  try {
    const value: unknown = JSON.parse(text);
    if (isNewer(value, KEPT_VERSION)) return { ...NOTHING_KEPT, ...generationOf(value), isNewer: true };
    if (!isRecord(value) || value['version'] !== KEPT_VERSION || !Array.isArray(value['grants'])) return NOTHING_KEPT;
    const { registrations } = value;
    return {
      grants: value['grants'].filter(isGrant),
      registrations: isRecord(registrations) ? (registrations as Kept['registrations']) : {},
      ...generationOf(value),
    };
  } catch {
    return NOTHING_KEPT;
  }
}

function generationOf(value: unknown): { readonly generation?: string } {
  const generation = isRecord(value) ? value['generation'] : undefined;
  return typeof generation === 'string' ? { generation } : {};
}
