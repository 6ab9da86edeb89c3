import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** RFC 7523, section 2.1. */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface AssertionOptions {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** A JWT that says who runs here, from whoever runs it. */
  readonly assertion: string;
  readonly expectedIssuer: string;
}

/**
 * Gets tokens for an assertion, as the SDK's own providers do for secrets and keys: a workload shows the JWT that its platform
 * gave it (workload identity federation). An assertion that is refused is refused: nothing else is tried.
 */
export class AssertionProvider implements OAuthClientProvider {
  readonly redirectUrl = undefined;
  readonly clientMetadata: OAuthClientMetadata = { redirect_uris: [], grant_types: [JWT_BEARER] };
  readonly #options: AssertionOptions;
  #tokens: StoredOAuthTokens | undefined;

  constructor(options: AssertionOptions) {
    this.#options = options;
  }

  clientInformation(): StoredOAuthClientInformation {
    const { clientId, clientSecret, expectedIssuer } = this.#options;
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
    return { client_id: clientId, ...secret, issuer: expectedIssuer };
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    const { assertion } = this.#options;
    return new URLSearchParams({ grant_type: JWT_BEARER, assertion, ...(scope === undefined ? {} : { scope }) });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(): never {
    throw new Error('An assertion opens no page.');
  }

  saveCodeVerifier(): void {
    // There is no code.
  }

  codeVerifier(): never {
    throw new Error('An assertion has no code.');
  }
}
