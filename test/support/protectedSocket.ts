// A server over WebSockets that only opens one for those whom an authorization server has given a token for it.
import { json } from '../fixtures/servers/http.ts';
import { WebSocketFixture } from '../fixtures/servers/webSocket.ts';
import type { AuthServer } from './authServer.ts';

export class ProtectedSocket {
  readonly fixture = new WebSocketFixture();
  /** Who opened each WebSocket. */
  readonly accounts: string[] = [];
  /** Every `Authorization` that came with a request for a WebSocket. */
  readonly authorizations: string[] = [];
  /** What a request needs. */
  needs: string | undefined;
  /** A proof of a key needs it (RFC 9449, section 9). */
  nonce: string | undefined;
  /** Of each proof that came; one that came before is refused. */
  readonly proofIds: string[] = [];
  refusals = 0;

  /** @param metadataPath where its metadata is; a plain request to the server itself learns nothing of it */
  static async start(auth: AuthServer, metadataPath = '/about/this-resource'): Promise<ProtectedSocket> {
    const self = new ProtectedSocket();
    self.fixture.answer = (request, response) => {
      if (request.url !== metadataPath) return false;
      json(response, 200, {
        resource: self.resource,
        authorization_servers: [auth.issuer],
        scopes_supported: ['openid', 'read'],
      });
      return true;
    };
    self.fixture.refuse = async ({ headers: { authorization, dpop } }) => {
      if (authorization !== undefined) self.authorizations.push(authorization);
      if (typeof dpop === 'string') {
        const fault = self.#faultOf(dpop);
        if (fault !== undefined) return `401 Unauthorized\r\nWWW-Authenticate: DPoP error=${fault}`;
      }
      const allowed = await auth.check(authorization, self.resource);
      const metadata = `resource_metadata="${new URL(self.resource).origin}${metadataPath}"`;
      if (!allowed) {
        self.refusals += 1;
        return `401 Unauthorized\r\nWWW-Authenticate: Bearer ${metadata}`;
      }
      if (self.needs !== undefined && !allowed.scopes.includes(self.needs))
        return `403 Forbidden\r\nWWW-Authenticate: Bearer error="insufficient_scope", scope="${self.needs}", ${metadata}`;
      self.accounts.push(allowed.account);
      return undefined;
    };
    await self.fixture.listen();
    return self;
  }

  get url(): string {
    return this.fixture.url;
  }

  /** What tokens are for. */
  get resource(): string {
    return this.url.replace(/^ws/, 'http');
  }

  #faultOf(proof: string): string | undefined {
    const claims = Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { jti, nonce } = JSON.parse(claims) as { jti: string; nonce?: string };
    const isUsed = this.proofIds.includes(jti);
    this.proofIds.push(jti);
    if (isUsed) return '"invalid_dpop_proof"';
    return this.nonce === nonce ? undefined : `"use_dpop_nonce"\r\nDPoP-Nonce: ${this.nonce}`;
  }

  close(): Promise<void> {
    return this.fixture.close();
  }
}
