import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registration } from '../../../../src/connection/auth/grants/accountGrants.ts';
import { json } from '../../../fixtures/servers/http.ts';
import {
  followLinks,
  SharedSecrets,
  type SignInRig,
  type SignInWorld,
  useSignInWorlds,
} from '../../../support/signInRig.ts';

/** What hosted servers and the authorization servers before them are known for, beyond what the standards say. */
describe('hosted servers as they are', () => {
  const world = useSignInWorlds();
  const registrations = ({ auth }: SignInWorld): number =>
    auth.seen.filter((line) => line.startsWith('POST /reg')).length;
  const pageOf = (rig: SignInRig): URLSearchParams => new URL(rig.person.questions.at(-1)?.url ?? '').searchParams;
  const formOf = (request: IncomingMessage): Record<string, string> =>
    (request as IncomingMessage & { body?: Record<string, string> }).body ?? {};

  /** Changes what the token endpoint grants, before it is sent. */
  function granting(change: (granted: object) => object) {
    return (request: IncomingMessage, response: ServerResponse): boolean => {
      if (request.url !== '/token') return false;
      const end = response.end.bind(response) as (body: string) => ServerResponse;
      response.end = ((body: unknown) => {
        response.removeHeader('content-length');
        return end(JSON.stringify(change(JSON.parse(String(body)) as object)));
      }) as typeof response.end;
      return false;
    };
  }

  it('vercel/ai 13988, claude-code 52871, codex 35716 (Entra): a resource without a path is sent as it is written', async () => {
    const resources: (string | undefined)[] = [];
    const made = await world({
      auth: {
        handle(request) {
          if (request.url === '/token') resources.push(formOf(request)['resource']);
          return false;
        },
      },
      // It takes no token for another resource than its address, so that one is renewed at once.
      server: { scopes: ['openid', 'read'], metadata: (url) => ({ resource: new URL(url).origin }) },
    });
    const { origin } = new URL(made.server.url);
    const rig = await made.signedIn();
    assert.equal(pageOf(rig).get('resource'), origin);
    assert.ok(resources.length >= 2, 'the code was traded, and the token renewed');
    assert.deepEqual([...new Set(resources)], [origin]);
    const own = await made.open({
      entry: { oauth: { resource: 'https://resource.example' } },
      secrets: new SharedSecrets(),
    });
    await own.signIn();
    assert.equal(pageOf(own).get('resource'), 'https://resource.example');
  });

  it('Rock 6974: an issuer with a slash at its end is the same one', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    made.server.authorizationServer = `${made.auth.issuer}/`;
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
    assert.equal((await rig.test.host.signIns.accountsOf(rig.id))[0]?.issuer, made.auth.issuer);
  });

  it('opencode 50036 (JumpCloud): and so is one whose metadata has the slash alone', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (!request.url?.startsWith('/.well-known/o')) return false;
          const end = response.end.bind(response) as (body: string) => ServerResponse;
          response.end = ((body: unknown) => {
            response.removeHeader('content-length');
            const metadata = JSON.parse(String(body)) as { readonly issuer?: string };
            return end(JSON.stringify({ ...metadata, ...(metadata.issuer ? { issuer: `${metadata.issuer}/` } : {}) }));
          }) as typeof response.end;
          return false;
        },
      },
      server: { scopes: ['openid', 'read'] },
    });
    const rig = await made.open();
    rig.person.browse = (url) =>
      followLinks(url, (next) => {
        if (next.searchParams.has('iss')) next.searchParams.set('iss', `${made.auth.issuer}/`);
        return next;
      });
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello', 'it is renewed there, too');
  });

  it('Dibix 128: a refusal that refers to something else than metadata', async () => {
    const made = await world({
      server: {
        scopes: ['openid', 'read'],
        answer({ headers }, response) {
          if (headers.authorization !== undefined) return false;
          const challenge = `Bearer resource_metadata="${made.server.url}"`;
          json(response, 401, { error: 'invalid_token' }, { 'www-authenticate': challenge });
          return true;
        },
      },
    });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('mcporter 354 (Fastmail): a registration that makes another name of this machine of the address', async () => {
    const client = {
      client_id: 'normalized',
      redirect_uris: ['http://localhost/callback'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    };
    const made = await world({
      auth: {
        clients: [client],
        handle(request, response) {
          if (request.url !== '/reg') return false;
          json(response, 201, client);
          return true;
        },
      },
      server: { scopes: ['openid', 'read'] },
    });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
    assert.match(pageOf(rig).get('redirect_uri') ?? '', /^http:\/\/localhost:\d+\/callback$/);
    await rig.signIn();
    assert.equal(rig.state, 'connected');
  });

  it('python-sdk 3256, fastmcp 4457: a client whose secret has ended registers anew', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    const [[key, text] = ['', '{}']] = rig.secrets.values;
    const kept = JSON.parse(text) as { registrations: Record<string, Registration> };
    for (const { client } of Object.values(kept.registrations)) Object.assign(client, { client_secret_expires_at: 1 });
    await rig.secrets.set(key, JSON.stringify(kept));
    await rig.signIn();
    assert.equal(registrations(made), 2);
    assert.equal(await rig.call(), 'hello');
  });

  it('opencode 36946, mcp-remote 286, omp 8922, dify 36230 (Google Drive): a server that wants an account for calls alone', async () => {
    const made = await world({
      server: {
        scopes: ['openid', 'read'],
        isPublic: (method, tool) => method !== 'tools/call' || tool !== 'echo',
      },
    });
    const rig = await made.open();
    assert.equal(rig.state, 'connected', 'its tools are known without an account');
    await assert.rejects(rig.call(), /needs a sign-in/);
    await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.equal(await rig.call(), 'hello');
    assert.equal(made.server.accounts.at(-1), 'alice');
    const other = await made.open({ secrets: new SharedSecrets() });
    await other.signIn();
    assert.equal(await other.call(), 'hello', 'a sign-in needs no refusal before');
  });

  it('claude-code 29510: a restarted server that answers 401 to a session of before costs no sign-in', async () => {
    for (const challenge of [{}, { 'www-authenticate': 'Bearer error="invalid_token"' }]) {
      const known = new Set<string>();
      let hasRestarted = false;
      const made = await world({
        server: {
          scopes: ['openid', 'read'],
          answer({ headers }, response) {
            const session = headers['mcp-session-id'];
            if (typeof session !== 'string') return false;
            if (!hasRestarted) known.add(session);
            if (!hasRestarted || !known.has(session)) return false;
            json(response, 401, { error: 'Unauthorized' }, challenge);
            return true;
          },
        },
      });
      const rig = await made.signedIn();
      assert.equal(await rig.call(), 'hello');
      hasRestarted = true;
      await rig.call().catch(() => undefined);
      await rig.settled();
      assert.equal(rig.state, 'connected');
      assert.equal(await rig.call(), 'hello');
      assert.equal(rig.person.questions.length, 1);
    }
  });

  it('LibreChat 420 (Entra): expires_in as a string', async () => {
    const made = await world({ auth: { handle: granting((all) => ({ ...all, expires_in: '3600' })) } });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('GitHub, Slack: scopes with commas between them', async () => {
    const handle = granting((all) => ({ ...all, scope: 'openid,read' }));
    const made = await world({ auth: { handle }, server: { scopes: ['openid', 'read'] } });
    const rig = await made.open();
    assert.deepEqual((await rig.signIn()).scopes, ['openid', 'read']);
  });

  it('template-agent 265 (GitHub, Slack): a refusal of the grant or the client with HTTP 200 and a code of its own', async () => {
    for (const error of ['bad_refresh_token', 'invalid_refresh_token', 'incorrect_client_credentials']) {
      const made = await world({ server: { scopes: ['openid', 'read'] } });
      const rig = await made.signedIn();
      made.auth.refreshFaults.push({ status: 200, body: { ok: false, error } });
      await made.auth.expire();
      await assert.rejects(rig.call());
      await rig.test.until(() => rig.state === 'needs-auth');
      assert.equal(made.auth.tokenRequests('refresh_token'), 1, error);
      await rig.signIn();
      assert.equal(registrations(made), error.includes('client') ? 2 : 1, error);
      assert.equal(await rig.call(), 'hello');
    }
  });

  it('Slack: a public client of the person’s own, where nothing can be registered', async () => {
    const client = {
      client_id: 'app-of-mine',
      redirect_uris: ['http://localhost:41874/callback'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    };
    const made = await world({ auth: { clients: [client], registers: false }, server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn({ entry: { oauth: { clientId: client.client_id, callbackPort: 41_874 } } });
    assert.equal(await rig.call(), 'hello');
    assert.deepEqual(rig.person.clientQuestions, []);
  });

  it('Figma: a client with a secret, and a whole address that is registered', async () => {
    const redirectUri = 'http://127.0.0.1:41875/auth/came-back';
    const client = {
      client_id: 'known-client',
      client_secret: 'secret-of-known-client-4711',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    };
    const made = await world({ auth: { clients: [client], registers: false }, server: { scopes: ['openid', 'read'] } });
    const oauth = { clientId: client.client_id, clientSecret: client.client_secret, redirectUri };
    const rig = await made.signedIn({ entry: { oauth } });
    assert.equal(pageOf(rig).get('redirect_uri'), redirectUri);
    assert.equal(await rig.call(), 'hello');
  });
});
