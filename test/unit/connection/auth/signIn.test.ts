import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { isSaidNo } from '../../../../src/connection/auth/requests/authErrors.ts';
import { json } from '../../../fixtures/servers/http.ts';
import { eventually } from '../../../support/eventually.ts';
import { followLinks, SharedSecrets, TestPerson, useSignInWorlds } from '../../../support/signInRig.ts';

const NATIVE = { application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] };

/** The code of what a promise rejects with. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was thrown',
    (error: unknown) => (error instanceof SwitchboardError ? error.code : String(error)),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('signing in at a real authorization server', () => {
  const world = useSignInWorlds();

  it('the first sign-in: registers, asks, opens the browser, and connects', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const { auth, server } = made;
    const rig = await made.open();
    assert.equal(rig.state, 'needs-auth');
    assert.equal(rig.person.questions.length, 0, 'nothing is asked at a start');
    const account = await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.equal(await rig.call(), 'hello');
    assert.equal(account.label, 'alice@example.com');
    assert.equal(server.accounts.at(-1), 'alice');
    const [question] = rig.person.questions;
    assert.equal(question?.issuer, auth.issuer);
    assert.equal(question.pageHost, new URL(auth.issuer).host);
    assert.deepEqual(question.reason, { kind: 'sign-in' });
    assert.equal(new URL(question.url).searchParams.get('resource'), server.url);
    assert.equal(new URL(question.url).searchParams.get('code_challenge_method'), 'S256');
    assert.deepEqual(rig.person.outcomes, [{ ok: true, account: account.label }]);
    assert.equal(rig.person.listening.size, 0, 'nothing is left listening');
    assert.deepEqual(rig.test.host.signIns.view(rig.id)?.account, account);
  });

  it('an opened window uses what was granted before: no request to the authorization server, no question', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const first = await made.signedIn();
    await first.test.host.stop();
    const requests = made.auth.seen.length;
    const second = await made.open(first.kept);
    assert.equal(second.state, 'connected');
    assert.equal(await second.call(), 'hello');
    assert.deepEqual(made.auth.seen.slice(requests), []);
    assert.equal(second.person.questions.length, 0);
  });

  it('cancelled in the browser: says so, and nothing is left listening', async () => {
    const made = await world();
    const rig = await made.open();
    made.auth.agrees = false;
    const refused = await rig.signIn().then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(refused instanceof SwitchboardError);
    // The authorization server may have said no, too: nothing was cancelled, as far as is known.
    assert.deepEqual([refused.code, isSaidNo(refused)], ['denied', true]);
    assert.equal(rig.state, 'needs-auth');
    assert.equal(rig.person.outcomes[0]?.ok, false);
    assert.equal(rig.person.listening.size, 0);
  });

  it('a page that never comes back may not know the client: the next one is for a client that is registered anew', async () => {
    const made = await world();
    const rig = await made.signedIn();
    const registrations = (): number => made.auth.seen.filter((line) => line === 'POST /reg').length;
    await rig.signIn();
    assert.equal(registrations(), 1);
    rig.person.browse = async () => undefined;
    const abort = new AbortController();
    const never = codeOf(rig.test.host.signIns.signIn(rig.id, { signal: abort.signal }));
    await eventually('the page is open', () => rig.person.questions.length === 3);
    abort.abort();
    assert.equal(await never, 'call-cancelled');
    rig.person.browse = (url) => followLinks(url);
    await rig.signIn();
    assert.equal(registrations(), 2);
    assert.equal(rig.state, 'connected');
  });

  it('the question is declined: no page is opened', async () => {
    const made = await world();
    const rig = await made.open();
    rig.person.agrees = false;
    assert.equal(await codeOf(rig.signIn()), 'call-cancelled');
    assert.ok(!made.auth.seen.includes('GET /auth'));
  });

  it('cancelled while the browser is open, and begun anew: the second one ends the first', async () => {
    const made = await world();
    const rig = await made.open();
    rig.person.browse = async () => undefined;
    const abort = new AbortController();
    const first = codeOf(rig.test.host.signIns.signIn(rig.id, { signal: abort.signal }));
    await eventually('the first question', () => rig.person.questions.length === 1);
    assert.equal(rig.test.host.signIns.view(rig.id)?.inProgress, true);
    abort.abort();
    assert.equal(await first, 'call-cancelled');
    const second = codeOf(rig.test.host.signIns.signIn(rig.id));
    await eventually('the second question', () => rig.person.questions.length === 2);
    rig.person.browse = (url) => followLinks(url);
    await rig.signIn();
    assert.equal(await second, 'call-cancelled');
    assert.equal(rig.state, 'connected');
    assert.equal(rig.person.listening.size, 0);
  });

  it('answers with another state are refused, and the right one still counts', async () => {
    const made = await world();
    const rig = await made.open();
    const refused: number[] = [];
    rig.person.browse = async (url, redirectUri) => {
      for (const query of ['state=stolen&code=stolen', 'code=none', 'state=&error=access_denied'])
        refused.push((await fetch(`${redirectUri}?${query}`)).status);
      await followLinks(url);
    };
    await rig.signIn();
    assert.deepEqual(refused, [400, 400, 400]);
    assert.equal(rig.state, 'connected');
  });

  it('an answer that names another issuer is refused before its code is used', async () => {
    const made = await world();
    const rig = await made.open();
    rig.person.browse = (url) =>
      followLinks(url, (next) => {
        if (next.searchParams.has('iss')) next.searchParams.set('iss', 'https://other.example');
        return next;
      });
    assert.equal(await codeOf(rig.signIn()), 'denied');
    assert.equal(made.auth.tokenRequests('authorization_code'), 0);
  });

  it('a resource that isn’t the server’s own is refused', async () => {
    const made = await world({ server: { metadata: () => ({ resource: 'https://other.example/mcp' }) } });
    const rig = await made.open();
    assert.equal(await codeOf(rig.signIn()), 'unsupported');
    assert.equal(rig.person.questions.length, 0);
  });

  it('registration refused: asks for a client, with the address to register', async () => {
    const made = await world({
      auth: {
        clients: [
          {
            client_id: 'given',
            redirect_uris: ['http://127.0.0.1/callback'],
            token_endpoint_auth_method: 'none',
            ...NATIVE,
          },
        ],
        handle: (request, response) => {
          if (request.url !== '/reg') return false;
          response.writeHead(403).end('no');
          return true;
        },
      },
    });
    const rig = await made.open();
    rig.person.client = { clientId: 'given' };
    await rig.signIn();
    assert.equal(rig.state, 'connected');
    const [question] = rig.person.clientQuestions;
    assert.match(question?.redirectUri ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    // It is known from now on.
    await rig.test.host.signIns.signIn(rig.id);
    assert.equal(rig.person.clientQuestions.length, 1);
  });

  it('no registration at all: asks for a client, and a closed question ends the sign-in', async () => {
    const made = await world({ auth: { registers: false } });
    const rig = await made.open();
    assert.equal(await codeOf(rig.signIn()), 'call-cancelled');
    assert.equal(rig.person.clientQuestions.length, 1);
    assert.equal(rig.person.questions.length, 0);
  });

  it('a client of the definition is used with its secret and its port', async () => {
    const port = await freePort();
    const client = {
      client_id: 'mine',
      client_secret: 'its-own-secret-1',
      redirect_uris: [`http://localhost:${port}/callback`],
    };
    const made = await world({ auth: { registers: false, clients: [{ ...client, ...NATIVE }] } });
    const oauth = { clientId: 'mine', clientSecret: '${CLIENT_SECRET}', callbackPort: port, scopes: 'read' };
    const environment = { ...process.env, CLIENT_SECRET: client.client_secret };
    const rig = await made.open({ entry: { oauth }, ports: { environment } });
    await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.ok(rig.person.questions[0]?.scopes.includes('read'));
    assert.ok(!made.auth.seen.includes('POST /reg'));
  });

  it('a server that lists scopes which are refused is signed in to without them', async () => {
    const made = await world({ auth: { scopes: ['read'] }, server: { scopes: ['read', 'everything'] } });
    const rig = await made.open();
    await rig.signIn();
    assert.equal(rig.state, 'connected');
  });

  it('scopes come from the challenge first', async () => {
    const made = await world({ server: { scopes: ['read', 'write'], challengeScope: 'read' } });
    const rig = await made.open();
    await rig.signIn();
    assert.deepEqual(
      rig.person.questions[0]?.scopes.filter((scope) => scope !== 'offline_access'),
      ['read'],
    );
  });

  it('a call that needs more scopes asks once and is repeated', async () => {
    const needs = (method: string | undefined): string => (method === 'tools/call' ? 'write' : 'read');
    const made = await world({ server: { challengeScope: 'read', needs } });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
    const [, more, ...others] = rig.person.questions;
    assert.equal(more?.reason.kind, 'more-scopes');
    assert.ok(more.scopes.includes('read') && more.scopes.includes('write'));
    assert.equal(others.length, 0);
    assert.equal(await rig.call(), 'hello');
    assert.equal(rig.person.questions.length, 2);
  });

  it('more scopes that aren’t granted are asked for once', async () => {
    const needs = (method: string | undefined): string => (method === 'tools/call' ? 'write' : 'read');
    const made = await world({ server: { challengeScope: 'read', needs } });
    const rig = await made.signedIn();
    rig.person.agrees = false;
    await assert.rejects(rig.call());
    await assert.rejects(rig.call());
    assert.equal(rig.person.questions.length, 2);
    assert.equal(rig.state, 'connected', 'other tools still work');
  });

  it('two accounts in two workspaces never cross', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const one = await made.signedIn();
    const other = await made.open(one.shared);
    assert.equal(other.state, 'connected', 'the only account is used');
    made.auth.user = 'bob';
    await other.signIn({ account: 'new' });
    const { searchParams } = new URL(other.person.questions.at(-1)?.url ?? '');
    assert.match(searchParams.get('prompt') ?? '', /\blogin\b/, 'who is signed in there isn’t taken for somebody else');
    for (const [rig, name] of [
      [one, 'alice'],
      [other, 'bob'],
      [one, 'alice'],
      [other, 'bob'],
    ] as const) {
      assert.equal(await rig.call(), 'hello');
      assert.equal(made.server.accounts.at(-1), name);
    }
    const labels = (await one.test.host.signIns.accountsOf(one.id)).map(({ label, isCurrent }) => [label, isCurrent]);
    assert.deepEqual(labels, [
      ['alice@example.com', true],
      ['bob@example.com', false],
    ]);
    // A third workspace has not chosen: nobody’s account is used.
    const third = await made.open(one.shared);
    assert.equal(third.state, 'needs-auth');
    const bob = (await third.test.host.signIns.accountsOf(third.id)).find(({ label }) => label.startsWith('bob'));
    await third.test.host.signIns.switchAccount(third.id, bob?.id ?? '');
    assert.equal(await third.call(), 'hello');
    assert.equal(made.server.accounts.at(-1), 'bob');
    assert.equal(third.person.questions.length, 0);
  });

  it('signing out revokes and forgets, and other workspaces need a sign-in, too', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    assert.deepEqual(await rig.test.host.signIns.signOut(rig.id), { revoked: true });
    await rig.settled();
    assert.equal(rig.state, 'needs-auth');
    assert.ok(made.auth.seen.some((line) => line.startsWith('POST /token/revocation')));
    assert.deepEqual(await rig.test.host.signIns.accountsOf(rig.id), []);
    assert.equal(rig.test.host.signIns.view(rig.id)?.account, undefined);
    // The registration is still good.
    const registrations = made.auth.seen.filter((line) => line === 'POST /reg').length;
    await rig.signIn();
    assert.equal(registrations, 1);
  });

  it('signing out uses no other account in its place', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    made.auth.user = 'bob';
    await rig.signIn({ account: 'new' });
    await rig.test.host.signIns.signOut(rig.id);
    await rig.settled();
    assert.equal(rig.state, 'needs-auth');
    const labels = (await rig.test.host.signIns.accountsOf(rig.id)).map(({ label, isCurrent }) => [label, isCurrent]);
    assert.deepEqual(labels, [['alice@example.com', false]]);
  });

  it('resetting the registration forgets the client as well', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await rig.test.host.signIns.resetRegistration(rig.id);
    await rig.settled();
    assert.equal(rig.secrets.values.size, 0);
    await rig.signIn();
    assert.equal(made.auth.seen.filter((line) => line === 'POST /reg').length, 2);
  });

  it('signing in in one window connects the others that wait for it', async () => {
    const made = await world();
    const one = await made.open();
    const other = await made.open(one.shared);
    assert.equal(other.state, 'needs-auth');
    await one.signIn();
    await other.test.until(() => other.state === 'connected');
    assert.equal(other.person.questions.length, 0);
  });

  it('what was remembered of a server that wants a sign-in counts no more, in any window, once somebody signed in', async () => {
    const made = await world();
    const one = await made.open();
    await eventually('it is remembered', () => existsSync(join(one.stateDir, 'needs-auth.json')));
    // A start within 15 minutes asks the server nothing.
    const asked = made.server.seen.length;
    const second = await made.open(one.kept);
    assert.equal(second.state, 'needs-auth');
    assert.equal(made.server.seen.length, asked);
    await one.signIn();
    await second.test.until(() => second.state === 'connected');
    const third = await made.open(one.kept);
    assert.equal(third.state, 'connected');
    assert.equal(third.person.questions.length, 0);
  });

  it('an account is called as the userinfo says, where the id token says nothing', async () => {
    const asked: string[] = [];
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          // For tokens of another resource, this authorization server has none itself.
          if (request.url === '/me') {
            asked.push(request.headers.authorization ?? '');
            json(response, 200, { sub: 'alice', email: 'alice@userinfo.example' });
            return true;
          }
          if (request.url !== '/token') return false;
          const end = response.end.bind(response) as (body: string) => ServerResponse;
          response.end = ((body: unknown) => {
            const { id_token: _none, ...rest } = JSON.parse(String(body)) as Record<string, unknown>;
            response.removeHeader('content-length');
            return end(JSON.stringify({ ...rest, scope: 'openid read' }));
          }) as typeof response.end;
          return false;
        },
      },
    });
    const rig = await made.open();
    const { label } = await rig.signIn();
    assert.equal(label, 'alice@userinfo.example');
    assert.match(asked.join(), /^Bearer \S+$/);
  });

  it('a definition that sets Authorization has no sign-in, and a refusal says so', async () => {
    const made = await world();
    const rig = await made.open({ entry: { headers: { Authorization: 'Bearer fixed-token-77' } } });
    const state = rig.test.host.pool.get(rig.id)?.state;
    assert.ok(state?.kind === 'needs-auth');
    assert.equal(state.failure.canSignIn, undefined);
    assert.match(state.failure.message, /Authorization header/);
    assert.deepEqual(rig.test.host.signIns.view(rig.id), { off: 'headers' });
    assert.equal(await codeOf(rig.test.host.signIns.signIn(rig.id)), 'unsupported');
    assert.ok(!made.auth.seen.includes('GET /auth'));
  });

  it('an account of the editor is offered first, without a browser, and used after a restart', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    // What the editor got by itself: a token of this authorization server for this server.
    const helper = await made.signedIn();
    const [kept] = [...helper.secrets.values.values()].filter((text) => text.includes('access_token'));
    const accessToken = /"access_token":"([^"]+)"/.exec(kept ?? '')?.[1] ?? '';
    const asked: boolean[] = [];
    const editorAccounts = {
      has: (issuer: string) => issuer === made.auth.issuer,
      onDidChange: () => ({ dispose: () => undefined }),
      session: async ({ interactive }: { readonly interactive: boolean }) => {
        asked.push(interactive);
        return { accessToken, account: { id: 'editor-1', label: 'alice of the editor' } };
      },
    };
    const person = new TestPerson();
    const secrets = new SharedSecrets();
    const ports = { signIn: async () => ({ ...person.portsWith(secrets), editorAccounts }) };
    const rig = await made.open({ person, secrets, ports });
    assert.equal(rig.state, 'needs-auth');
    assert.deepEqual(asked, []);
    const account = await rig.signIn();
    assert.equal(account.label, 'alice of the editor');
    assert.equal(rig.state, 'connected');
    assert.equal(person.questions.length, 0);
    assert.equal(asked[0], true);
    assert.ok(asked.slice(1).every((interactive) => !interactive));
    assert.ok(
      [...secrets.values.values()].every((text) => !text.includes(accessToken)),
      'the editor keeps it',
    );
    const again = await made.open({ ...rig.kept, person, secrets, ports });
    assert.equal(await again.call(), 'hello');
    assert.equal(asked.filter(Boolean).length, 1);
  });

  it('an edited definition knows nothing of the account', async () => {
    const made = await world();
    const rig = await made.signedIn();
    const other = await made.open({ ...rig.kept, entry: { headers: { 'X-Proxy': 'other' } } });
    assert.equal(other.state, 'needs-auth');
    assert.deepEqual(await other.test.host.signIns.accountsOf(other.id), []);
  });
});
