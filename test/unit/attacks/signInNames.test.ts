// Names that change, answers that never end, and what is kept: attacks on signing in that the other files don't try.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { parseKept } from '../../../src/connection/auth/grants/accountGrants.ts';
import { addressGuard } from '../../../src/connection/auth/requests/addressGuard.ts';
import { authFetch } from '../../../src/connection/auth/requests/authFetch.ts';
import { scriptedHttp } from '../../fixtures/servers/http.ts';
import { eventually } from '../../support/eventually.ts';
import { followLinks, SharedSecrets, type SignInRig, TestPerson, useSignInWorlds } from '../../support/signInRig.ts';

type Body = Record<string, unknown>;
type Handle = (request: IncomingMessage, response: ServerResponse) => boolean;
const formOf = (request: IncomingMessage): Body => (request as IncomingMessage & { body?: Body }).body ?? {};

async function failureOf(rig: SignInRig): Promise<SwitchboardError> {
  const error: unknown = await rig.test.host.signIns.signIn(rig.id).catch((reason: unknown) => reason);
  assert.ok(error instanceof SwitchboardError, String(error));
  return error;
}

/** Changes a JSON answer before it is sent. */
function changing(path: string, change: (body: Body, request: IncomingMessage) => object): Handle {
  return (request, response) => {
    if (request.url?.split('?')[0] !== path) return false;
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: unknown) => {
      response.removeHeader('content-length');
      return end(JSON.stringify(change(JSON.parse(String(body)) as Body, request)));
    }) as typeof response.end;
    return false;
  };
}

