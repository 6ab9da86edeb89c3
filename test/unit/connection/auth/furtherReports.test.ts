// Reports of kinds that the other files about sign-ins don’t have, rebuilt; each title has the tracker's name and number.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { json, sseHttp } from '../../../fixtures/servers/http.ts';
import { type SignInRig, useSignInWorlds } from '../../../support/signInRig.ts';

type Form = Readonly<Record<string, string>>;
type Handle = (request: IncomingMessage, response: ServerResponse) => boolean;

const formOf = (request: IncomingMessage): Form => (request as IncomingMessage & { body?: Form }).body ?? {};

/** Changes a JSON answer before it is sent. */
function changing(path: string, change: (body: Record<string, unknown>, form: Form) => object): Handle {
  return (request, response) => {
    if (request.url?.split('?')[0] !== path) return false;
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: unknown) => {
      response.removeHeader('content-length');
      return end(JSON.stringify(change(JSON.parse(String(body)) as Record<string, unknown>, formOf(request))));
    }) as typeof response.end;
    return false;
  };
}

/** A page of an application, as its site has for every address. */
function page(response: ServerResponse, status = 200): true {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><title>Just a moment…</title><div id="root"></div>');
  return true;
}

async function failureOf(rig: SignInRig): Promise<SwitchboardError> {
  const error: unknown = await rig.test.host.signIns.signIn(rig.id).catch((reason: unknown) => reason);
  assert.ok(error instanceof SwitchboardError, String(error));
  return error;
}

