// What the tests use of `oidc-provider`, which has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface StoredToken {
    readonly jti: string;
    readonly kind: string;
    readonly clientId: string;
    readonly accountId: string;
    readonly scope?: string;
    readonly aud?: string;
    readonly grantId?: string;
    readonly jkt?: string;
    readonly isExpired: boolean;
    destroy(): Promise<void>;
  }

  export interface InteractionDetails {
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly session?: { readonly accountId: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly issuer: string;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: string, listener: (...args: never[]) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    readonly AccessToken: { find(token: string): Promise<StoredToken | undefined> };
    readonly ClientCredentials: { find(token: string): Promise<StoredToken | undefined> };
    readonly Grant: new (about: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void;
      addResourceScope(resource: string, scope: string): void;
      save(): Promise<string>;
      destroy(): Promise<void>;
    };
  }
}
