// A hostile server, authorization server, page and second window, once more: what the other files about signing in don't try.
import assert from 'node:assert/strict';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '../../../src/base/async.ts';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { addressGuard } from '../../../src/connection/auth/requests/addressGuard.ts';
import { authFetch } from '../../../src/connection/auth/requests/authFetch.ts';
import { reachOf } from '../../../src/connection/auth/requests/addressRules.ts';
import { bearerChallenge } from '../../../src/connection/auth/requests/challenges.ts';
import { absenceOf } from '../../../src/host/unavailableServers.ts';
import { canSignIn } from '../../../src/host/views/serverView.ts';
import { eventually } from '../../support/eventually.ts';
import { json } from '../../fixtures/servers/http.ts';
import { followLinks, SharedSecrets, type SignInRig, useSignInWorlds } from '../../support/signInRig.ts';

type Body = Record<string, unknown>;
const bodyOf = (request: IncomingMessage): Body => (request as IncomingMessage & { body?: Body }).body ?? {};
const METADATA = '/.well-known/oauth-authorization-server';

async function failureOf(rig: SignInRig): Promise<SwitchboardError> {
  const error: unknown = await rig.test.host.signIns.signIn(rig.id).catch((reason: unknown) => reason);
  assert.ok(error instanceof SwitchboardError, String(error));
  return error;
}