describe('further reports of sign-ins in other hosts', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const world = useSignInWorlds();

  it('outline 11572, contextmine 2, appstrate 702, wetterdienst 1772: a site that has a page for every address', async () => {
    const made = await world({
      server: {
        rootMetadataAlone: true,
        scopes: ['read'],
      },
      auth: {
        // RFC 8414 first, which is a page here; OpenID Connect Discovery is there.
        handle: (request, response) => request.url?.startsWith('/.well-known/oauth-') === true && page(response),
      },
    });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('claude-code 72673 (Cloudflare): a challenge for browsers in place of metadata is no authorization server, and nobody is asked for a client', async () => {
    const made = await world({ auth: { handle: (_request, response) => page(response, 403) } });
    const rig = await made.open();
    const { message } = await failureOf(rig);
    assert.doesNotMatch(message, /<|Unexpected token/);
    assert.equal(rig.person.questions.length, 0);
  });

  for (const status of [429, 503])
    it(`Cellarion 785, keryx 496, laravel/mcp 321: a registration that can’t be made now (HTTP ${status}) asks nobody for a client`, async () => {
      let isBusy = true;
      const made = await world({
        auth: {
          handle(request, response) {
            if (!isBusy || request.method !== 'POST' || request.url !== '/reg') return false;
            response.writeHead(status, { 'retry-after': '2760' }).end('Too many requests');
            return true;
          },
        },
      });
      const rig = await made.open();
      const { code, message, remedy } = await failureOf(rig);
      assert.equal(code, 'unreachable');
      assert.match(`${message} ${remedy}`, new RegExp(`HTTP ${status}.*Try again later`));
      assert.deepEqual([rig.person.clientQuestions, rig.person.questions], [[], []]);
      isBusy = false;
      await rig.signIn();
      assert.equal(await rig.call(), 'hello');
    });

  for (const status of [429, 503])
    it(`a server whose metadata can’t be had now (HTTP ${status}) isn’t taken for one without: nobody is asked elsewhere`, async () => {
      let isBusy = true;
      const made = await world({
        server: { scopes: ['read'] },
        auth: {
          handle(request, response) {
            if (!isBusy || request.url?.startsWith('/.well-known/') !== true) return false;
            response.writeHead(status).end();
            return true;
          },
        },
      });
      const rig = await made.open();
      const { code, message } = await failureOf(rig);
      assert.equal(code, 'unreachable');
      assert.equal(message, `${new URL(made.auth.issuer).host} can't sign anybody in now (HTTP ${status}).`);
      assert.deepEqual([rig.person.clientQuestions, rig.person.questions], [[], []]);
      isBusy = false;
      await rig.signIn();
    });

  it('who can’t be reached is named: the authorization server, where the server itself can be', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const rig = await made.open();
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    made.server.authorizationServer = `http://127.0.0.1:${port}`;
    const { code, message } = await failureOf(rig);
    assert.equal(code, 'unreachable');
    assert.equal(message, `127.0.0.1:${port} can't be reached to sign in (ECONNREFUSED).`);
  });

  it('Cellarion 785: a renewal that is limited costs no grant, whatever form the answer has', async () => {
    let isBusy = false;
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          if (!isBusy || formOf(request)['grant_type'] !== 'refresh_token') return false;
          return page(response, 429);
        },
      },
    });
    const rig = await made.signedIn();
    await made.auth.expire();
    isBusy = true;
    await assert.rejects(rig.call());
    isBusy = false;
    await rig.test.host.pool.connect(rig.id);
    await rig.settled();
    assert.equal(await rig.call(), 'hello');
    assert.equal(rig.person.questions.length, 1, 'the person signed in once');
  });

  it('dust 22773 (Customer.io, Dropbox, Mirakl): a renewal that is refused for its resource', async () => {
    for (const error of ['invalid_request', 'invalid_target']) {
      const sent: boolean[] = [];
      const made = await world({
        server: { scopes: ['openid', 'read'] },
        auth: {
          handle(request, response) {
            const form = formOf(request);
            if (form['grant_type'] !== 'refresh_token') return false;
            sent.push('resource' in form);
            if (!('resource' in form)) return false;
            json(response, 400, { error, error_description: 'Unknown parameter: resource' });
            return true;
          },
        },
      });
      const rig = await made.signedIn();
      await made.auth.expire();
      assert.equal(await rig.call(), 'hello', error);
      assert.equal(sent.at(-1), false);
      assert.equal(rig.person.questions.length, 1);
    }
  });

  it('jentic-one 1259, eliza 30566, dust 13428: members that are null, and a refresh token that is empty', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          const token = changing('/token', (body, form) => ({
            ...body,
            id_token: null,
            ...(form['grant_type'] === 'refresh_token' ? { refresh_token: '', scope: null } : {}),
          }));
          const client = changing('/reg', (body) => ({ ...body, client_secret: null, logo_uri: null, scope: null }));
          return token(request, response) || client(request, response);
        },
      },
    });
    const rig = await made.signedIn();
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    // The next renewal is with the token from before: this authorization server, which rotates, takes it once more.
    const kept = [...rig.secrets.values.values()].join('');
    assert.match(kept, /"refresh_token":"[^"]+"/);
    assert.equal(rig.person.questions.length, 1);
  });

  it('authorization server metadata with members that are null', async () => {
    const made = await world({
      server: { scopes: ['read'] },
      auth: {
        handle: changing('/.well-known/oauth-authorization-server', (body) => ({
          ...body,
          service_documentation: null,
          op_policy_uri: null,
          scopes_supported: null,
        })),
      },
    });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
  });

  for (const status of [400, 403])
    it(`fastmcp 2461, meta-ads-mcp 61: invalid_token with HTTP ${status} in place of 401 renews`, async () => {
      const made = await world({ server: { scopes: ['openid', 'read'], answer: (...both) => otherwise(...both) } });
      const otherwise: Handle = (_request, response) => {
        const writeHead = response.writeHead.bind(response);
        response.writeHead = ((given: number, headers: Record<string, string>) => {
          const is401 = given === 401 && made.server.authorizations.length > 0;
          const challenge = headers['www-authenticate']?.replace('Bearer ', 'Bearer error="invalid_token", ');
          return writeHead(is401 ? status : given, is401 ? { ...headers, 'www-authenticate': challenge } : headers);
        }) as typeof response.writeHead;
        return false;
      };
      const rig = await made.signedIn();
      await made.auth.expire();
      assert.equal(await rig.call(), 'hello');
      assert.equal(made.auth.tokenRequests('refresh_token'), 1);
      assert.equal(rig.person.questions.length, 1);
    });

  it('claude-code 86430 (Facebook), slack-skills-plugin 2: a token without a refresh token is used until it is refused, and then the same account is asked for, once', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: { handle: changing('/token', ({ refresh_token: _none, ...body }) => ({ ...body, expires_in: 1 })) },
    });
    const rig = await made.signedIn();
    // It says that it is over, and is used as long as the server takes it.
    assert.equal(await rig.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 0);
    await made.auth.expire();
    await assert.rejects(rig.call());
    await rig.test.until(() => rig.state === 'needs-auth');
    assert.equal(rig.person.questions.length, 1, 'no page opens by itself');
    const { label } = await rig.signIn();
    assert.deepEqual(rig.person.questions.at(-1)?.reason, { kind: 'expired' });
    assert.equal((await rig.test.host.signIns.accountsOf(rig.id)).length, 1, label);
    assert.equal(await rig.call(), 'hello');
  });

  it('typescript-sdk 945, inspector 633, mcp-remote 68, mcp-server-neon 186: a server that refuses each token opens one page, and asks for no other token', async () => {
    let refuses = false;
    const made = await world({
      server: {
        scopes: ['openid', 'read'],
        answer(_request, response) {
          if (!refuses) return false;
          response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
          return true;
        },
      },
    });
    const rig = await made.open();
    refuses = true;
    await rig.signIn();
    assert.equal(rig.state, 'needs-auth');
    assert.equal(rig.person.questions.length, 1);
    const asked = made.auth.seen.length;
    await assert.rejects(rig.call());
    assert.ok(made.auth.tokenRequests('refresh_token') <= 1, made.auth.seen.join('\n'));
    assert.deepEqual(
      made.auth.seen.slice(asked).filter((line) => line.startsWith('GET /auth')),
      [],
    );
  });

  it('hermes-agent 80521, kilocode 14196: what is refused meanwhile changes nothing of a sign-in whose page is open', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.open();
    const browse = rig.person.browse;
    rig.person.browse = async (url, uri) => {
      for (let time = 0; time < 3; time++) {
        await rig.test.host.pool.restart(rig.id).catch(() => undefined);
        await rig.settled();
      }
      await browse(url, uri);
    };
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
    assert.equal(rig.person.redirects.length, 1, 'one state');
  });

  it('modelcontextprotocol 1331, vercel/ai 15975: of several authorization servers, the one that the definition names, or that the account is at', async () => {
    const made = await world({
      server: {
        scopes: ['openid', 'read'],
        metadata: () => ({ authorization_servers: ['http://127.0.0.1:1', made.auth.issuer] }),
      },
    });
    const pinned = await made.open({ entry: { oauth: { issuer: made.auth.issuer } } });
    await pinned.signIn();
    assert.equal(await pinned.call(), 'hello');
    // Without a name, the first one counts, which isn't there.
    const other = await made.open();
    await failureOf(other);
    assert.equal(other.person.questions.length, 0);
  });

  it('an account stays at its authorization server where the list is in another order', async () => {
    let order = (own: string): string[] => [own];
    const made = await world({
      server: { scopes: ['openid', 'read'], metadata: () => ({ authorization_servers: order(made.auth.issuer) }) },
    });
    const rig = await made.signedIn();
    order = (own) => ['http://127.0.0.1:1', own];
    await made.auth.revoke();
    await assert.rejects(rig.call());
    await rig.test.until(() => rig.state === 'needs-auth');
    await rig.signIn();
    assert.deepEqual(rig.person.questions.at(-1)?.reason, { kind: 'expired' });
    assert.equal(await rig.call(), 'hello');
  });

  it('python-sdk 1400, exa 387: a resource above the server’s address, and an address with a query', async () => {
    for (const query of ['', '?organization=1']) {
      const made = await world({
        server: { scopes: ['read'], metadata: (url) => ({ resource: new URL('/mcp', url).href }) },
      });
      const rig = await made.open({ entry: { url: `${made.server.url}${query}` } });
      assert.equal(rig.state, 'needs-auth', query);
      await rig.signIn();
      assert.equal(await rig.call(), 'hello');
    }
  });

  it('Codewhale 6040, claude-ai-mcp 38, oh-my-pi 4716: after a sign-out, the next sign-in asks who it is, although the browser knows', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    const prompt = (): string => new URL(rig.person.questions.at(-1)?.url ?? '').searchParams.get('prompt') ?? '';
    assert.doesNotMatch(prompt(), /login|select_account/);
    await rig.test.host.signIns.signOut(rig.id);
    made.auth.user = 'bob';
    assert.equal((await rig.signIn()).label, 'bob@example.com');
    assert.match(prompt(), /login|select_account/);
    // The same account again is the browser's to know.
    await rig.signIn();
    assert.doesNotMatch(prompt(), /login|select_account/);
  });

  it('onyx 12903, fastmcp 1275, python-sdk 1326: the older transport (SSE) renews its token, on its stream and for its calls', async () => {
    const made = await world();
    const server = await sseHttp(undefined, async ({ url, headers }, response) => {
      const scopes = ['openid', 'read'];
      const metadata = { resource: server.url, authorization_servers: [made.auth.issuer], scopes_supported: scopes };
      const isMetadata = url === '/.well-known/oauth-protected-resource/mcp';
      if (isMetadata) json(response, 200, metadata);
      else if (await made.auth.check(headers.authorization, server.url)) return false;
      else json(response, 401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
      return true;
    });
    closing.push(() => server.close());
    const rig = await made.open({ entry: { type: 'sse', url: server.url } });
    assert.equal(rig.state, 'needs-auth');
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    // A stream that is opened anew, with a token that is over.
    await made.auth.expire();
    await rig.test.host.pool.restart(rig.id);
    await rig.settled();
    assert.equal(await rig.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 2);
    assert.equal(rig.person.questions.length, 1);
  });
});
