import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from '../../../fixtures/servers/http.ts';
import type { AuthServerOptions } from '../../../support/authServer.ts';
import { useSignInWorlds } from '../../../support/signInRig.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const VARIABLE = 'SWITCHBOARD_TEST_ASSERTION';

describe('tokens for an assertion', () => {
  const world = useSignInWorlds();
  afterEach(() => delete process.env[VARIABLE]);

  const entry = { oauth: { grant: 'jwt_bearer', clientId: 'workload', assertion: `\${env:${VARIABLE}}` } };

  /** An authorization server that trades assertions, as `answer` says. */
  function trading(answer: (response: ServerResponse) => void): {
    readonly forms: Record<string, string>[];
    readonly auth: AuthServerOptions;
  } {
    const forms: Record<string, string>[] = [];
    const handle = (
      request: IncomingMessage & { body?: Record<string, string> },
      response: ServerResponse,
    ): boolean => {
      if (request.url !== '/token') return false;
      forms.push(request.body ?? {});
      answer(response);
      return true;
    };
    return { forms, auth: { handle } };
  }

  it('are asked for with the assertion of the entry, and no page opens', async () => {
    const { forms, auth } = trading((response) =>
      json(response, 200, { access_token: 'for-the-workload', token_type: 'Bearer', expires_in: 3600 }),
    );
    const made = await world({
      auth,
      server: {
        scopes: ['read'],
        answer: ({ headers }) => (made.server.isOpen = headers.authorization !== undefined) && false,
      },
    });
    process.env[VARIABLE] = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJvbmUifQ.first';
    const rig = await made.open({ entry });
    assert.equal(rig.state, 'connected');
    const { grant_type: grant, assertion, client_id: client, resource } = forms[0] ?? {};
    assert.deepEqual([grant, assertion, client], [GRANT, process.env[VARIABLE], 'workload']);
    assert.equal(resource, made.server.url);
    assert.equal(made.server.authorizations.at(-1), 'Bearer for-the-workload');
    assert.equal(rig.person.questions.length, 0);
    // Another start of the server, when the platform has given another.
    process.env[VARIABLE] = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJvbmUifQ.second';
    await rig.test.host.pool.restart(rig.id);
    await rig.settled();
    assert.equal(rig.state, 'connected');
    assert.equal(forms.at(-1)?.['assertion'], process.env[VARIABLE]);
  });

  it('that are refused are asked for once, and in no other way', async () => {
    for (const error of ['invalid_grant', 'invalid_scope', 'unauthorized_client']) {
      const { forms, auth } = trading((response) => json(response, 400, { error }));
      const made = await world({ auth, server: { scopes: ['read'] } });
      process.env[VARIABLE] = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJvbmUifQ.over';
      const rig = await made.open({ entry });
      assert.equal(rig.state, 'failed');
      assert.deepEqual([...new Set(forms.map(({ grant_type: grant }) => grant))], [GRANT]);
      assert.equal(forms.length, 1, error);
      assert.ok(!made.auth.seen.some((line) => line.startsWith('POST /reg')));
    }
  });
});
