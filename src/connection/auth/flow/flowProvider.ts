import { say } from '../../../base/say.ts';
import type {
  AuthorizationServerMetadata,
  DpopSession,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isLoopback } from '../requests/addressRules.ts';
import { clientMetadata } from './clientDocument.ts';

export interface FlowProviderOptions {
  readonly redirectUri: string;
  readonly state: string;
  readonly discovery: OAuthDiscoveryState;
  readonly clientName: string;
  /** Scopes of the definition. */
  readonly scope: string | undefined;
  readonly clientMetadataUrl: string | undefined;
  /** A client that is registered already. */
  readonly client: StoredOAuthClientInformation | undefined;
  /** See `resourceOf`. */
  readonly resourceFor: NonNullable<OAuthClientProvider['validateResourceURL']>;
  /** Has tokens bound to its key. */
  readonly dpop: DpopSession | undefined;
  /** Called once the client is registered, before anything is asked. */
  readonly onRegistered: (client: StoredOAuthClientInformation) => Promise<void>;
}

/** The state of one sign-in, for the SDK's `auth()`. Nothing in it outlasts the sign-in. */
export class FlowProvider implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly validateResourceURL: NonNullable<OAuthClientProvider['validateResourceURL']>;
  /** The page to open. */
  authorizationUrl: URL | undefined;
  granted: StoredOAuthTokens | undefined;
  grantedResource: string | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState;
  #verifier = '';
  readonly #options: FlowProviderOptions;

  constructor(options: FlowProviderOptions) {
    const { redirectUri, clientName, scope, clientMetadataUrl } = options;
    this.#options = options;
    this.#client = options.client;
    this.#discovery = options.discovery;
    const method = tokenMethod(options.discovery.authorizationServerMetadata);
    this.clientMetadata = {
      ...clientMetadata(clientName, [redirectUri], method),
      ...(scope === undefined ? {} : { scope }),
    };
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.validateResourceURL = options.resourceFor;
  }

  get redirectUrl(): string {
    return redirectFor(this.#options.redirectUri, this.#client);
  }

  get client(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  dpop(): DpopSession | undefined {
    return this.#options.dpop;
  }

  state(): string {
    return this.#options.state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    this.#client = client;
    await this.#options.onRegistered(client);
  }

  /** A sign-in asks for new ones. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.granted = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#discovery;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  saveResourceUrl(resource: string): void {
    this.grantedResource = resource;
  }

  /** A code is good for one request: nothing is tried again. */
  invalidateCredentials(): never {
    throw new FlowRefused();
  }
}

/** Ends what the SDK would begin anew by itself. */
export class FlowRefused extends Error {
  override readonly name = 'FlowRefused';

  constructor() {
    super(say`The authorization server refused the code or the client.`);
  }
}

/**
 * The address to be sent back to. A registration may have made another name of this machine of it, and that is the one that is
 * known there then (RFC 7591, section 3.2.1); the port is free (RFC 8252, section 7.3).
 */
function redirectFor(uri: string, client: StoredOAuthClientInformation | undefined): string {
  const known = client && 'redirect_uris' in client && Array.isArray(client.redirect_uris) ? client.redirect_uris : [];
  if (known.includes(uri)) return uri;
  const asked = new URL(uri);
  const other = known
    .map((each) => URL.parse(each))
    .find((each) => each && isLoopback(each.hostname) && each.pathname === asked.pathname);
  if (!other || !isLoopback(asked.hostname)) return uri;
  asked.hostname = other.hostname;
  return asked.href;
}

/** A public client, unless the authorization server takes none. */
function tokenMethod(metadata: AuthorizationServerMetadata | undefined): string {
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none'];
  if (methods.includes('none')) return 'none';
  return methods.find((method) => method === 'client_secret_basic' || method === 'client_secret_post') ?? 'none';
}