/** Changes the authorization server's metadata. */
function metadata(change: (own: Body, origin: string) => unknown) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!request.url?.startsWith(METADATA)) return false;
    const origin = `http://${request.headers.host}`;
    const own = {
      issuer: origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/reg`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
    const changed = change(own, origin);
    if (typeof changed === 'string') response.writeHead(200, { 'content-type': 'application/json' }).end(changed);
    else json(response, 200, changed);
    return true;
  };
}

describe('attacks on signing in, once more', function () {
  this.timeout(30_000);
  const world = useSignInWorlds();
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** A place on this machine where nothing may arrive; gives what did. */
  async function elsewhere(): Promise<{ readonly url: string; readonly seen: string[] }> {
    const seen: string[] = [];
    const server = createHttpServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
  }

  it('A name that stands for a private address, in any of its addresses and notations', async () => {
    const sent: string[] = [];
    const inner: typeof fetch = async (input) => {
      sent.push(new Request(input).url);
      return new Response('{}');
    };
    const near = [
      ...['10.0.0.1', '127.0.0.1', '169.254.169.254', '100.100.100.200', '0.0.0.0', '::', '::1', 'fd00:ec2::254'],
      ...['::ffff:10.0.0.1', '::ffff:7f00:1', 'fe80::1%eth0', '64:ff9b::169.254.169.254', '2002:a00:1::', 'ff02::1'],
      ...['::ffff:0:192.168.0.1', '255.255.255.255', '2001:db8:1:2:0:5efe:10.0.0.1', '2001:0:1:2:3:4:f5ff:fffe'],
    ];
    for (const address of near)
      for (const addresses of [[address], ['93.184.216.34', address]]) {
        const resolve = async (name: string): Promise<readonly string[]> =>
          name === 'mcp.example.com' ? ['93.184.216.34'] : addresses;
        const request = authFetch({ inner, serverUrl: new URL('https://mcp.example.com/mcp'), resolve });
        await assert.rejects(request('https://auth.attacker.example/token'), { name: 'RefusedAddress' }, address);
      }
    assert.deepEqual(sent, []);
    assert.equal(reachOf('2606:4700::1111'), 'public');
    assert.equal(reachOf('2001:0:53aa:64c:0:0:a247:27dd'), 'public', 'Teredo of a public address');
  });

  it('A server that has a private address beside its public one, to lead nearer', async () => {
    const guard = addressGuard({
      serverUrl: new URL('https://mcp.example.com/mcp'),
      resolve: async (name) => (name === 'mcp.example.com' ? ['10.0.0.9', '93.184.216.34'] : ['10.0.0.1']),
      answersAt: async () => true,
    });
    await assert.rejects(guard(new URL('https://inside.example.com/')), { name: 'RefusedAddress' });
  });

  it('A challenge whose texts look like parameters, or that has no end', async () => {
    const { scope, resourceMetadataUrl } =
      bearerChallenge(
        String.raw`Bearer realm="x, scope=\"admin\", resource_metadata=https://evil.example/", scope="read"`,
      ) ?? {};
    assert.equal(scope, 'read');
    assert.equal(resourceMetadataUrl, undefined);
    assert.equal(bearerChallenge('Basic realm="Bearer scope=admin"'), undefined);
    assert.equal(bearerChallenge('Bearer scope="a", scope="b"')?.scope, 'a');
    assert.deepEqual(bearerChallenge('Bearer realm="open'), {});
    for (const text of [
      `Bearer ${'a '.repeat(50_000)}`,
      `Bearer realm="${'\\"'.repeat(50_000)}`,
      ','.repeat(100_000),
    ]) {
      const begun = process.cpuUsage();
      bearerChallenge(text);
      assert.ok(process.cpuUsage(begun).user < 2_000_000, text.slice(0, 20));
    }
  });

  it('Metadata of the server at an address that is none, has a user, or is of another scheme', async () => {
    const other = await elsewhere();
    const host = new URL(other.url).host;
    for (const address of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x/y',
      'data:application/json,{}',
      'http://10.0.0.1/',
      `http://user:pass@${host}/`,
    ]) {
      const made = await world({
        server: {
          hasNoMetadata: true,
          answer({ headers }, response) {
            if (headers.authorization !== undefined) return false;
            json(response, 401, {}, { 'www-authenticate': `Bearer resource_metadata="${address}"` });
            return true;
          },
        },
      });
      const rig = await made.open();
      await failureOf(rig);
      assert.deepEqual(rig.person.questions, [], address);
      assert.ok(!other.seen.some((line) => line.includes('authorization')), address);
    }
  });

  it('A resource that is another server’s, so that the token is good there', async () => {
    for (const resource of [
      () => 'https://victim.example/mcp',
      (url: string) => `${url}x`,
      (url: string) => `${new URL(url).origin}/other`,
      () => 'urn:victim',
    ]) {
      const made = await world({ server: { metadata: (url) => ({ resource: resource(url) }) } });
      const rig = await made.open();
      await failureOf(rig);
      assert.deepEqual(rig.person.questions, []);
      assert.equal(made.auth.tokenRequests('authorization_code'), 0);
    }
  });

  it('Look-alikes of an issuer: with a user, a query, a fragment, other letters', async () => {
    for (const issuer of [
      (origin: string) => origin.replace('http://', 'http://github.com@'),
      (origin: string) => `${origin}?https://github.com`,
      (origin: string) => `${origin}#github.com`,
      (origin: string) => `${origin}/gіthub`,
      (origin: string) => `${origin}/\u202Emoc.buhtig`,
    ]) {
      const made = await world({ auth: { handle: metadata((own, origin) => ({ ...own, issuer: issuer(origin) })) } });
      made.server.authorizationServer = issuer(made.auth.issuer);
      const rig = await made.open();
      const error = await failureOf(rig);
      assert.deepEqual(rig.person.questions, [], error.message);
    }
  });

  it('A page whose address has a user that looks like its host', async () => {
    const made = await world({
      auth: {
        handle: metadata((own, origin) => ({
          ...own,
          authorization_endpoint: `${origin.replace('//', '//github.com@')}/auth`,
        })),
      },
    });
    const rig = await made.open();
    rig.person.agrees = false;
    await failureOf(rig);
    assert.deepEqual(
      rig.person.questions.map(({ pageHost }) => pageHost),
      [new URL(made.auth.issuer).host],
    );
  });

  it('Pages of every scheme that an editor or a browser does something with', async () => {
    for (const endpoint of [
      'data:text/html,<script>',
      'vscode-insiders://x/y',
      'command:workbench.action.quit',
      'ms-msdt:/id',
      'blob:https://x/1',
      'https:',
      'ftp://x.example/auth',
      '//evil.example/auth',
      ' javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'view-source:https://x.example',
    ]) {
      const made = await world({ auth: { handle: metadata((own) => ({ ...own, authorization_endpoint: endpoint })) } });
      const rig = await made.open();
      await failureOf(rig);
      assert.deepEqual(rig.person.questions, [], endpoint);
    }
  });

  it('Endpoints for tokens, clients and names that are no encrypted addresses', async () => {
    for (const [name, address] of [
      ['token_endpoint', 'http://auth.example.com/token'],
      ['token_endpoint', 'javascript:alert(1)'],
      ['registration_endpoint', 'http://auth.example.com/reg'],
      ['registration_endpoint', 'file:///etc/passwd'],
    ] as const) {
      const made = await world({ auth: { handle: metadata((own) => ({ ...own, [name]: address })) } });
      const rig = await made.open();
      await failureOf(rig);
      assert.equal(made.auth.tokenRequests('authorization_code'), 0);
      assert.equal(rig.state, 'needs-auth');
    }
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: { handle: metadata((own) => ({ ...own, userinfo_endpoint: 'http://auth.example.com/me' })) },
    });
    const rig = await made.signedIn();
    assert.equal(rig.state, 'connected', 'a name that can’t be asked for costs no sign-in');
  });

  it('An authorization server that can’t do PKCE with S256', async () => {
    const made = await world({
      auth: { handle: metadata((own) => ({ ...own, code_challenge_methods_supported: ['plain'] })) },
    });
    const rig = await made.open();
    await failureOf(rig);
    assert.deepEqual(rig.person.questions, []);
  });

  it('A page whose address has our parameters already', async () => {
    const theirs =
      'state=fixed&code_challenge=fixed&code_challenge_method=plain&redirect_uri=https%3A%2F%2Fevil.example&client_id=evil&response_type=token';
    const made = await world({
      auth: {
        handle: metadata((own) => ({
          ...own,
          authorization_endpoint: `${String(own['authorization_endpoint'])}?${theirs}`,
        })),
      },
    });
    const rig = await made.open();
    rig.person.agrees = false;
    await failureOf(rig);
    const page = new URL(rig.person.questions[0]?.url ?? '').searchParams;
    for (const name of [
      'state',
      'code_challenge',
      'code_challenge_method',
      'redirect_uri',
      'client_id',
      'response_type',
    ])
      assert.equal(page.getAll(name).length, 1, name);
    assert.equal(page.get('code_challenge_method'), 'S256');
    assert.equal(page.get('response_type'), 'code');
    assert.notEqual(page.get('state'), 'fixed');
    assert.match(page.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:/);
  });

  it('A registration that answers with other addresses to come back to', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (request.url !== '/reg') return false;
          const redirects = [
            'https://evil.example/callback',
            'http://localhost.evil.example/callback',
            'vscode://evil/callback',
          ];
          json(response, 201, { ...bodyOf(request), client_id: 'x', redirect_uris: redirects });
          return true;
        },
      },
    });
    const rig = await made.open();
    rig.person.agrees = false;
    await failureOf(rig);
    assert.match(
      new URL(rig.person.questions[0]?.url ?? '').searchParams.get('redirect_uri') ?? '',
      /^http:\/\/127\.0\.0\.1:/,
    );
  });

  it('A refusal with a status of success, that repeats what it was sent', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (request.url !== '/token') return false;
          json(response, 200, {
            error: 'invalid_code',
            error_description: `You sent ${JSON.stringify(bodyOf(request))} ${Object.values(bodyOf(request)).join(' ')}`,
          });
          return true;
        },
      },
    });
    const rig = await made.open();
    assert.match((await failureOf(rig)).message, /You sent/);
  });

  it('A registration that repeats the verifier, the state and itself in its error', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (request.url !== '/reg') return false;
          json(response, 400, {
            error: 'invalid_client_metadata',
            error_description: '<b>[x](command:y)</b>\u202E\r\n\u001b[31m'.repeat(500),
          });
          return true;
        },
      },
    });
    const rig = await made.open();
    await failureOf(rig);
    const [question] = rig.person.clientQuestions;
    assert.ok(question && question.why.length < 300 && !/[\r\n\u001b\u202E]/.test(question.why), question?.why);
  });

  it('Answers that are nested without end, or have names that objects come with', async () => {
    const deep = `{"issuer":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    for (const text of [
      deep,
      '[]',
      'null',
      '{"__proto__":{"issuer":"https://evil.example"}}',
      '{"issuer":{"toString":1}}',
    ]) {
      const made = await world({ auth: { handle: metadata(() => text) } });
      const rig = await made.open();
      await failureOf(rig);
      assert.equal(({} as Body)['issuer'], undefined);
      assert.deepEqual(rig.person.questions, []);
    }
  });

  it('Metadata with scopes without number', async () => {
    const made = await world({ server: { scopes: Array.from({ length: 20_000 }, (_, at) => `scope-${at}`) } });
    const rig = await made.open();
    await rig.signIn();
    for (const { url, scopes } of rig.person.questions)
      assert.ok(url.length < 16_000 && scopes.length < 5, 'none of them');
  });

  it('The answer of one window at the address of another', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const [one, two] = [await made.open(), await made.open({ secrets: new SharedSecrets() })];
    const address = deferred<string>();
    const ended = deferred<void>();
    const statuses: number[] = [];
    let first = '';
    one.person.browse = async (url, redirectUri) => {
      first = url;
      address.resolve(redirectUri);
    };
    const abort = new AbortController();
    const waiting = one.test.host.signIns.signIn(one.id, { signal: abort.signal });
    const target = await address.promise;
    two.person.browse = async (url) => {
      await followLinks(url, (next) => {
        if (!next.searchParams.has('code')) return next;
        const lured = new URL(target);
        lured.search = next.search;
        void fetch(lured).then((response) => statuses.push(response.status));
        return undefined;
      });
      await eventually('it is refused', () => statuses.length > 0);
      assert.deepEqual(statuses, [400]);
      ended.resolve();
    };
    const other = two.test.host.signIns.signIn(two.id, { signal: abort.signal });
    await ended.promise;
    assert.equal(made.auth.tokenRequests('authorization_code'), 0, 'nobody takes it');
    assert.ok(one.person.listening.has(target), 'and the wait goes on');
    await followLinks(first);
    await waiting;
    assert.equal(await one.call(), 'hello');
    abort.abort();
    await assert.rejects(other);
  });

  it('A page that is still open, after the sign-out', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    const opened = deferred<string>();
    rig.person.browse = async (url) => opened.resolve(url);
    const waiting = rig.test.host.signIns.signIn(rig.id, { account: 'new' });
    waiting.catch(() => undefined);
    const page = await opened.promise;
    await rig.test.host.signIns.signOut(rig.id);
    await assert.rejects(waiting, (error: SwitchboardError) => error.code === 'call-cancelled');
    assert.deepEqual([...rig.person.listening], []);
    await followLinks(page).catch(() => undefined);
    assert.deepEqual(await rig.test.host.signIns.accountsOf(rig.id), []);
  });

  it('A sign-out in one window, while another renews', async () => {
    const asked = deferred<void>();
    const go = deferred<void>();
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        async handle(request) {
          if (bodyOf(request)['grant_type'] !== 'refresh_token') return false;
          asked.resolve();
          await go.promise;
          return false;
        },
      },
    });
    const one = await made.signedIn();
    const two = await made.open(one.kept);
    await made.auth.expire();
    const call = one.call().catch(() => undefined);
    await asked.promise;
    const out = two.test.host.signIns.signOut(two.id);
    go.resolve();
    await Promise.all([call, out]);
    assert.deepEqual(await one.test.host.signIns.accountsOf(one.id), [], 'what was renewed doesn’t bring it back');
    assert.ok(![...one.secrets.values.values()].join('').includes('refresh_token":"'), 'nothing of it is kept');
    await one.call().catch(() => undefined);
    await eventually('both need a sign-in', () => one.state === 'needs-auth' && two.state === 'needs-auth');
  });

  it('A server that refuses a tool for everybody, to have its page opened again and again', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'], isPublic: (method) => method !== 'tools/call' } });
    const rig = await made.open();
    for (let time = 0; time < 5; time++) await rig.call().catch(() => undefined);
    const view = rig.test.host.view(rig.id);
    assert.ok(view && canSignIn(view));
    assert.deepEqual([rig.person.questions, made.auth.seen], [[], []]);
    assert.equal(made.server.refusals, 5, 'each call is sent once');
  });

  it('A refusal of one request with texts of its own, where the way out is shown', async () => {
    const text = '<b>[Sign in](command:evil)</b> at https://evil.example \u202E';
    const made = await world({
      server: {
        isPublic: (method) => method !== 'tools/call',
        answer({ headers }, response) {
          if (headers.authorization !== undefined || !isRefusing) return false;
          json(response, 401, { error: 'x', error_description: text }, { 'www-authenticate': 'Bearer' });
          return true;
        },
      },
    });
    let isRefusing = false;
    const rig = await made.open();
    isRefusing = true;
    const error: unknown = await rig.call().catch((reason: unknown) => reason);
    isRefusing = false;
    assert.ok(String(error).includes('needs a sign-in'));
    const view = rig.test.host.view(rig.id);
    assert.ok(view && canSignIn(view));
    assert.ok(!JSON.stringify([view.state, absenceOf(view)]).includes('evil'));
  });

  it('A hostile document of a client, and one that isn’t there', async () => {
    for (const clientMetadataUrl of [
      'http://evil.example/client.json',
      'https://user@evil.example/client.json',
      'javascript:alert(1)',
      'https://evil.example/',
    ]) {
      const made = await world({
        auth: {
          document: () => ({ client_id: 'https://other.example/x.json', redirect_uris: ['https://evil.example'] }),
        },
      });
      const rig = await made.open({ entry: { oauth: { clientMetadataUrl } } });
      rig.person.browse = async (url) => void (await fetch(url, { redirect: 'manual' }));
      const abort = new AbortController();
      const waiting = rig.test.host.signIns.signIn(rig.id, { signal: abort.signal });
      waiting.catch(() => undefined);
      await eventually(
        'it went on',
        () => rig.person.questions.length > 0 || made.auth.seen.length > 1 || rig.errors.length > 0,
      );
      abort.abort();
      await assert.rejects(waiting);
      assert.equal(made.auth.tokenRequests('authorization_code'), 0);
    }
  });
});
