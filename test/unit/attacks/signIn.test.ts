import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { mayLeadTo, reachOf, reachOfHost } from '../../../src/connection/auth/requests/addressRules.ts';
import { authFetch } from '../../../src/connection/auth/requests/authFetch.ts';
import { canBeSentTo } from '../../../src/connection/auth/requests/bearer.ts';
import { json } from '../../fixtures/servers/http.ts';
import { followLinks, type SignInRig, useSignInWorlds } from '../../support/signInRig.ts';

/** The code that signing in fails with. */
async function refusal(rig: SignInRig): Promise<string> {
  return rig.test.host.signIns.signIn(rig.id).then(
    () => 'signed in',
    (error: unknown) => (error instanceof SwitchboardError ? error.code : String(error)),
  );
}

describe('attacks on signing in', () => {
  const world = useSignInWorlds();

  it('Metadata of a server that leads to a private address or this machine', async () => {
    const sent: string[] = [];
    const inner: typeof fetch = async (input) => {
      sent.push(new Request(input).url);
      return new Response('{}');
    };
    const names: Readonly<Record<string, readonly string[]>> = {
      'mcp.example.com': ['93.184.216.34'],
      'inside.example.com': ['93.184.216.34', '10.1.2.3'],
      'here.example.com': ['::1'],
      'auth.example.com': ['2606:2800:220:1::1'],
    };
    const resolve = async (name: string): Promise<readonly string[]> => names[name] ?? [];
    const request = authFetch({ inner, serverUrl: new URL('https://mcp.example.com/mcp'), resolve });
    const targets = [
      ...[
        'https://10.0.0.1/',
        'https://192.168.1.1/',
        'https://172.20.0.1/',
        'https://[fd00::1]/',
        'https://100.64.0.1/',
      ],
      ...['https://127.0.0.1/', 'https://localhost/', 'https://x.localhost/', 'https://[::1]/', 'http://localhost:1/'],
      ...['https://169.254.169.254/latest/meta-data', 'https://[fe80::1]/', 'https://0.0.0.0/', 'https://2130706433/'],
      ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:10.0.0.1]/', 'https://0x7f.1/', 'https://[64:ff9b::a00:1]/'],
      ...['https://inside.example.com/', 'https://here.example.com/', 'http://auth.example.com/', 'file:///etc/passwd'],
    ];
    for (const target of targets) await assert.rejects(request(target), { name: 'RefusedAddress' }, target);
    assert.deepEqual(sent, []);
    await request('https://auth.example.com/token');
    assert.equal(sent.length, 1);
    // A server on this machine or network may have its authorization server there, too.
    assert.ok(mayLeadTo('local', 'private') && mayLeadTo('private', 'public') && !mayLeadTo('private', 'local'));
    assert.equal(reachOf('::ffff:192.168.0.1'), 'private');
    assert.equal(reachOfHost('example.com'), undefined);
  });

  it('A page to sign in at that isn’t a web page with encryption', async () => {
    for (const endpoint of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x/y',
      'http://auth.example.com/auth',
    ]) {
      const made = await world({
        auth: {
          handle(request, response) {
            if (request.url !== '/.well-known/oauth-authorization-server') return false;
            const issuer = `http://${request.headers.host}`;
            json(response, 200, {
              issuer,
              authorization_endpoint: endpoint,
              token_endpoint: `${issuer}/token`,
              registration_endpoint: `${issuer}/reg`,
              response_types_supported: ['code'],
              code_challenge_methods_supported: ['S256'],
            });
            return true;
          },
        },
      });
      const rig = await made.open();
      assert.ok(['denied', 'unsupported'].includes(await refusal(rig)), endpoint);
      assert.equal(rig.person.questions.length, 0, endpoint);
    }
  });

  it('Mix-up: the answer of another authorization server', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const rig = await made.open();
    rig.person.browse = (url) =>
      followLinks(url, (next) => {
        if (next.searchParams.has('iss')) next.searchParams.set('iss', 'https://attacker.example');
        return next;
      });
    assert.equal(await refusal(rig), 'denied');
    // Without `iss`, which this authorization server says that it sends.
    rig.person.browse = (url) =>
      followLinks(url, (next) => {
        next.searchParams.delete('iss');
        return next;
      });
    assert.equal(await refusal(rig), 'denied');
    assert.equal(made.auth.tokenRequests('authorization_code'), 0, 'the code was sent nowhere');
  });

  it('A stolen or guessed `state`, and an answer that comes twice', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const rig = await made.open();
    const states = new Set<string>();
    const late: string[] = [];
    rig.person.browse = async (url, redirectUri) => {
      const state = new URL(url).searchParams.get('state') ?? '';
      states.add(state);
      for (const other of ['', state.slice(0, -1), `${state}x`, state.toUpperCase()])
        assert.equal((await fetch(`${redirectUri}?code=attackers&state=${other}`)).status, 400);
      let answer = '';
      await followLinks(url, (next) => {
        if (next.href.startsWith(redirectUri)) answer = next.href;
        return next;
      });
      late.push(
        await fetch(answer).then(
          ({ status }) => String(status),
          () => 'closed',
        ),
      );
    };
    await rig.signIn();
    await rig.signIn();
    assert.equal(states.size, 2, 'each sign-in has its own');
    for (const state of states) assert.ok(state.length >= 43, '256 bits');
    assert.equal(made.auth.tokenRequests('authorization_code'), 2);
  });

  it('A token that is lured to another host', async () => {
    const heard: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
    const made = await world({ server: { scopes: ['read'] } });
    const rig = await made.signedIn();
    // The server sends the client elsewhere with its token.
    made.server.redirectTo = elsewhere;
    await rig.test.host.pool.restart(rig.id);
    await rig.call().catch(() => undefined);
    assert.deepEqual(
      heard.filter((each) => each !== undefined),
      [],
    );
    await new Promise((resolve) => other.close(resolve));
    const server = new URL('https://mcp.example.com/mcp');
    for (const url of [
      'https://evil.example/mcp',
      'http://mcp.example.com/mcp',
      'https://mcp.example.com:444/mcp',
      'https://mcp.example.com.evil.example/',
    ])
      assert.equal(canBeSentTo(new URL(url), server), false, url);
  });

  it('A server that names another authorization server than the one signed in at', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const other = await world({ server: { scopes: ['read'] } });
    const rig = await made.signedIn();
    made.server.authorizationServer = other.auth.issuer;
    await made.auth.revoke();
    await rig.call().catch(() => undefined);
    await rig.test.until(() => rig.state === 'needs-auth');
    rig.person.agrees = false;
    assert.equal(await refusal(rig), 'call-cancelled');
    assert.deepEqual(rig.person.questions.at(-1)?.reason, { kind: 'other-issuer', previousIssuer: made.auth.issuer });
    assert.equal(other.auth.tokenRequests('refresh_token'), 0, 'it never got the tokens of the first');
  });

  it('A look-alike: metadata that calls itself another issuer', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (!request.url?.startsWith('/.well-known/o')) return false;
          json(response, 200, {
            issuer: 'https://accounts.example.com',
            authorization_endpoint: `http://${request.headers.host}/auth`,
            token_endpoint: `http://${request.headers.host}/token`,
            response_types_supported: ['code'],
          });
          return true;
        },
      },
    });
    const rig = await made.open();
    assert.equal(await refusal(rig), 'denied');
    assert.equal(rig.person.questions.length, 0);
  });

  it('A definition that pins its issuer, and a server that names another one', async () => {
    const made = await world();
    const oauth = { clientId: 'mine', clientSecret: 'secret-of-mine-42', issuer: 'https://auth.example.com' };
    const rig = await made.open({ entry: { oauth } });
    assert.equal(await refusal(rig), 'denied');
    assert.equal(rig.person.questions.length, 0);
    assert.equal(made.auth.tokenRequests('authorization_code'), 0);
  });

  it('An authorization server that sends a megabyte, or redirects elsewhere', async () => {
    const large: typeof fetch = async () => new Response(JSON.stringify({ issuer: 'x'.repeat(2 * 1024 * 1024) }));
    const serverUrl = new URL('http://127.0.0.1:1/mcp');
    await assert.rejects(async () => (await authFetch({ inner: large, serverUrl })('http://127.0.0.1:1/')).text());
    const modes: unknown[] = [];
    const redirecting: typeof fetch = async (_input, init) => {
      modes.push(init?.redirect);
      return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } });
    };
    const answer = await authFetch({ inner: redirecting, serverUrl })('http://127.0.0.1:1/token', { method: 'POST' });
    assert.equal(answer.status, 302);
    assert.deepEqual(modes, ['manual']);
  });

  it('Another repository’s entry for a server that is signed in to', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const rig = await made.signedIn();
    const { secrets, stateDir } = rig;
    const other = await made.open({ secrets, stateDir });
    assert.equal(other.state, 'needs-auth');
    assert.deepEqual(await other.test.host.signIns.accountsOf(other.id), []);
  });
});
