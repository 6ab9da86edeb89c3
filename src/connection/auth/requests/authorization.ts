/** What the connection offers to what authorizes its requests. */
export interface AuthorizationHooks {
  /** A person is asked: the time-outs of running calls stand still until the result is called. */
  readonly onWaiting: () => () => void;
  /** Receives what must not be seen in texts of the server. */
  readonly addSecret: (name: string, value: string) => void;
}

/** Authorizes the requests to one server with the account that signed in to it. */
export interface RequestAuthorization {
  /**
   * `fetch` that adds the access token to requests to the server's own origin, renews it where it is over or refused, asks
   * for more scopes where the server wants them, and sends the request again then, once.
   */
  around(inner: typeof fetch, hooks: AuthorizationHooks): typeof fetch;
  /** Whether what an answer of that `fetch` is to had no token, and nothing before it in that connection. */
  isAnonymous(response: Response): boolean;
  /** There is an account, and its grant is gone. */
  readonly isOver: boolean;
}

/** What a server says when it refuses a request: where to sign in and what for (RFC 6750, section 3; RFC 9728). */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}
