// A real authorization server (`oidc-provider`) on loopback, whose person is played by the test.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { Provider, type StoredToken } from 'oidc-provider';
import { SecretSweep } from './secretSweep.ts';

export interface AuthServerOptions {
  /** Clients that are registered already, as `oidc-provider` has them. */
  readonly clients?: readonly object[];
  /** It registers clients (RFC 7591). */
  readonly registers?: boolean;
  readonly scopes?: readonly string[];
  readonly tokenSeconds?: number;
  /** It takes client ID metadata documents, and this is what it finds at an address. */
  readonly document?: (url: string) => object | undefined;
  readonly port?: number;
  /** Another address of this computer than `127.0.0.1`. */
  readonly host?: string;
  /** Answers before the authorization server does; `true`: it has. */
  handle?(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>;
}

/** What a request is allowed to. */
export interface Allowed {
  readonly account: string;
  readonly scopes: readonly string[];
  /** The thumbprint of the key that it is bound to. */
  readonly jkt?: string;
}

export class AuthServer {
  /** One entry per request: `POST /token refresh_token`, `GET /auth`, … */
  readonly seen: string[] = [];
  /** Every secret that it gave away or was sent: tokens, codes, verifiers, client secrets. */
  readonly sweep = new SecretSweep();
  /** Who signs in in the browser, and whether they agree. */
  user = 'alice';
  agrees = true;
  tokenSeconds: number;
  /** Answers of the token endpoint to the next refreshes, in place of its own. */
  readonly refreshFaults: { readonly status: number; readonly body: object }[] = [];
  readonly #provider: Provider;
  readonly #server: Server;
  readonly #tokens: StoredToken[] = [];
  readonly issuer: string;

