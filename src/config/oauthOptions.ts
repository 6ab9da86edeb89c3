/** What an entry says of signing in to its server. Most servers need nothing of it (docs/sign-in.md). */
export interface OAuthOptions {
  /** A client that is registered at the authorization server already. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Asked for in place of what the server says. */
  readonly scopes?: readonly string[];
  /** The port that is registered: the redirect address is `http://localhost:PORT/callback`. */
  readonly callbackPort?: number;
  /** The whole redirect address that is registered. */
  readonly redirectUri?: string;
  /** The only authorization server that may be used. */
  readonly issuer?: string;
  /** Its metadata, where it isn't found from the server. */
  readonly metadataUrl?: string;
  /** The resource that is asked for, where it isn't the one that the server names. */
  readonly resource?: string;
  /** A client ID metadata document of the user's own. */
  readonly clientMetadataUrl?: string;
  /**
   * Without it, a person signs in. `cross_app_access`: an identity provider vouches for the person, by `idToken`.
   * `jwt_bearer`: a platform vouches for what runs here, by `assertion`.
   */
  readonly grant?: 'client_credentials' | 'cross_app_access' | 'jwt_bearer';
  /** Tokens are bound to a key of this machine (RFC 9449), where the authorization server does that. */
  readonly dpop?: true;
  /** For `cross_app_access`: who vouches, the client there, and what it says of the person. */
  readonly idpIssuer?: string;
  /** Its token endpoint, where its metadata doesn't say it. */
  readonly idpTokenUrl?: string;
  readonly idpClientId?: string;
  readonly idpClientSecret?: string;
  readonly idToken?: string;
  /** For `jwt_bearer`: a JWT that is shown to the authorization server (RFC 7523, section 2.1). */
  readonly assertion?: string;
  /** PKCS#8 in PEM: the client proves itself with a signature (RFC 7523) in place of a secret. */
  readonly privateKey?: string;
  /** Of the signature, e.g. `ES256`. */
  readonly algorithm?: string;
}
