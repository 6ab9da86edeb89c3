import type {
  AuthorizationServerMetadata,
  DpopSession,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
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
  /** The resource of the definition, in place of the one that the server names. */
  readonly resource: string | undefined;
  /** Has tokens bound to its key. */
  readonly dpop: DpopSession | undefined;
  /** Called once the client is registered, before anything is asked. */
  readonly onRegistered: (client: StoredOAuthClientInformation) => Promise<void>;
}

/** The state of one sign-in, for the SDK's `auth()`. Nothing in it outlasts the sign-in. */
export class FlowProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly validateResourceURL?: () => Promise<URL>;
  /** The page to open. */
  authorizationUrl: URL | undefined;
  granted: StoredOAuthTokens | undefined;
  grantedResource: string | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState;
  #verifier = '';
  readonly #options: FlowProviderOptions;

  constructor(options: FlowProviderOptions) {
    const { redirectUri, clientName, scope, clientMetadataUrl, resource } = options;
    this.#options = options;
    this.#client = options.client;
    this.#discovery = options.discovery;
    this.redirectUrl = redirectUri;
    const method = tokenMethod(options.discovery.authorizationServerMetadata);
    this.clientMetadata = {
      ...clientMetadata(clientName, [redirectUri], method),
      ...(scope === undefined ? {} : { scope }),
    };
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    if (resource !== undefined) this.validateResourceURL = async () => new URL(resource);
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
    super('The authorization server refused the code or the client.');
  }
}

/** A public client, unless the authorization server takes none. */
function tokenMethod(metadata: AuthorizationServerMetadata | undefined): string {
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none'];
  if (methods.includes('none')) return 'none';
  return methods.find((method) => method === 'client_secret_basic' || method === 'client_secret_post') ?? 'none';
}
