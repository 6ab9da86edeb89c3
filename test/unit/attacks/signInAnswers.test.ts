import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { addressGuard } from '../../../src/connection/auth/requests/addressGuard.ts';
import { authFetch } from '../../../src/connection/auth/requests/authFetch.ts';
import { reachOf } from '../../../src/connection/auth/requests/addressRules.ts';
import { withoutSent } from '../../../src/connection/auth/requests/sentSecrets.ts';
import { eventually } from '../../support/eventually.ts';
import { json } from '../../fixtures/servers/http.ts';
import { AuthServer, type AuthServerOptions } from '../../support/authServer.ts';
import { type SignInRig, useSignInWorlds } from '../../support/signInRig.ts';

type Form = Readonly<Record<string, string>>;

/** The form of a request, which the authorization server's double has read. */
function formOf(request: IncomingMessage): Form {
  return (request as IncomingMessage & { body?: Form }).body ?? {};
}

/** Answers the token requests of a grant type in place of the authorization server. */
function tokenAnswer(grantType: string, answer: (form: Form) => unknown): Required<Pick<AuthServerOptions, 'handle'>> {
  return {
    handle(request, response) {
      const form = formOf(request);
      if (request.url !== '/token' || form['grant_type'] !== grantType) return false;
      const value = answer(form);
      if (value === undefined) return false;
      const [status, body] = Array.isArray(value) ? (value as [number, unknown]) : [200, value];
      if (typeof body === 'string') response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      else json(response, status, body);
      return true;
    },
  };
}

async function failureOf(rig: SignInRig): Promise<SwitchboardError> {
  const error: unknown = await rig.test.host.signIns.signIn(rig.id).catch((reason: unknown) => reason);
  assert.ok(error instanceof SwitchboardError, String(error));
  return error;
}

