import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretSweep } from '../../../support/secretSweep.ts';
import { useSignInWorlds } from '../../../support/signInRig.ts';

describe('secrets of sign-ins', () => {
  const world = useSignInWorlds();

  it('of each kind are looked for after every test here, wherever a window logs, keeps, shows or throws', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    await rig.call();
    await made.auth.expire();
    await rig.call();
    await made.auth.revoke();
    await assert.rejects(rig.call());
    await rig.test.until(() => rig.state === 'needs-auth');
    const kinds = ['access_token', 'refresh_token', 'id_token', 'code', 'code_verifier', 'registration_access_token'];
    assert.deepEqual(
      kinds.filter((kind) => !made.auth.sweep.kinds.includes(kind)),
      [],
    );
    assert.ok(made.auth.sweep.size >= 8);
    assert.ok(rig.log.length > 0 && rig.errors.length > 0 && rig.test.host.calls.history.entries.length > 0);
  });

  it('are found in every form, in texts, values, files, their names, and what processes are started with', async () => {
    const secret = 'se/cr+et_0815~"x"';
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-sweep-'));
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify({ token: secret }),
      ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret}:x`).toString('base64')),
      Buffer.from(secret).toString('hex'),
      { cause: new Error(`no ${secret}`) },
      [[[[[[{ deep: secret }]]]]]],
    ];
    const found = (look: (sweep: SecretSweep) => void): void => {
      const sweep = new SecretSweep();
      sweep.addMembers(Object.entries({ refresh_token: secret, token_type: 'Bearer' }));
      assert.equal(sweep.size, 1);
      look(sweep);
      assert.throws(
        () => sweep.assertClean(),
        (error: Error) => /refresh_token in/.test(error.message) && !error.message.includes(secret),
      );
    };
    try {
      for (const form of forms) found((sweep) => sweep.look('a text', form));
      mkdirSync(join(folder, 'data', 'logs'), { recursive: true });
      mkdirSync(join(folder, 'links'));
      symlinkSync(join(folder, 'data'), join(folder, 'links', 'to-data'), 'junction');
      writeFileSync(join(folder, 'data', 'logs', 'log'), `x ${secret} y`);
      found((sweep) => sweep.lookInFiles('a folder', folder));
      const clean = new SecretSweep();
      clean.add('token', secret);
      clean.lookInFiles('a folder of links', join(folder, 'links'));
      clean.assertClean();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