describe('attacks on signing in by names, time and what is kept', function () {
  this.timeout(30_000);
  const world = useSignInWorlds();
  const closing: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** Where nothing may arrive, in whatever form. */
  async function elsewhere(): Promise<{ readonly url: string; readonly seen: string[] }> {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
  }

  /**
   * An HTTPS server on this machine with a certificate for `name`, which this process trusts.
   * @param trustedBy `https`: as in the editor, which adds the system's certificates to `https` and not to `tls`
   */
  async function secure(
    name: string,
    trustedBy: 'tls' | 'https' = 'tls',
  ): Promise<{ readonly port: number; readonly seen: string[] }> {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-tls-'));
    const line = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${name} -keyout key.pem -out cert.pem`;
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
    const [key, cert] = ['key.pem', 'cert.pem'].map((file) => readFileSync(join(folder, file), 'utf8'));
    rmSync(folder, { recursive: true });
    const known = tls.getCACertificates('default');
    if (trustedBy === 'tls') tls.setDefaultCACertificates([...known, cert ?? '']);
    else https.globalAgent.options.ca = cert ?? '';
    const seen: string[] = [];
    const server = https.createServer({ key, cert }, (request, response) => {
      seen.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      tls.setDefaultCACertificates(known);
      delete https.globalAgent.options.ca;
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return { port: (server.address() as AddressInfo).port, seen };
  }

  it('A name that is public first and leads to this machine or a private network then, to be as near', async () => {
    const own = await secure('inside.test');
    const here = async (): Promise<readonly string[]> => ['127.0.0.1'];
    const target = new URL('http://127.0.0.1:1/anything');
    // The server itself is there, with its certificate: it may lead there.
    await addressGuard({ serverUrl: new URL(`https://inside.test:${own.port}/mcp`), resolve: here })(target);
    // Who owns a name can have it stand for this machine, and not have its certificate here.
    for (const name of [`attacker.test:${own.port}`, 'attacker.test:1', `attacker.test`])
      await assert.rejects(
        addressGuard({ serverUrl: new URL(`https://${name}/mcp`), resolve: here })(target),
        { name: 'RefusedAddress' },
        name,
      );
    assert.deepEqual(own.seen, [], 'nothing is sent to find out');
  });

  it('A server with a certificate that only the editor’s requests trust is where it answers', async () => {
    const own = await secure('inside.test', 'https');
    const here = async (): Promise<readonly string[]> => ['127.0.0.1'];
    const target = new URL('http://127.0.0.1:1/anything');
    await addressGuard({ serverUrl: new URL(`https://inside.test:${own.port}/mcp`), resolve: here })(target);
    const other = addressGuard({ serverUrl: new URL(`https://attacker.test:${own.port}/mcp`), resolve: here });
    await assert.rejects(other(target), { name: 'RefusedAddress' });
    assert.deepEqual(own.seen, [], 'nothing is sent to find out');
  });

  it('A name with addresses without number, to have this machine connect to all of them', async () => {
    const asked: string[] = [];
    const many = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const guard = addressGuard({
      serverUrl: new URL('https://attacker.test/mcp'),
      resolve: async () => many,
      answersAt: async (_url, address) => {
        asked.push(address);
        return false;
      },
    });
    for (let time = 0; time < 3; time++)
      await assert.rejects(guard(new URL('https://10.0.0.1/')), { name: 'RefusedAddress' });
    assert.ok(asked.length <= 8, `${asked.length} connections`);
  });

  it('A name that is public when it is looked up, and leads here when it is requested', async () => {
    const inside = await secure('inside.test');
    const request = authFetch({
      // What a second look-up makes of it.
      inner: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        return fetch(`https://127.0.0.1:${inside.port}${url.pathname}`, init);
      },
      serverUrl: new URL('https://mcp.attacker.test/mcp'),
      resolve: async () => ['93.184.216.34'],
    });
    await assert.rejects(request('https://auth.attacker.test/.well-known/oauth-authorization-server'));
    assert.deepEqual(inside.seen, [], 'it ends at the certificate');
  });

  it('Answers that come late, or drip on without an end', async () => {
    const fixture = await scriptedHttp((request, response) => {
      if (request.url === '/silent') return true;
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(timer));
      return true;
    });
    closing.push(() => fixture.close());
    const { origin } = new URL(fixture.url);
    const request = authFetch({ inner: fetch, serverUrl: new URL('http://127.0.0.1:2/mcp'), limitMs: 100 });
    for (const path of ['/silent', '/dripping']) {
      const token = { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) };
      for (const init of [{}, token])
        await assert.rejects(request(`${origin}${path}`, init), { name: 'NoAnswer' }, path);
    }
  });

  it('Metadata that never comes, for a person who has enough of it', async () => {
    const made = await world({
      server: { answer: () => false, scopes: ['read'] },
      auth: { handle: ({ url }) => url?.startsWith('/.well-known/') === true },
    });
    const rig = await made.open();
    const abort = new AbortController();
    const waiting = rig.test.host.signIns.signIn(rig.id, { signal: abort.signal });
    waiting.catch(() => undefined);
    await rig.test.until(() => rig.test.host.signIns.view(rig.id)?.inProgress === true);
    abort.abort();
    await assert.rejects(waiting, { code: 'call-cancelled' });
    assert.deepEqual([...rig.person.listening], []);
  });

  it('A server that names another authorization server while a token is renewed', async () => {
    const evil = await elsewhere();
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    made.server.authorizationServer = new URL(evil.url).origin;
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    assert.deepEqual(evil.seen, []);
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
  });

  it('Metadata that is another one the second time it is asked for', async () => {
    const evil = await elsewhere();
    let count = 0;
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle: changing('/.well-known/oauth-authorization-server', (body) =>
          (count += 1) === 1 ? body : { ...body, token_endpoint: evil.url, revocation_endpoint: evil.url },
        ),
      },
    });
    const rig = await made.signedIn();
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    await rig.test.host.signIns.signOut(rig.id);
    assert.deepEqual(evil.seen, []);
    assert.equal(count, 1, 'what the person agreed to is what is used');
  });

  it('The code of somebody else’s sign-in, with the right state', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    // The attacker's own sign-in, at a client of their own, to the end of the page.
    const attacker = await made.open();
    let code = '';
    attacker.person.browse = (url) =>
      followLinks(url, (next) => {
        if (!next.searchParams.has('code')) return next;
        code = next.searchParams.get('code') ?? '';
        return undefined;
      });
    const abort = new AbortController();
    const theirs = attacker.test.host.signIns.signIn(attacker.id, { signal: abort.signal });
    theirs.catch(() => undefined);
    const victim = await made.open();
    victim.person.browse = async (url) => {
      await attacker.test.until(() => attacker.person.questions.length > 0);
      await eventually('the attacker has a code', () => code !== '');
      await followLinks(url, (next) => {
        if (next.searchParams.has('code')) next.searchParams.set('code', code);
        return next;
      });
    };
    assert.equal((await failureOf(victim)).code, 'denied');
    assert.deepEqual(await victim.test.host.signIns.accountsOf(victim.id), []);
    abort.abort();
  });

  it('An id token of another issuer, for another client or without an end, and a userinfo of somebody else', async () => {
    const idToken = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
    for (const claims of [
      { iss: 'https://elsewhere.example', aud: 'CLIENT', sub: 'admin', email: 'admin@elsewhere.example' },
      { iss: 'OWN', aud: 'another-client', sub: 'admin', email: 'admin@elsewhere.example' },
      { iss: 'OWN', aud: 'CLIENT', sub: 'x', email: { toString: 'admin@elsewhere.example' } },
    ]) {
      const made = await world({
        server: { scopes: ['openid', 'read'] },
        auth: {
          handle(request, response) {
            const text = (): string =>
              JSON.stringify(claims)
                .replace('OWN', made.auth.issuer)
                .replace('CLIENT', String(formOf(request)['client_id']));
            return changing('/token', (body) => ({ ...body, id_token: idToken(JSON.parse(text()) as object) }))(
              request,
              response,
            );
          },
        },
      });
      const rig = await made.open();
      const { label } = await rig.signIn();
      assert.doesNotMatch(label, /admin|object/);
    }
  });

  it('A place to revoke tokens that leads elsewhere, isn’t encrypted, or is none', async () => {
    const evil = await elsewhere();
    for (const endpoint of [
      '/redirecting',
      'http://auth.example.com/revoke',
      'file:///etc/passwd',
      'https://10.0.0.1:1/',
    ]) {
      const made = await world({
        server: { scopes: ['openid', 'read'] },
        auth: {
          handle(request, response) {
            if (request.url === '/redirecting') {
              response.writeHead(307, { location: evil.url }).end();
              return true;
            }
            return changing('/.well-known/oauth-authorization-server', (body) => ({
              ...body,
              revocation_endpoint: endpoint.startsWith('/') ? `${made.auth.issuer}${endpoint}` : endpoint,
            }))(request, response);
          },
        },
      });
      const rig = await made.open();
      await rig.signIn();
      assert.deepEqual(await rig.test.host.signIns.signOut(rig.id), { revoked: false }, endpoint);
      assert.deepEqual(await rig.test.host.signIns.accountsOf(rig.id), [], endpoint);
    }
    assert.deepEqual(evil.seen, []);
  });

  it('An issuer whose name has no end', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    made.server.authorizationServer = `${made.auth.issuer}/${'a/'.repeat(10_000)}`;
    const rig = await made.open();
    const { message } = await failureOf(rig);
    assert.match(message, /^.{1,200} is no issuer\.$/);
    assert.deepEqual([rig.person.questions, rig.person.clientQuestions], [[], []]);
  });

  it('Lists of authorization servers without an end, or with what is none', async () => {
    for (const servers of [
      Array.from({ length: 10_000 }, (_, index) => `https://${index}.attacker.example`),
      ['javascript:alert(1)'],
      ['file:///etc/passwd'],
      [{ toString: 'https://attacker.example' }],
      [''],
      'https://attacker.example',
    ]) {
      const made = await world({
        server: { scopes: ['read'], metadata: () => ({ authorization_servers: servers }) },
      });
      const rig = await made.open();
      const asked = Date.now();
      await failureOf(rig);
      assert.equal(rig.person.questions.length, 0, JSON.stringify(servers).slice(0, 50));
      assert.ok(made.auth.seen.length <= 4, `${Date.now() - asked} ms, ${made.auth.seen.length} requests`);
    }
  });

  it('A registration with an id that is no text, has controls, or has no end', async () => {
    for (const id of ['x'.repeat(100_000), { a: 1 }, 'a\r\nHost: elsewhere', '', '__proto__', 'javascript:alert(1)']) {
      const made = await world({
        server: { scopes: ['openid', 'read'] },
        auth: { handle: changing('/reg', (body) => ({ ...body, client_id: id })) },
      });
      const rig = await made.open();
      rig.person.browse = async (url, uri) => {
        // The authorization server knows no such client, and its page says so.
        assert.equal(new URL(url).host, new URL(made.auth.issuer).host);
        const state = new URL(url).searchParams.get('state') ?? '';
        await fetch(`${uri}?error=unauthorized_client&state=${state}`);
      };
      const { message } = await failureOf(rig);
      assert.ok(message.length < 1000 && !/[\r\n]/.test(message), message.slice(0, 200));
      assert.deepEqual(await rig.test.host.signIns.accountsOf(rig.id), []);
    }
  });

  it('An answer with a code and an error, or with an error that is a page', async () => {
    const link = '[Repair](command:workbench.action.terminal.new)\n# Signed in\u202e\u0007';
    for (const extra of [
      { error: 'access_denied', error_description: link },
      { error: link, error_description: 'x'.repeat(100_000).slice(0, 10_000) },
    ]) {
      const made = await world({ server: { scopes: ['openid', 'read'] } });
      const rig = await made.open();
      rig.person.browse = (url) =>
        followLinks(url, (next) => {
          if (next.searchParams.has('code'))
            for (const [name, value] of Object.entries(extra)) next.searchParams.set(name, value);
          return next;
        });
      const { fullMessage } = await failureOf(rig);
      assert.ok(fullMessage.length < 1000 && !/[\r\n\u202e\u0007]/.test(fullMessage), fullMessage);
      assert.equal(made.auth.tokenRequests('authorization_code'), 0, 'the code isn’t used');
    }
  });

  it('A kept secret that is damaged, or was written by somebody else', async () => {
    const grant = {
      id: 'a',
      label: 'a',
      serverUrl: 'x',
      issuer: 'https://a.example',
      scopes: [],
      via: { kind: 'editor' },
    };
    const grants = [
      null,
      { id: 1 },
      { ...grant, issuer: 'no address' },
      { ...grant, scopes: 'all' },
      { ...grant, via: null },
    ];
    const odd = { ...grant, via: { kind: 'oauth' } };
    for (const text of [
      'x',
      '[]',
      '{"version":1,"grants":{}}',
      JSON.stringify({ version: 1, grants: [...grants, odd] }),
    ])
      assert.deepEqual(parseKept(text), { grants: [], registrations: {} }, text);
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    const text = JSON.stringify({ version: 1, grants, registrations: null });
    for (const key of rig.secrets.values.keys()) rig.secrets.values.set(key, text);
    const again = await made.open(rig.kept);
    assert.equal(again.state, 'needs-auth');
    await again.signIn();
    assert.equal(await again.call(), 'hello');
  });

  it('A secret of one server that is put in the place of another’s', async () => {
    const one = await world({ server: { scopes: ['openid', 'read'] } });
    const two = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await one.signedIn();
    const secrets = new SharedSecrets();
    const other = await two.open({ secrets });
    await other.signIn();
    const [stolen] = [...rig.secrets.values.values()];
    for (const key of secrets.values.keys()) secrets.values.set(key, stolen ?? '');
    const before = two.server.authorizations.length;
    const again = await two.open(other.kept);
    assert.equal(again.state, 'needs-auth');
    const sent = two.server.authorizations.slice(before);
    assert.deepEqual(
      sent.filter((each) => (stolen ?? '').includes(each.split(' ')[1] ?? 'none')),
      [],
    );
  });

  it('A server that names GitHub as its authorization server, to get the editor’s account', async () => {
    const evil = await elsewhere();
    const asked: { readonly resource: string; readonly interactive: boolean }[] = [];
    const person = new TestPerson();
    const secrets = new SharedSecrets();
    const made = await world({
      server: { scopes: ['repo'], metadata: () => ({ authorization_servers: ['https://github.com/login/oauth'] }) },
    });
    const editorAccounts = {
      has: () => true,
      onDidChange: () => ({ dispose: () => undefined }),
      session: async (request: { readonly resource: string; readonly interactive: boolean }) => {
        asked.push(request);
        return undefined;
      },
    };
    const rig = await made.open({
      person,
      secrets,
      ports: {
        signIn: async () => ({ ...person.portsWith(secrets), editorAccounts }),
        fetch: (input, init) =>
          new URL(input instanceof Request ? input.url : input).host === 'github.com'
            ? Promise.resolve(new Response('{}', { status: 404 }))
            : fetch(input, init),
      },
    });
    // Connecting, calling and starting again ask nobody for it.
    for (let time = 0; time < 3; time++) await rig.test.host.pool.restart(rig.id).catch(() => undefined);
    await rig.settled();
    assert.deepEqual(asked, []);
    await failureOf(rig);
    // Only a sign-in does, and the question says which server gets it.
    assert.ok(asked.every(({ resource, interactive }) => interactive && resource === made.server.url));
    assert.deepEqual(evil.seen, []);
  });

  it('A definition whose redirect address is a stranger’s, or no address', async () => {
    for (const redirectUri of [
      'http://attacker.example/callback',
      'javascript:alert(1)',
      'no address',
      'cursor://x/y',
    ]) {
      const made = await world({ server: { scopes: ['openid', 'read'] } });
      const rig = await made.open({ entry: { oauth: { redirectUri } } });
      const problems = rig.test.host.config.snapshot.results.flatMap((result) => result.problems);
      assert.ok(
        problems.some(({ message }) => /redirectUri.*https:/s.test(message)),
        redirectUri,
      );
      await rig.signIn();
      assert.match(rig.person.redirects[0]?.registered?.uri ?? 'http://127.0.0.1', /^http:\/\/127\.0\.0\.1/);
    }
  });
});
