// More of what people report of sign-ins in other hosts, rebuilt; each title has the tracker's name and number.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { json } from '../../../fixtures/servers/http.ts';
import { followLinks, type SignInRig, type SignInWorld, useSignInWorlds } from '../../../support/signInRig.ts';

type Form = Readonly<Record<string, string>>;
const formOf = (request: IncomingMessage): Form => (request as IncomingMessage & { body?: Form }).body ?? {};
const pageOf = (rig: SignInRig): URLSearchParams => new URL(rig.person.questions.at(-1)?.url ?? '').searchParams;

/** Changes a JSON answer before it is sent. */
function changing(path: string, change: (body: object, request: IncomingMessage) => object) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url?.split('?')[0] !== path) return false;
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: unknown) => {
      response.removeHeader('content-length');
      return end(JSON.stringify(change(JSON.parse(String(body)) as object, request)));
    }) as typeof response.end;
    return false;
  };
}

/** The authorization server's metadata, as of an issuer below its origin. */
function metadataOf(issuer: string, origin: string, more: object = {}): object {
  return {
    issuer,
    authorization_endpoint: `${origin}/auth`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/reg`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...more,
  };
}

describe('other reports of sign-ins in other hosts', () => {
  const world = useSignInWorlds();

  /** The page ends with the `iss` that the metadata says, or without one. */
  const asIssuer = (rig: SignInRig, iss: string | undefined): void => {
    rig.person.browse = (url) =>
      followLinks(url, (next) => {
        if (iss === undefined) next.searchParams.delete('iss');
        else if (next.searchParams.has('iss')) next.searchParams.set('iss', iss);
        return next;
      });
  };

  /** A world whose authorization server has metadata at some paths alone. */
  async function tenants(
    paths: (origin: string) => Readonly<Record<string, object>>,
    issuer: string,
  ): Promise<SignInWorld> {
    const made: SignInWorld = await world({
      auth: {
        handle(request, response) {
          if (!request.url?.includes('/.well-known/')) return false;
          const found = paths(`http://${request.headers.host}`)[request.url];
          json(response, found ? 200 : 404, found ?? {});
          return true;
        },
      },
    });
    made.server.authorizationServer = `${made.auth.issuer}${issuer}`;
    return made;
  }

  it('claude-code 95270, mcp-context-forge 3088: metadata of an issuer with a path', async () => {
    for (const path of ['/.well-known/oauth-authorization-server/github', '/github/.well-known/openid-configuration']) {
      const made = await tenants(
        (origin) => ({
          [path]: metadataOf(`${origin}/github`, origin, {
            jwks_uri: `${origin}/jwks`,
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          }),
        }),
        '/github',
      );
      const rig = await made.open();
      asIssuer(rig, undefined);
      await rig.signIn();
      assert.equal(await rig.call(), 'hello', path);
    }
  });

  it('oh-my-pi 3539 (Plane), litellm 37204: the root’s metadata isn’t a tenant’s', async () => {
    const made = await tenants(
      (origin) => ({
        '/.well-known/oauth-authorization-server': metadataOf(origin, `${origin}/wrong`),
        '/.well-known/oauth-authorization-server/http': metadataOf(`${origin}/http`, origin),
      }),
      '/http',
    );
    const rig = await made.open();
    asIssuer(rig, undefined);
    await rig.signIn();
    assert.equal(new URL(rig.person.questions[0]?.url ?? '').pathname, '/auth');
  });

  it('smartbear-mcp 682: metadata with another path in its issuer is refused, until the entry names it', async () => {
    const made = await tenants(
      (origin) => ({ '/.well-known/oauth-authorization-server': metadataOf(`${origin}/backend/proxy`, origin) }),
      '',
    );
    const rig = await made.open();
    await assert.rejects(rig.signIn(), /isn't its own/);
    const authServerMetadataUrl = `${made.auth.issuer}/.well-known/oauth-authorization-server`;
    const other = await made.open({ entry: { oauth: { authServerMetadataUrl } } });
    asIssuer(other, undefined);
    await other.signIn();
    assert.equal(await other.call(), 'hello');
  });

  it('xum 3734 (GitLab): the issuer is the authorization server, and not the endpoint below it', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    assert.equal(rig.person.questions[0]?.issuer, made.auth.issuer);
  });

  for (const [report, method] of [
    ['codex 40928', 'client_secret_post'],
    ['ruby_llm-mcp 137 (Canny)', undefined],
  ] as const)
    it(`${report}: a registration that was asked for without a secret and gives one is used as it says`, async () => {
      const client = {
        client_id: 'given',
        client_secret: 'a-given-secret-4711',
        redirect_uris: ['http://127.0.0.1/callback'],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      };
      const headers: (string | undefined)[] = [];
      const made = await world({
        auth: {
          clients: [client],
          handle(request, response) {
            if (request.url === '/token') headers.push(request.headers.authorization);
            if (request.url !== '/reg') return false;
            const { token_endpoint_auth_method: _as, ...rest } = client;
            const redirects = (request as IncomingMessage & { body: { redirect_uris: string[] } }).body.redirect_uris;
            json(response, 201, {
              ...rest,
              redirect_uris: redirects,
              ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
            });
            return true;
          },
        },
        server: { scopes: ['openid', 'read'] },
      });
      const rig = await made.signedIn();
      assert.equal(await rig.call(), 'hello');
      if (method !== undefined) assert.deepEqual([...new Set(headers)], [undefined]);
      await made.auth.expire();
      assert.equal(await rig.call(), 'hello', 'and when it is renewed');
    });

  for (const [report, challenge] of [
    ['qwen-code 5343: with blanks around the sign', 'Bearer realm="a, b", scope = "write"'],
    ['toolport 598: behind another scheme', 'Basic realm="x", Bearer scope="write"'],
    ['toolport 598: in small letters, and unquoted', 'bearer scope=write'],
    ['toolport 598: the second of two headers', ['Basic realm="x"', 'Bearer scope="write"']],
  ] as const)
    it(`a challenge that is written otherwise. ${report}`, async () => {
      const made = await world({
        server: {
          answer({ headers }, response) {
            if (headers.authorization !== undefined) return false;
            response.writeHead(401, { 'www-authenticate': challenge as string | string[] }).end();
            return true;
          },
          scopes: ['openid', 'read'],
        },
      });
      const rig = await made.signedIn();
      assert.equal(await rig.call(), 'hello');
      assert.deepEqual(rig.person.questions[0]?.scopes, ['write', 'offline_access'], 'what the challenge says');
    });

  it('metabase 80389, oauth2-server 993, better-auth 8103, flowfuse 8547: invalid_request for a grant that is gone', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    await made.auth.expire();
    const refuse = (): void => {
      for (let time = 0; time < 6; time++)
        made.auth.refreshFaults.push({
          status: 400,
          body: { error: 'invalid_request', error_description: 'The token request is invalid.' },
        });
    };
    refuse();
    await rig.call().catch(() => undefined);
    await rig.test.until(() => rig.state === 'needs-auth');
    const asked = made.auth.tokenRequests('refresh_token');
    assert.ok(asked <= 6, `${asked} requests`);
    // Where it was the server's own mistake, the grant is still there.
    made.auth.refreshFaults.length = 0;
    await rig.test.host.pool.connect(rig.id);
    await rig.settled();
    assert.equal(rig.state, 'connected');
    assert.equal(rig.person.questions.length, 1);
    await made.auth.expire();
    refuse();
    await rig.call().catch(() => undefined);
    await rig.test.until(() => rig.state === 'needs-auth');
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('claude-code 89862, mcp-remote 357, typescript-sdk 2718 (Entra): a renewal that is refused, or grants less, without the scopes', async () => {
    for (const refuses of [true, false]) {
      const sent: (string | undefined)[] = [];
      const made = await world({
        server: { scopes: ['openid', 'read'], needs: () => 'read' },
        auth: {
          handle(request, response) {
            const form = formOf(request);
            if (request.url !== '/token' || form['grant_type'] !== 'refresh_token') return false;
            sent.push(form['scope']);
            if (form['scope'] !== undefined) return false;
            if (!refuses)
              return changing('/token', (body) => ({ ...body, access_token: 'of-another-scope', scope: '.0815' }))(
                request,
                response,
              );
            json(response, 400, {
              error: 'invalid_request',
              error_description: 'AADSTS90009: requesting a token for itself',
            });
            return true;
          },
        },
      });
      const rig = await made.signedIn();
      assert.equal(await rig.call(), 'hello');
      await made.auth.expire();
      assert.equal(await rig.call(), 'hello', refuses ? 'refused' : 'less');
      assert.equal(sent.length, 2);
      assert.match(sent[1] ?? '', /\bread\b/);
      assert.equal(rig.person.questions.length, 1);
    }
  });

  it('LibreChat 13412 (Salesforce): a renewal that is refused with scopes', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          const form = formOf(request);
          if (form['grant_type'] !== 'refresh_token' || form['scope'] === undefined) return false;
          json(response, 400, { error: 'invalid_request', error_description: 'scope parameter not supported' });
          return true;
        },
      },
    });
    const rig = await made.signedIn();
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
  });

  it('typescript-sdk 2255, claude-code 28258: more scopes are asked for in the browser, although there is a refresh token', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'], needs: (method) => (method === 'tools/call' ? 'write' : undefined) },
    });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
    assert.equal(rig.person.questions.at(-1)?.reason.kind, 'more-scopes');
    assert.equal(made.auth.tokenRequests('refresh_token'), 0);
  });

  it('ironclaw 1049 (Attio), OpenMetadata 28951: a state that has to be there, and that comes back encoded twice', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.open();
    rig.person.browse = (url) => {
      assert.ok((new URL(url).searchParams.get('state') ?? '').length >= 32);
      return followLinks(url, (next) => {
        if (next.searchParams.has('code'))
          next.searchParams.set('state', encodeURIComponent(next.searchParams.get('state') ?? ''));
        return next;
      });
    };
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('mcpproxy-go 1067: the browser’s page doesn’t speak of success where the code isn’t traded', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          if (request.url !== '/token') return false;
          json(response, 400, { error: 'invalid_grant' });
          return true;
        },
      },
    });
    const rig = await made.open();
    await assert.rejects(rig.signIn());
    assert.deepEqual(
      rig.person.outcomes.map(({ ok }) => ok),
      [false],
    );
  });

  it('claude-code 59725, agor 824, kody 1346, litellm 42477 (Slack): tokens one level deeper', async () => {
    for (const member of ['authed_user', 'data']) {
      const made = await world({
        server: { scopes: ['openid', 'read'] },
        auth: {
          handle: changing('/token', (body) => {
            const { access_token: access, refresh_token: refresh, expires_in: ends } = body as Record<string, unknown>;
            const scope = 'openid,read';
            const within = {
              id: 'U1',
              access_token: access,
              refresh_token: refresh,
              expires_in: ends,
              scope,
              token_type: 'user',
            };
            return { ok: true, error: null, app_id: 'A1', team: { id: 'T1' }, [member]: within };
          }),
        },
      });
      const rig = await made.signedIn();
      assert.equal(await rig.call(), 'hello');
      await made.auth.expire();
      assert.equal(await rig.call(), 'hello', 'and renewed');
      assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    }
  });

  it('openwork 3569 (Slack): HTTP 200 that refuses the code says why, and a token of type “user” is one', async () => {
    let isRefusing = true;
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          if (request.url !== '/token') return false;
          if (!isRefusing)
            return changing('/token', (body) => ({ ok: true, error: '', ...body, token_type: 'user' }))(
              request,
              response,
            );
          json(response, 200, { ok: false, error: 'invalid_code' });
          return true;
        },
      },
    });
    const rig = await made.open();
    const error: unknown = await rig.test.host.signIns.signIn(rig.id).catch((reason: unknown) => reason);
    assert.ok(error instanceof SwitchboardError);
    assert.match(error.message, /invalid_code/);
    isRefusing = false;
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('onyx 12874 (Notion), mcp-oauth-proxy 52: the registration says that the client has no secret, and none is sent', async () => {
    let registered: Record<string, unknown> = {};
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle(request, response) {
          if (request.url === '/reg')
            registered = (request as IncomingMessage & { body: Record<string, unknown> }).body;
          if (request.url !== '/token') return false;
          if (request.headers.authorization === undefined && formOf(request)['client_secret'] === undefined)
            return false;
          json(response, 400, {
            error: 'invalid_request',
            error_description: 'Client must not use multiple authentication methods',
          });
          return true;
        },
      },
    });
    const rig = await made.signedIn();
    assert.equal(registered['token_endpoint_auth_method'], 'none');
    assert.equal(await rig.call(), 'hello');
  });

  it('nutrition-mcp 51: metadata at the roots alone, 404 elsewhere', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'], rootMetadataAlone: true } });
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('micronaut-security 235, identity-inbound-auth-oauth 248: HTTP 500 says nothing of the grant, whatever its body says', async () => {
    for (const error of ['invalid_client', 'invalid_grant']) {
      const made = await world({ server: { scopes: ['openid', 'read'] } });
      const rig = await made.signedIn();
      await made.auth.expire();
      made.auth.refreshFaults.push({ status: 500, body: { error } });
      assert.equal(await rig.call(), 'hello', error);
      assert.equal(made.auth.tokenRequests('refresh_token'), 2, 'it is asked again');
      assert.equal(rig.person.questions.length, 1);
    }
  });

  it('an address of the page that has parameters already keeps them (Azure AD B2C: `p`), and ours are there once', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'] },
      auth: {
        handle: changing('/.well-known/oauth-authorization-server', (body) => ({
          ...body,
          authorization_endpoint: `${(body as { authorization_endpoint?: string }).authorization_endpoint}?p=B2C_1_signin&state=theirs`,
        })),
      },
    });
    const rig = await made.signedIn();
    assert.equal(pageOf(rig).get('p'), 'B2C_1_signin');
    assert.equal(pageOf(rig).getAll('state').length, 1);
    assert.notEqual(pageOf(rig).get('state'), 'theirs');
  });
});
