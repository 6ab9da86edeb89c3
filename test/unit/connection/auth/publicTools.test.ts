import { strict as assert } from 'node:assert';
import type { SwitchboardError } from '../../../../src/base/errors.ts';
import { absenceOf } from '../../../../src/host/unavailableServers.ts';
import { canSignIn, type ServerView } from '../../../../src/host/views/serverView.ts';
import { type ProtectedOptions, type SignInRig, useSignInWorlds } from '../../../support/signInRig.ts';

describe('a server with some tools for everybody and others for accounts', () => {
  const world = useSignInWorlds();
  /** `log` writes, `echo` reads. */
  const protects = (...names: string[]): ProtectedOptions => ({
    scopes: ['openid', 'read'],
    isPublic: (method, tool) => method !== 'tools/call' || !names.includes(tool ?? ''),
  });
  const viewOf = (rig: SignInRig): ServerView => {
    const view = rig.test.host.view(rig.id);
    assert.ok(view);
    return view;
  };
  const call = (rig: SignInRig, tool: string): Promise<string> => {
    rig.test.answer = 'session';
    const found = rig.test.host.catalog.tools.find((each) => each.tool.name === tool);
    assert.ok(found, `${tool} is there`);
    return rig.test.call(found.name, tool === 'echo' ? { text: 'hello' } : {});
  };
  const isRefused = (error: SwitchboardError): boolean => {
    assert.equal(error.code, 'needs-auth');
    assert.match(error.fullMessage, /needs a sign-in \(HTTP 401\).*“MCP Switchboard: Sign In”/);
    return true;
  };

  for (const [tool, other] of [
    ['log', 'echo'],
    ['echo', 'log'],
  ] as const)
    it(`a call of ${tool} that needs an account leads to the sign-in, and the other tools stay`, async () => {
      const made = await world({ server: protects(tool) });
      const rig = await made.open();
      const sessions = (): number => made.server.seen.filter((line) => line === 'POST initialize').length;
      assert.equal(rig.state, 'connected');
      assert.equal(canSignIn(viewOf(rig)), false, 'nobody is asked before something is refused');
      const tools = rig.test.host.catalog.tools.length;
      const before = sessions();
      for (const _round of [1, 2]) {
        await assert.rejects(call(rig, tool), isRefused);
        assert.equal(rig.state, 'connected');
        assert.equal(canSignIn(viewOf(rig)), true);
        assert.equal(rig.test.host.catalog.tools.length, tools, 'they stay');
        await call(rig, other);
      }
      assert.match(absenceOf(viewOf(rig))?.remedy ?? '', /mcp_sign_in/);
      assert.equal(sessions(), before, 'it is one session');
      assert.equal(made.server.refusals, 2, 'each call is sent once');
      assert.deepEqual([rig.person.questions, made.auth.seen], [[], []], 'nothing is asked by itself');
      await rig.signIn();
      assert.equal(canSignIn(viewOf(rig)), false);
      await call(rig, tool);
      assert.equal(made.server.accounts.at(-1), 'alice');
    });

  it('without a challenge, a new session is tried once, and then it is the same', async () => {
    const made = await world({ server: { ...protects('echo'), saysNothing: true } });
    const rig = await made.open();
    await assert.rejects(call(rig, 'echo'), isRefused);
    assert.equal(rig.state, 'connected');
    assert.equal(made.server.seen.filter((line) => line === 'POST initialize').length, 2);
    await call(rig, 'log');
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
  });

  it('an account whose grant is gone leaves the public tools, and says so at once', async () => {
    const made = await world({ server: protects('log') });
    const rig = await made.signedIn();
    await call(rig, 'log');
    await made.auth.revoke();
    await assert.rejects(call(rig, 'log'));
    await rig.test.until(() => rig.state === 'connected' && canSignIn(viewOf(rig)));
    assert.equal(await rig.call(), 'hello');
    await rig.signIn();
    await call(rig, 'log');
    assert.equal(canSignIn(viewOf(rig)), false);
  });

  it('a sign-in in another window gives this one the rest', async () => {
    const made = await world({ server: protects('log') });
    const one = await made.open();
    const second = await made.open(one.kept);
    await assert.rejects(call(second, 'log'), isRefused);
    await one.signIn();
    await second.test.until(() => second.state === 'connected' && !canSignIn(viewOf(second)));
    await call(second, 'log');
    assert.equal(made.server.accounts.at(-1), 'alice');
  });

  it('a list of prompts that needs an account costs none of the tools', async () => {
    const made = await world({
      server: { scopes: ['openid', 'read'], isPublic: (method) => method !== 'prompts/list' },
    });
    const rig = await made.open();
    const session = rig.test.host.pool.get(rig.id)?.session;
    await assert.rejects(Promise.resolve(session?.request('prompts/list', {}, 5000)), isRefused);
    assert.equal(await rig.call(), 'hello');
    assert.equal(canSignIn(viewOf(rig)), true);
  });

  it('where its list of tools needs one, all of it does', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'], isPublic: (method) => method !== 'tools/list' } });
    const rig = await made.open();
    await rig.test.until(() => rig.state === 'needs-auth');
    await rig.signIn();
    assert.equal(await rig.call(), 'hello');
  });
});
