import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { node24, root } from '../../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../../src/base/clock.ts';
import { FileSecrets, useSignInWorlds } from '../../../support/signInRig.ts';

describe('renewing what was granted', () => {
  const world = useSignInWorlds();

  it('20 parallel calls on an expired token: one token request, one retry each', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await rig.call();
    await made.auth.expire();
    const refusals = made.server.refusals;
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.call()));
    assert.deepEqual(new Set(answers), new Set(['hello']));
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    assert.ok(made.server.refusals - refusals <= 20);
    assert.equal(rig.state, 'connected');
    assert.equal(rig.person.questions.length, 1);
  });

  it('rotation in two windows at once: one refresh, and no family is revoked', async () => {
    const made = await world();
    const one = await made.signedIn();
    const other = await made.open(one.kept);
    for (let round = 1; round <= 3; round++) {
      await made.auth.expire();
      const calls = [one, other].flatMap((rig) => Array.from({ length: 5 }, () => rig.call()));
      assert.deepEqual(new Set(await Promise.all(calls)), new Set(['hello']));
      assert.equal(made.auth.tokenRequests('refresh_token'), round);
    }
  });

  it('rotation in two processes at once: one refresh each time, and no family is revoked', async () => {
    const made = await world();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-secrets-')));
    const rig = await made.signedIn({ secrets: new FileSecrets(folder) });
    const script = join(root, 'test/support/signInWindow.ts');
    const children = [1, 2].map(() =>
      spawn(node24, [script, rig.test.folder, rig.stateDir, folder], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    try {
      const lines = children.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]());
      const next = (): Promise<unknown[]> =>
        Promise.all(lines.map(async (line) => (await line.next()).value as unknown));
      assert.deepEqual(await next(), ['ready connected', 'ready connected']);
      for (let round = 1; round <= 3; round++) {
        await made.auth.expire();
        for (const { stdin } of children) stdin.write('go\n');
        const expected = JSON.stringify(Array.from({ length: 10 }, () => 'hello'));
        assert.deepEqual(await next(), [expected, expected]);
        assert.equal(made.auth.tokenRequests('refresh_token'), round);
      }
      // This window has had nothing of it, and its token is long over.
      assert.equal(await rig.call(), 'hello');
      assert.equal(made.auth.tokenRequests('refresh_token'), 3);
    } finally {
      for (const child of children) {
        child.stdin.end();
        if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
      }
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is renewed before it ends, without a refusal', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => Date.now() + later };
    const made = await world({ auth: { tokenSeconds: 3600 } });
    const rig = await made.signedIn({ ports: { clock } });
    await rig.call();
    const { refusals } = made.server;
    later = 3590_000;
    assert.equal(await rig.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    assert.equal(made.server.refusals, refusals);
  });

  it('a grant that was taken back needs a sign-in, once, for the same account', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    await made.auth.revoke();
    await assert.rejects(rig.call());
    await rig.test.until(() => rig.state === 'needs-auth');
    assert.equal(made.auth.tokenRequests('refresh_token'), 1);
    assert.equal(rig.person.questions.length, 1, 'nobody is asked by itself');
    await rig.signIn();
    assert.equal(rig.state, 'connected');
    assert.deepEqual(rig.person.questions[1]?.reason, { kind: 'expired' });
    assert.equal(rig.person.questions[1]?.account, 'alice@example.com');
    assert.equal((await rig.test.host.signIns.accountsOf(rig.id)).length, 1);
  });

  it('an authorization server that fails for a while costs no grant', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await rig.call();
    await made.auth.expire();
    made.auth.refreshFaults.push({ status: 503, body: {} }, { status: 500, body: { error: 'server_error' } });
    assert.equal(await rig.call(), 'hello');
    assert.equal(rig.person.questions.length, 1);
  });

  it('an authorization server that fails for long fails the call, and the next one works', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await rig.call();
    await made.auth.expire();
    for (let attempt = 0; attempt < 3; attempt++) made.auth.refreshFaults.push({ status: 503, body: {} });
    const session = rig.test.host.pool.get(rig.id)?.session;
    await assert.rejects(session?.callTool('echo', { text: 'x' }, { timeoutMs: 10_000 }) ?? Promise.resolve(), {
      code: 'not-connected',
      message: /can't renew the sign-in now/,
    });
    assert.equal(await rig.call(), 'hello');
    assert.equal(rig.state, 'connected');
  });

  it('a start with what is kept makes no authorization request', async () => {
    const made = await world();
    const rig = await made.signedIn();
    await rig.test.host.stop();
    const seen = made.auth.seen.length;
    const again = await made.open(rig.kept);
    assert.equal(again.state, 'connected');
    assert.equal(made.auth.seen.length, seen);
  });
});