describe('attacks by what an authorization server answers', () => {
  const world = useSignInWorlds();

  // The sweep at the end of each test looks for what was repeated.
  it('An authorization server that repeats in its errors what it was sent', async () => {
    let isRepeating = true;
    const repeat = (form: Form): unknown =>
      isRepeating
        ? [
            400,
            {
              error: 'server_error',
              error_description: `You sent ${JSON.stringify(form)}, ${Object.values(form).join(' ')}`,
            },
          ]
        : undefined;
    const clients = [
      {
        client_id: 'mine',
        client_secret: 'a-secret-of-mine-0815',
        redirect_uris: ['http://localhost:41871/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ];
    const made = await world({ auth: { ...tokenAnswer('authorization_code', repeat), clients } });
    made.auth.sweep.add('client_secret', 'a-secret-of-mine-0815');
    const oauth = { clientId: 'mine', clientSecret: 'a-secret-of-mine-0815', callbackPort: 41_871 };
    const rig = await made.open({ entry: { oauth } });
    assert.match((await failureOf(rig)).message, /You sent/);
    // Encoded in the header, and repeated as it is.
    const secret = 'p@ss word+0815';
    const authorization = `Basic ${btoa(`mine:${encodeURIComponent(secret).replaceAll('%20', '+')}`)}`;
    const refused = await withoutSent(new Response(`You sent ${secret}`), { headers: { authorization } });
    assert.equal(await refused.text(), 'You sent •••');
    // Clients that encode nothing exist, too.
    const plain = { headers: { authorization: `Basic ${btoa('mine:50%off-Secret9')}` } };
    assert.equal(await (await withoutSent(new Response('You sent 50%off-Secret9'), plain)).text(), 'You sent •••');
    isRepeating = false;
    const renewing = await world({ auth: tokenAnswer('refresh_token', repeat) });
    const other = await renewing.signedIn();
    isRepeating = true;
    await renewing.auth.expire();
    const session = other.test.host.pool.get(other.id)?.session;
    await assert.rejects(async () => session?.callTool('echo', { text: 'x' }, { timeoutMs: 10_000 }), /can't renew/);
  });

  it('Answers that are no JSON, or in another form, with the tokens in them', async () => {
    for (const body of [
      'access_token=gho_16C7e42F292c6912E7710c838347Ae178B4a&token_type=bearer',
      'gho_16C7e42F292c6912E7710c838347Ae178B4a',
      '{"access_token":["gho_16C7e42F292c6912E7710c838347Ae178B4a"],"token_type":"Bearer"}',
      '{"token":"gho_16C7e42F292c6912E7710c838347Ae178B4a"}',
      '<html>gho_16C7e42F292c6912E7710c838347Ae178B4a</html>',
    ]) {
      const made = await world({ auth: tokenAnswer('authorization_code', () => body) });
      made.auth.sweep.add('access_token', 'gho_16C7e42F292c6912E7710c838347Ae178B4a');
      // What an error quotes is cut.
      made.auth.sweep.add('the beginning of a token', 'gho_16C7');
      const rig = await made.open();
      assert.match((await failureOf(rig)).message, /can't be read/, body);
      assert.equal(rig.state, 'needs-auth');
    }
  });

  it('An access token that fits into no header', async () => {
    for (const token of ['abc\r\nX-Injected: 1', 'a b c d e f', 'tökén-tökén', `x${String.fromCharCode(0)}y`]) {
      const made = await world({
        auth: tokenAnswer('authorization_code', () => ({ access_token: token, token_type: 'Bearer' })),
      });
      made.auth.sweep.add('access_token', token);
      const rig = await made.open();
      assert.equal((await failureOf(rig)).code, 'denied');
      assert.equal(rig.state, 'needs-auth');
      assert.deepEqual(made.server.authorizations, []);
    }
  });

  it('Names and scopes with secrets, markup, controls and no end', async () => {
    let granted = '';
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          if (request.url === '/token') {
            granted = `token-${Math.random()}`;
            made.auth.sweep.add('access_token', granted);
            json(response, 200, {
              access_token: granted,
              token_type: 'Bearer',
              scope: `openid ${granted} ${'x'.repeat(5000)}`,
            });
            return true;
          }
          if (request.url !== '/me') return false;
          json(response, 200, {
            sub: '1',
            preferred_username: `${granted}[x](command:y)<b>\u202E\r\n${'n'.repeat(10_000)}`,
          });
          return true;
        },
      },
    });
    const rig = await made.open();
    const { label, scopes } = await rig.test.host.signIns.signIn(rig.id);
    assert.ok(label.length <= 200, label);
    assert.doesNotMatch(label, /[\r\n\u202E]/);
    assert.ok(scopes.every((scope) => scope.length <= 200));
  });

  it('Tokens that are over at birth, or last for ever', async () => {
    for (const seconds of [0, -1, 1e308, 1]) {
      const made = await world({
        auth: {
          async handle(request) {
            if (request.url === '/token') made.auth.tokenSeconds = 3600;
            return false;
          },
        },
      });
      const rig = await made.signedIn();
      const [key = ''] = rig.secrets.values.keys();
      const kept = JSON.parse(rig.secrets.values.get(key) ?? '') as { grants: { via: { tokens: object } }[] };
      Object.assign(kept.grants[0]?.via.tokens ?? {}, { expires_in: seconds, expiresAt: Date.now() + seconds * 1000 });
      await rig.secrets.set(key, JSON.stringify(kept));
      assert.equal(await rig.call(), 'hello');
      assert.ok(made.auth.tokenRequests('refresh_token') <= 1, String(seconds));
    }
    // Each new one is over, and refused.
    let granted = 0;
    const made = await world({
      auth: tokenAnswer('refresh_token', () => {
        const token = `over-${(granted += 1)}`;
        made.auth.sweep.add('access_token', token);
        return { access_token: token, token_type: 'Bearer', refresh_token: 'refresh-over-at-birth', expires_in: 0 };
      }),
    });
    const rig = await made.signedIn();
    await made.auth.expire();
    const sent = made.server.authorizations.length;
    await assert.rejects(rig.call());
    assert.ok(granted > 0 && granted <= made.server.authorizations.length - sent, String(granted));
  });

  it('A registration that is forgotten or refused where it is used: the next sign-in registers anew', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    made.auth.forgetClients();
    await made.auth.expire();
    await rig.call().catch(() => undefined);
    await rig.test.until(() => rig.state === 'needs-auth');
    await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.equal(made.auth.seen.filter((line) => line.startsWith('POST /reg')).length, 2);
    assert.equal((await rig.test.host.signIns.accountsOf(rig.id)).length, 1);
  });

  it('A server that repeats the token it was sent, wherever it can', async () => {
    let isRepeating = false;
    const made = await world({
      server: {
        answer(request, response) {
          if (!isRepeating) return false;
          const said = `You are ${request.headers.authorization}`;
          json(
            response,
            400,
            { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: said, data: { said } } },
            { 'x-echo': said },
          );
          return true;
        },
      },
    });
    const rig = await made.signedIn();
    isRepeating = true;
    await assert.rejects(rig.call());
    await rig.test.host.pool.restart(rig.id).catch(() => undefined);
    await eventually('it failed', () => rig.state !== 'connecting');
    assert.ok(rig.log.length > 0);
  });

  it('A mix-up by the page: an authorization server that sends the browser to another one’s', async () => {
    const honest = await AuthServer.start();
    try {
      const made = await world({
        server: { scopes: ['read'] },
        auth: {
          async handle(request, response) {
            if (request.url === '/forward') {
              const headers = { 'content-type': 'application/json' };
              const body = JSON.stringify(formOf(request));
              const answer = await fetch(`${honest.issuer}/reg`, { method: 'POST', headers, body });
              json(response, answer.status, await answer.json());
              return true;
            }
            if (!request.url?.startsWith('/.well-known/o')) return false;
            const own = `http://${request.headers.host}`;
            json(response, 200, {
              issuer: own,
              authorization_endpoint: `${honest.issuer}/auth`,
              token_endpoint: `${own}/token`,
              registration_endpoint: `${own}/forward`,
              response_types_supported: ['code'],
              code_challenge_methods_supported: ['S256'],
              authorization_response_iss_parameter_supported: false,
            });
            return true;
          },
        },
      });
      const rig = await made.open();
      assert.equal((await failureOf(rig)).code, 'denied');
      assert.equal(rig.person.questions[0]?.pageHost, new URL(honest.issuer).host);
      assert.equal(rig.person.questions[0].issuer, made.auth.issuer, 'the question names both');
      assert.equal(made.auth.tokenRequests('authorization_code'), 0, 'the code was sent nowhere');
    } finally {
      await honest.close();
    }
  });

  it('A page on this machine or a private network, of a server elsewhere', async () => {
    const [server, issuer] = ['https://93.184.216.34', 'https://93.184.216.35'];
    let page = '';
    const made = await world({
      server: { rootMetadataAlone: true, metadata: () => ({ resource: `${server}/mcp` }) },
      auth: {
        handle({ url }, response) {
          if (!url?.startsWith('/.well-known/o')) return false;
          json(response, 200, {
            issuer,
            authorization_endpoint: page,
            token_endpoint: `${issuer}/token`,
            registration_endpoint: `${issuer}/reg`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          });
          return true;
        },
      },
    });
    made.server.authorizationServer = issuer;
    // The two are elsewhere as far as anybody here can tell.
    const places = new Map([
      [server, made.server.url],
      [issuer, made.auth.issuer],
    ]);
    const throughTunnel: typeof fetch = (input, init) => {
      const { origin, pathname, search } = new URL(input instanceof Request ? input.url : input);
      return fetch(new URL(pathname + search, places.get(origin) ?? origin), init);
    };
    const rig = await made.open({ entry: { url: `${server}/mcp` }, ports: { fetch: throughTunnel } });
    rig.person.agrees = false;
    for (const near of ['http://127.0.0.1:631/admin', 'http://localhost:9222/json', 'https://192.168.1.1/reboot']) {
      page = near;
      const error = await failureOf(rig);
      assert.equal(error.code, 'denied', near);
      assert.match(error.message, /is on (?:this machine|a private network)/);
    }
    assert.deepEqual(rig.person.questions, []);
    page = 'https://93.184.216.36/authorize';
    assert.equal((await failureOf(rig)).code, 'call-cancelled');
    assert.equal(rig.person.questions.length, 1, 'what is far away is asked about');
  });

  it('A server that names another authorization server, for a client that needs no person', async () => {
    const clients = [
      {
        client_id: 'machine',
        client_secret: 'machine-secret-4711',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ];
    const made = await world({ auth: { clients } });
    const other = await world({ auth: { clients: [] } });
    const oauth = { clientId: 'machine', clientSecret: 'machine-secret-4711', grant: 'client_credentials' };
    const rig = await made.open({ entry: { oauth } });
    made.auth.sweep.add('client_secret', 'machine-secret-4711');
    assert.equal(rig.state, 'connected', rig.log.join('\n'));
    assert.equal(await rig.call(), 'hello');
    await made.auth.revoke();
    made.server.authorizationServer = other.auth.issuer;
    await assert.rejects(rig.call());
    assert.deepEqual(
      other.auth.seen.filter((line) => line.startsWith('POST')),
      [],
      'it gets no secret',
    );
  });
});

