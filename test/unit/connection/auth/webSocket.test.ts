import { strict as assert } from 'node:assert';
import { discover } from '../../../../src/connection/auth/flow/discovery.ts';
import * as sdk from '../../../../src/connection/protocol/sdk.ts';
import { httpAddress } from '../../../../src/connection/remote/httpAddress.ts';
import { ProtectedSocket } from '../../../support/protectedSocket.ts';
import { type SignInRig, type SignInWorld, useSignInWorlds } from '../../../support/signInRig.ts';

describe('signing in to a server over WebSockets', () => {
  const world = useSignInWorlds();
  const sockets: ProtectedSocket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) await socket.close();
  });

  async function started(): Promise<{
    readonly made: SignInWorld;
    readonly socket: ProtectedSocket;
    readonly open: (options?: object) => Promise<SignInRig>;
  }> {
    const made = await world();
    const socket = await ProtectedSocket.start(made.auth);
    sockets.push(socket);
    return { made, socket, open: (options) => made.open({ ...options, entry: { type: 'ws', url: socket.url } }) };
  }

  it('the refused request for a WebSocket says where, and the token goes into the next one', async () => {
    const { made, socket, open } = await started();
    const rig = await open();
    assert.equal(rig.state, 'needs-auth');
    assert.equal(rig.person.questions.length, 0);
    const account = await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.equal(await rig.call(), 'hello');
    assert.equal(account.label, 'alice@example.com');
    assert.deepEqual(socket.accounts, ['alice']);
    assert.match(socket.authorizations.at(-1) ?? '', /^Bearer /);
    const page = new URL(rig.person.questions[0]?.url ?? '');
    assert.equal(page.searchParams.get('resource'), socket.resource);
    assert.equal(page.host, new URL(made.auth.issuer).host);
  });

  it('after a restart nothing is asked, and a token that is no longer good is renewed before the WebSocket opens', async () => {
    const { made, socket, open } = await started();
    const first = await open();
    await first.signIn();
    await first.test.host.stop();
    await made.auth.expire();
    const second = await open(first.kept);
    assert.equal(second.state, 'connected');
    assert.equal(await second.call(), 'hello');
    assert.equal(second.person.questions.length, 0);
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    assert.deepEqual(socket.accounts, ['alice', 'alice']);
  });

  it('where to sign in is learned from a request for a WebSocket, also before the server was connected', async () => {
    const { made, socket } = await started();
    const options = { sdk, serverUrl: httpAddress(socket.url), oauth: {}, challenge: {}, fetch: globalThis.fetch };
    const found = await discover({ ...options, opensSocket: true });
    assert.equal(found.authorizationServerUrl, made.auth.issuer);
    assert.equal(socket.refusals, 1);
  });

  it('an opening that is refused isn’t repeated as it was', async () => {
    const { socket, open } = await started();
    const rig = await open();
    assert.equal(rig.state, 'needs-auth');
    assert.equal(socket.refusals, 1);
  });

  it('a grant that was taken back needs a sign-in, and so does a WebSocket that is closed as unauthorized', async () => {
    const { made, socket, open } = await started();
    const rig = await open();
    await rig.signIn();
    await made.auth.revoke();
    socket.fixture.cut();
    await rig.test.until(() => rig.state === 'needs-auth');
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
    for (const code of [3000, 4401]) {
      socket.fixture.closeWith = code;
      socket.fixture.cut();
      await rig.test.until(() => rig.state === 'needs-auth');
      socket.fixture.closeWith = undefined;
      await rig.signIn();
      assert.equal(rig.state, 'connected');
    }
  });

  it('more scopes are asked for once, and the WebSocket opens with them', async () => {
    const { socket, open } = await started();
    const rig = await open();
    await rig.signIn();
    socket.needs = 'write';
    socket.fixture.cut();
    await rig.test.until(() => socket.accounts.length === 2);
    await rig.settled();
    assert.equal(await rig.call(), 'hello');
    assert.deepEqual(rig.person.questions.at(-1)?.reason, { kind: 'more-scopes', granted: ['read'] });
    assert.equal(rig.person.questions.length, 2);
  });

  it('each request for a WebSocket has a proof of its own, so that a nonce is learned', async () => {
    const { made, socket } = await started();
    socket.nonce = 'of-the-server';
    const rig = await made.open({ entry: { type: 'ws', url: socket.url, oauth: { dpop: true } } });
    await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.equal(await rig.call(), 'hello');
    assert.match(socket.authorizations.at(-1) ?? '', /^DPoP /);
    assert.equal(socket.proofIds.length, 2, 'refused, and opened');
    assert.equal(new Set(socket.proofIds).size, 2);
    assert.equal(made.auth.tokenRequests('refresh_token'), 0);
  });

  it('a definition that sets Authorization has no sign-in, and a refusal says so', async () => {
    const { made, socket } = await started();
    const entry = { type: 'ws', url: socket.url, headers: { Authorization: 'Bearer of-the-definition' } };
    const rig = await made.open({ entry });
    assert.equal(rig.state, 'needs-auth');
    assert.deepEqual(rig.test.host.signIns.view(rig.id), { off: 'headers' });
    await assert.rejects(rig.signIn(), /sets the Authorization header/);
  });

  it('a WebSocket without encryption, elsewhere, gets no token', async () => {
    const { made } = await started();
    // Nothing listens there, and it isn't the loopback interface.
    const reconnect = { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 0, healthyAfterMs: 0 };
    const entry = { type: 'ws', url: 'ws://0.0.0.0:1/mcp' };
    const rig = await made.open({ entry, settings: { reconnect } });
    await assert.rejects(rig.signIn(), /without encryption/);
  });
});