  private constructor(server: Server, issuer: string, options: AuthServerOptions) {
    this.#server = server;
    this.issuer = issuer;
    this.tokenSeconds = options.tokenSeconds ?? 3600;
    this.#provider = new Provider(issuer, this.#configuration(options));
    for (const kind of ['access_token', 'refresh_token', 'client_credentials'])
      this.#provider.on(`${kind}.saved`, (token: StoredToken) => void this.#tokens.push(token));
    const callback = this.#provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void (async () => {
        noteSecrets(this.sweep, response);
        const body = await noted(this, request);
        if (await options.handle?.(request, response)) return;
        if (request.url?.startsWith('/auth?') && !request.url.includes('scope='))
          request.url += `&scope=${options.scopes?.[0] ?? 'read'}`;
        if (request.url?.startsWith('/interaction/')) return this.#interact(request, response);
        const fault = body?.get('grant_type') === 'refresh_token' ? this.refreshFaults.shift() : undefined;
        if (fault) {
          response.writeHead(fault.status, { 'content-type': 'application/json' }).end(JSON.stringify(fault.body));
          return;
        }
        await callback(request, response);
      })();
    });
  }

  static async start(options: AuthServerOptions = {}): Promise<AuthServer> {
    const server = createServer();
    const { port = 0, host = '127.0.0.1' } = options;
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return new AuthServer(
      server,
      `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
      options,
    );
  }

  /** Requests for tokens with this grant type. */
  tokenRequests(grantType: string): number {
    return this.seen.filter((line) => line === `POST /token ${grantType}`).length;
  }

  /** What a token is good for at a resource; `undefined`: nothing. */
  async check(authorization: string | undefined, resource: string | undefined): Promise<Allowed | undefined> {
    const [scheme = '', token = ''] = (authorization ?? '').split(' ');
    const { AccessToken, ClientCredentials } = this.#provider;
    const found =
      scheme === 'Bearer' || scheme === 'DPoP'
        ? ((await AccessToken.find(token)) ?? (await ClientCredentials.find(token)))
        : undefined;
    if (found && (scheme === 'DPoP') !== (found.jkt !== undefined)) return undefined;
    if (!found || found.isExpired || (resource !== undefined && ![found.aud].flat().includes(resource)))
      return undefined;
    return {
      ...(found.jkt === undefined ? {} : { jkt: found.jkt }),
      account: found.accountId,
      scopes: (found.scope ?? '').split(' ').filter(Boolean),
    };
  }

  /** No access token is good any more. */
  async expire(): Promise<void> {
    for (const token of this.#tokens.filter(({ kind }) => kind === 'AccessToken')) await token.destroy();
  }

  /** The person took back what was granted. */
  async revoke(): Promise<void> {
    for (const token of this.#tokens) await token.destroy();
  }

  /** It knows no client that has registered by itself any more, as one that was set up anew. */
  forgetClients(): void {
    Kept.forget('Client');
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #configuration({ clients = [], registers = true, scopes = ['read', 'write'], document }: AuthServerOptions): object {
    return {
      ...(document
        ? {
            fetch: async (url: string | URL) => {
              const found = document(String(url));
              return found ? Response.json(found) : new Response(null, { status: 404 });
            },
          }
        : {}),
      clients,
      scopes: ['openid', 'offline_access', ...scopes],
      claims: { openid: ['sub', 'preferred_username'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['test'] },
      jwks: { keys: [signingKey()] },
      adapter: Kept,
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: async () => ({ sub, preferred_username: `${sub}@example.com` }),
      }),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        dPoP: { enabled: true },
        clientIdMetadataDocument: { enabled: document !== undefined, ack: 'draft-02' },
        registration: { enabled: registers },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: scopes.join(' '),
            accessTokenFormat: 'opaque',
            accessTokenTTL: this.tokenSeconds,
          }),
        },
      },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: {
        Interaction: 600,
        Session: 600,
        Grant: 86_400,
        RefreshToken: 86_400,
        AccessToken: () => this.tokenSeconds,
      },
    };
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await this.#provider.interactionDetails(request, response);
    if (!this.agrees)
      return this.#provider.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'The person said no.',
      });
    if (prompt.name === 'login')
      return this.#provider.interactionFinished(request, response, { login: { accountId: this.user } });
    const grant = new this.#provider.Grant({
      accountId: session?.accountId ?? this.user,
      clientId: params['client_id'] ?? '',
    });
    grant.addOIDCScope(params['scope'] ?? '');
    if (params['resource']) grant.addResourceScope(params['resource'], params['scope'] ?? '');
    return this.#provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
}

let key: object | undefined;

function signingKey(): object {
  key ??= { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig' };
  return key;
}

/** Keeps what the provider stores, in memory; the provider's own way warns. */
class Kept {
  readonly #name: string;
  static readonly #all = new Map<string, Record<string, unknown>>();

  constructor(name: string) {
    this.#name = name;
  }

  async upsert(id: string, payload: Record<string, unknown>): Promise<void> {
    Kept.#all.set(`${this.#name}:${id}`, payload);
  }

  async find(id: string): Promise<Record<string, unknown> | undefined> {
    return Kept.#all.get(`${this.#name}:${id}`);
  }

  async findByUid(uid: string): Promise<Record<string, unknown> | undefined> {
    return [...Kept.#all.values()].find((payload) => payload['uid'] === uid && payload['kind'] === this.#name);
  }

  static forget(name: string): void {
    for (const id of Kept.#all.keys()) if (id.startsWith(`${name}:`)) Kept.#all.delete(id);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = Kept.#all.get(`${this.#name}:${id}`);
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    Kept.#all.delete(`${this.#name}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of Kept.#all) if (payload['grantId'] === grantId) Kept.#all.delete(id);
  }
}

/** Notes what is asked for, and gives the form, which the provider reads from `body` then. */
async function noted(server: AuthServer, request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const path = request.url?.split('?')[0] ?? '';
  if (request.method !== 'POST') {
    server.seen.push(
      `${request.method} ${path.startsWith('/interaction/') || path.startsWith('/auth') ? path.split('/').slice(0, 2).join('/') : path}`,
    );
    return undefined;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const form = isForm ? new URLSearchParams(text) : undefined;
  if (form) server.sweep.addMembers(form);
  const [scheme, credentials = ''] = request.headers.authorization?.split(' ') ?? [];
  if (scheme === 'Basic')
    server.sweep.add(
      'client_secret',
      decodeURIComponent(Buffer.from(credentials, 'base64').toString().split(':')[1] ?? ''),
    );
  Object.assign(request, { body: form ? Object.fromEntries(form) : text === '' ? undefined : JSON.parse(text) });
  server.seen.push(['POST', path, form?.get('grant_type')].filter(Boolean).join(' '));
  return form;
}

/** Notes the secrets of an answer: in its JSON, and in the address that it leads to. */
function noteSecrets(sweep: SecretSweep, response: ServerResponse): void {
  const end = response.end.bind(response);
  response.end = ((body: unknown, ...rest: never[]) => {
    if (String(response.getHeader('content-type')).startsWith('application/json'))
      sweep.addMembers(Object.entries(JSON.parse(String(body)) as object));
    const location = URL.parse(String(response.getHeader('location') ?? ''), 'http://x');
    sweep.addMembers(location?.searchParams ?? []);
    return end(body as never, ...rest);
  }) as typeof response.end;
}
