import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from '../../../fixtures/servers/http.ts';
import { type SignInRig, type SignInWorld, useSignInWorlds } from '../../../support/signInRig.ts';

const SECRET = 'machine-secret-0815';

describe('tokens of a client that no person answers for', () => {
  const world = useSignInWorlds();

  /** A connected server whose token is over; `answer`: what the token endpoint does then. */
  async function expired(
    answer: (response: ServerResponse) => void,
  ): Promise<{ readonly made: SignInWorld; readonly rig: SignInRig; readonly restore: () => void }> {
    let isFaulty = false;
    const client = {
      client_id: 'machine',
      client_secret: SECRET,
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
    };
    const handle = (request: IncomingMessage, response: ServerResponse): boolean => {
      if (!isFaulty || request.url !== '/token') return false;
      answer(response);
      return true;
    };
    const made = await world({ auth: { clients: [client], handle }, server: { scopes: ['read'] } });
    const oauth = { grant: 'client_credentials', clientId: 'machine', clientSecret: SECRET };
    const rig = await made.open({ entry: { oauth } });
    assert.equal(rig.state, 'connected');
    assert.equal(await rig.call(), 'hello');
    await made.auth.revoke();
    isFaulty = true;
    return { made, rig, restore: () => (isFaulty = false) };
  }

  const passing: Readonly<Record<string, (response: ServerResponse) => void>> = {
    temporarily_unavailable: (response) => json(response, 503, { error: 'temporarily_unavailable' }),
    server_error: (response) => json(response, 500, { error: 'server_error' }),
    'a page of a gateway': (response) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<p>Bad</p>'),
    'too many requests': (response) => json(response, 429, { error: 'too_many_requests' }),
  };
  for (const [name, answer] of Object.entries(passing))
    it(`a fault of the authorization server that passes fails no later call: ${name}`, async () => {
      const { made, rig, restore } = await expired(answer);
      const { host } = new URL(made.auth.issuer);
      await assert.rejects(rig.call(), (error: Error) => error.message.includes(`${host} refused the sign-in`));
      restore();
      assert.equal(await rig.call(), 'hello');
    });

  for (const error of ['invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type'])
    it(`who refuses the client isn’t asked again by later calls: ${error}`, async () => {
      const { made, rig } = await expired((response) => json(response, 400, { error }));
      await assert.rejects(rig.call());
      const asked = made.auth.tokenRequests('client_credentials');
      await assert.rejects(rig.call());
      assert.equal(made.auth.tokenRequests('client_credentials'), asked);
    });
});
