// What people report of sign-ins in other hosts, rebuilt; each title has the tracker's name and number.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { json } from '../../../fixtures/servers/http.ts';
import { followLinks, type SignInRig, useSignInWorlds } from '../../../support/signInRig.ts';

type Form = Readonly<Record<string, string>>;
const formOf = (request: IncomingMessage): Form => (request as IncomingMessage & { body?: Form }).body ?? {};

/** What the page was asked with. */
function askedOf(rig: SignInRig): URLSearchParams {
  return new URL(rig.person.questions.at(-1)?.url ?? 'http://x').searchParams;
}

describe('reports of sign-ins in other hosts', () => {
  const world = useSignInWorlds();

  it('codex 27165, claude-code 76939, opencode 34582: a token that ended before the start is renewed at the start', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await rig.test.host.stop();
    await made.auth.expire();
    const again = await made.open(rig.kept);
    assert.equal(again.state, 'connected');
    assert.equal(await again.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    assert.equal(again.person.questions.length, 0);
  });

  it('codex 17265: parallel calls, long after the token ended, use one new token', async () => {
    const made = await world();
    const rig = await made.signedIn();
    for (const round of [1, 2]) {
      await made.auth.expire();
      const answers = await Promise.all(Array.from({ length: 10 }, () => rig.call()));
      assert.deepEqual(new Set(answers), new Set(['hello']));
      assert.equal(made.auth.tokenRequests('refresh_token'), round);
    }
  });

  it('vellum 37851: an answer without a refresh token keeps the old one', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (request.url !== '/token' || formOf(request)['grant_type'] !== 'refresh_token') return false;
          const end = response.end.bind(response);
          response.end = ((body: string) => {
            const { refresh_token: _kept, ...rest } = JSON.parse(body) as Record<string, unknown>;
            const text = JSON.stringify(rest);
            response.setHeader('content-length', Buffer.byteLength(text));
            return end(text);
          }) as typeof response.end;
          return false;
        },
      },
    });
    const rig = await made.signedIn();
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    const kept = [...rig.secrets.values.values()].join('');
    assert.match(kept, /"refresh_token":"[^"]+"/);
  });

  it('codex 27165: unauthorized_client for a refresh token needs one sign-in, which registers anew', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await made.auth.expire();
    made.auth.refreshFaults.push({
      status: 400,
      body: { error: 'unauthorized_client', error_description: 'refresh_token is invalid' },
    });
    await assert.rejects(rig.call());
    await rig.test.until(() => rig.state === 'needs-auth');
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('supabase mcp 355, claude-code 84614, mcp-remote 36, chatcli 1308: a page that says “unrecognized client”', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await made.auth.revoke();
    await rig.call().catch(() => undefined);
    await rig.test.until(() => rig.state === 'needs-auth');
    made.auth.forgetClients();
    // The page shows an error and never comes back: the person tries again.
    const abort = new AbortController();
    rig.person.browse = async (url) => {
      assert.ok((await fetch(url, { redirect: 'manual' })).status >= 400);
      abort.abort();
    };
    await assert.rejects(rig.test.host.signIns.signIn(rig.id, { signal: abort.signal }));
    rig.person.browse = (url) => followLinks(url);
    await rig.signIn();
    assert.equal(rig.state, 'connected');
  });

  it('MCPJungle 293, archestra 7246: the resource’s metadata at the root of the origin alone', async () => {
    const made = await world({ server: { rootMetadataAlone: true } });
    const rig = await made.signedIn();
    assert.equal(rig.state, 'connected');
    assert.equal(await rig.call(), 'hello');
  });

  it('atlassian 148, workers-oauth-provider 70: no metadata of the resource, and where to sign in written in the entry', async () => {
    const made = await world({ server: { rootMetadataAlone: false, hasNoMetadata: true } });
    const metadata = `${made.auth.issuer}/.well-known/openid-configuration`;
    const rig = await made.open({ entry: { oauth: { authServerMetadataUrl: metadata } } });
    await rig.signIn();
    assert.equal(rig.state, 'connected');
  });

  it('claude-code 41610: offline_access is asked for where the authorization server has it, and nowhere else', async () => {
    const made = await world({ server: { scopes: ['read'] } });
    const rig = await made.signedIn();
    assert.equal(askedOf(rig).get('scope'), 'read offline_access');
    // better-auth 3411: without it, servers that keep to OpenID Connect refuse the scope.
    assert.equal(askedOf(rig).get('prompt'), 'consent');
    const strict = await world({
      server: { scopes: ['read'] },
      auth: {
        handle(request, response) {
          if (!request.url?.startsWith('/.well-known/')) return false;
          const own = `http://${request.headers.host}`;
          json(response, 200, {
            issuer: own,
            authorization_endpoint: `${own}/auth`,
            token_endpoint: `${own}/token`,
            registration_endpoint: `${own}/reg`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            scopes_supported: ['openid', 'read'],
            authorization_response_iss_parameter_supported: true,
          });
          return true;
        },
      },
    });
    const other = await strict.signedIn();
    assert.equal(askedOf(other).get('scope'), 'read');
  });

  it('ai-workflow 298, formbricks 8406: offline_access that is announced and refused is left out', async () => {
    for (const challengeScope of [undefined, 'read']) {
      const made = await world({
        server: { scopes: ['read'], ...(challengeScope === undefined ? {} : { challengeScope }) },
        auth: {
          handle(request, response) {
            const url = new URL(request.url ?? '', 'http://x');
            if (url.pathname !== '/auth' || !url.searchParams.get('scope')?.includes('offline_access')) return false;
            const back = new URL(url.searchParams.get('redirect_uri') ?? '');
            const state = url.searchParams.get('state') ?? '';
            back.search = new URLSearchParams({
              error: 'invalid_scope',
              state,
              iss: `http://${request.headers.host}`,
            }).toString();
            response.writeHead(302, { location: back.href }).end();
            return true;
          },
        },
      });
      const rig = await made.open();
      await rig.signIn();
      assert.equal(rig.state, 'connected');
      assert.equal(askedOf(rig).get('scope')?.includes('offline_access') ?? false, false);
    }
  });

  it('metamcp 342, fastmcp 4600, batpred 4799: a token endpoint that reads client_id from the body alone', async () => {
    const client = {
      client_id: 'confidential',
      client_secret: 'secret-of-confidential-0815',
      redirect_uris: ['http://localhost:41873/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    };
    const made = await world({
      auth: {
        clients: [client],
        handle(request, response) {
          if (request.url !== '/token' || formOf(request)['client_id'] === client.client_id) return false;
          json(response, 400, { error: 'invalid_client', error_description: 'Missing client_id' });
          return true;
        },
      },
    });
    const oauth = { clientId: client.client_id, clientSecret: client.client_secret, callbackPort: 41_873 };
    const rig = await made.signedIn({ entry: { oauth } });
    assert.equal(rig.state, 'connected');
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
  });

  it('claude-code 83679: an error in another form is shown by its sentence, not by a schema’s', async () => {
    const made = await world({
      auth: {
        handle(request, response) {
          if (request.url !== '/token') return false;
          json(response, 401, [{ logref: '59ae17fe', message: 'Fetch token call failed: Bad credentials' }]);
          return true;
        },
      },
    });
    const rig = await made.open();
    const error: unknown = await rig.test.host.signIns.signIn(rig.id).catch((reason: unknown) => reason);
    assert.ok(error instanceof SwitchboardError);
    assert.match(error.message, /Bad credentials/);
    assert.doesNotMatch(error.message, /Zod|invalid_type/);
  });
});