describe('attacks by addresses in metadata', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'mcp.example.com': ['93.184.216.34'],
    'auth.example.com': ['64:ff9b::5db8:d822'],
  };
  const resolve = async (name: string): Promise<readonly string[]> => names[name] ?? [];
  const serverUrl = new URL('https://mcp.example.com/mcp');

  it('This machine and private networks, in every form of an address', async () => {
    const guard = addressGuard({ serverUrl, resolve });
    for (const host of [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.0.0.1', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
      ...[
        '127。0。0。1',
        '0',
        '0.0.0.0',
        '10.0.0.1',
        '167772161',
        '012.0.0.1',
        '192.168.0.1',
        '3232235521',
        '100.64.0.1',
      ],
      ...[
        '169.254.169.254',
        '2852039166',
        '0xa9fea9fe',
        'localhost',
        'LOCALHOST',
        'localhost.',
        'a.localhost.',
        '255.255.255.255',
      ],
      ...[
        '[::1]',
        '[0:0:0:0:0:0:0:1]',
        '[::]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[fe80::1]',
        '[fc00::1]',
      ],
      ...[
        '[fd12:3456::1]',
        '[fec0::1]',
        '[ff02::1]',
        '[64:ff9b::127.0.0.1]',
        '[64:ff9b::10.0.0.1]',
        '[64:ff9b::a9fe:a9fe]',
      ],
      ...[
        '[64:ff9b:1::1]',
        '[2002:7f00:1::]',
        '[2002:c0a8:1::1]',
        '[2002:a00::1]',
        '[::ffff:0:127.0.0.1]',
        '[64:ff9b::]',
      ],
    ])
      await assert.rejects(guard(new URL(`https://${host}/x`)), { name: 'RefusedAddress' }, host);
    for (const url of [
      'http://auth.example.com/',
      'ftp://auth.example.com/',
      'data:application/json,{}',
      'blob:https://a/b',
      'file:///etc/passwd',
      'javascript:1',
    ])
      await assert.rejects(guard(new URL(url)), { name: 'RefusedAddress' }, url);
    // A network that translates gives every public name such an address.
    for (const host of [
      'auth.example.com',
      '[64:ff9b::5db8:d822]',
      '93.184.216.34',
      '[2606:2800:220:1::1]',
      '[2002:5db8:d822::1]',
    ])
      await guard(new URL(`https://${host}/x`));
    assert.equal(reachOf('64:ff9b::1'), 'local');
    assert.equal(reachOf('::'), 'local');
  });

  it('Redirects of metadata, registrations and tokens to another origin', async () => {
    const heard: string[] = [];
    const inside = createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`);
      json(response, 200, { issuer: 'x' });
    });
    await new Promise<void>((resolve_) => inside.listen(0, '127.0.0.1', resolve_));
    const elsewhere = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
    for (const status of [301, 302, 303, 307, 308]) {
      const outer = createServer((_request, response) =>
        response.writeHead(status, { location: `${elsewhere}/x` }).end(),
      );
      await new Promise<void>((resolve_) => outer.listen(0, '127.0.0.1', resolve_));
      const url = `http://127.0.0.1:${(outer.address() as AddressInfo).port}/token`;
      const request = authFetch({ inner: fetch, serverUrl: new URL(url) });
      const body = new URLSearchParams({ code: 'a-code-that-is-secret' });
      assert.equal((await request(url, { method: 'POST', body })).status, status);
      outer.close();
    }
    assert.deepEqual(heard, []);
    inside.close();
  });
});
