import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { HttpFixture, json, scriptedHttp } from '../../fixtures/servers/http.ts';
import { ProtectedSocket } from '../../support/protectedSocket.ts';
import { useSignInWorlds } from '../../support/signInRig.ts';

const ONCE = { reconnect: { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 0, healthyAfterMs: 0 } };

describe('attacks on the further ways to sign in', function () {
  this.timeout(90_000);
  const world = useSignInWorlds();
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** Where nothing may arrive. */
  async function elsewhere(): Promise<HttpFixture> {
    const fixture = await scriptedHttp((_request, response) => {
      json(response, 200, {});
      return true;
    });
    closing.push(() => fixture.close());
    return fixture;
  }

  /** A server that answers every connection with `text`, and drips on where `dripping`. */
  async function raw(text: string, dripping: boolean): Promise<string> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(text);
        if (!dripping) return void socket.end();
        const timer = setInterval(() => socket.write('x'), 50);
        socket.once('close', () => clearInterval(timer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    });
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  it('A server that asks for other scopes again and again', async () => {
    let count = 0;
    const made = await world({
      auth: { scopes: ['read', 'more-1', 'more-2', 'more-3', 'more-4'] },
      server: {
        scopes: ['openid', 'read'],
        needs: (method) => (method === 'tools/call' ? `more-${(count += 1)}` : undefined),
      },
    });
    const rig = await made.signedIn();
    rig.person.agrees = false;
    for (let call = 0; call < 4; call++) await assert.rejects(rig.call());
    const asked = rig.person.questions.filter(({ reason }) => reason.kind === 'more-scopes');
    assert.equal(asked.length, 1);
  });

  it('A page whose address has no end', async () => {
    const made = await world({
      auth: {
        handle({ url, headers }, response) {
          if (!url?.startsWith('/.well-known/o')) return false;
          const own = `http://${headers.host}`;
          json(response, 200, {
            issuer: own,
            authorization_endpoint: `${own}/auth?${'x'.repeat(100_000)}`,
            token_endpoint: `${own}/token`,
            registration_endpoint: `${own}/reg`,
            response_types_supported: ['code'],
          });
          return true;
        },
      },
      server: { scopes: ['read'] },
    });
    const rig = await made.open();
    await assert.rejects(rig.signIn(), { code: 'denied' });
    assert.equal(rig.person.questions.length, 0);
    assert.equal(rig.person.listening.size, 0);
  });

  it('A refused WebSocket that leads elsewhere, never ends its answer, or has a status that there is none of', async () => {
    const made = await world();
    const other = await elsewhere();
    const socket = await ProtectedSocket.start(made.auth);
    closing.push(() => socket.close());
    const rig = await made.open({ entry: { type: 'ws', url: socket.url }, settings: ONCE });
    await rig.signIn();
    socket.fixture.refuse = async () => `307 Temporary Redirect\r\nLocation: ${other.url}`;
    socket.fixture.cut();
    await rig.test.until(() => rig.state === 'failed');
    assert.deepEqual(other.seen, []);
    const endless = await made.open({
      entry: { type: 'ws', url: await raw('HTTP/1.1 401 No\r\nContent-Length: 1000000\r\n\r\n', true) },
      settings: ONCE,
    });
    assert.equal(endless.state, 'needs-auth');
    const odd = await made.open({
      entry: { type: 'ws', url: await raw('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', false) },
      settings: ONCE,
    });
    assert.equal(odd.state, 'failed');
  });

  it('An identity provider that repeats the ID token, sends it elsewhere or refuses it again and again', async () => {
    const idToken = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.an-id-token-4711';
    const other = await elsewhere();
    let asked = 0;
    for (const answer of ['repeats', 'refuses', 'redirects'] as const) {
      asked = 0;
      const idp = new HttpFixture((request, response) => {
        request.resume();
        asked += 1;
        if (answer === 'redirects') response.writeHead(307, { location: other.url }).end();
        // The SDK asks again after this one.
        else if (answer === 'refuses') json(response, 401, { error: 'invalid_client' });
        else json(response, 400, { error: 'invalid_request', error_description: `What is ${idToken}?` });
      });
      await idp.listen();
      closing.push(() => idp.close());
      const made = await world({ server: { scopes: ['read'] } });
      made.auth.sweep.add('id_token', idToken);
      made.auth.sweep.add('client_secret', 'secret-of-the-client-0815');
      const client = { clientId: 'client', clientSecret: 'secret-of-the-client-0815' };
      const oauth = { ...client, grant: 'cross_app_access', idpClientId: 'here', idpTokenUrl: idp.url, idToken };
      const rig = await made.open({ entry: { oauth }, settings: ONCE });
      assert.notEqual(rig.state, 'connected');
      assert.equal(asked, 1, answer);
      if (answer === 'refuses') {
        // A call tries several times.
        made.server.isOpen = true;
        await rig.test.host.pool.restart(rig.id);
        await rig.settled();
        assert.equal(rig.state, 'connected');
        made.server.isOpen = false;
        await assert.rejects(rig.call());
        assert.equal(asked, 2);
      }
      assert.equal(made.auth.tokenRequests('urn:ietf:params:oauth:grant-type:jwt-bearer'), 0);
    }
    assert.deepEqual(other.seen, []);
  });
});
