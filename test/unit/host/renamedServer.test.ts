import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import { isUnreadableChange } from '../../../src/catalog/pinChanges.ts';
import { RuleOwners } from '../../../src/calls/policy/rules/ruleOwners.ts';
import { GrantStore } from '../../../src/connection/auth/grants/grantStore.ts';
import type { SecretPort, SignInPorts } from '../../../src/connection/auth/signInPorts.ts';
import { signInBinding } from '../../../src/host/signIn/signInBinding.ts';
import type { ServerDefinition } from '../../../src/servers/serverTypes.ts';
import { withServers, type TestHost } from '../../support/testHost.ts';

const NOTES = {
  command: process.execPath,
  args: [path.join(root, 'demo/notes-server/main.js')],
  env: { NOTES_DIR: '${workspaceFolder}/notes' },
};

const named = (rig: TestHost, name: string): ServerDefinition | undefined =>
  rig.host.servers.definitions.find(({ entry }) => entry.name === name);

/** Gives the server another name in its file, as an editor does once it is saved. */
async function rename(
  rig: TestHost,
  to: string,
  entry: object = NOTES,
): Promise<readonly [ServerDefinition, ServerDefinition]> {
  const before = named(rig, 'old');
  assert.ok(before);
  writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: { [to]: entry } }));
  await rig.host.config.reload();
  const after = named(rig, to);
  assert.ok(after);
  await rig.host.renamed(before, after);
  return [before, after];
}

describe('a server that is renamed', () => {
  it('keeps its approval, grants, pins, and what allow rules stand for, and connects again', async () => {
    await withServers({ old: NOTES }, async (rig) => {
      const { host, store } = rig;
      const old = named(rig, 'old');
      assert.ok(old);
      const key = { serverId: old.id, fingerprint: old.fingerprint, tool: 'add_note', pin: 'p' };
      await host.grants.grantAlways({ key, serverName: 'old', at: 1 });
      await host.grants.grantOpenWorld(key, true);
      await new RuleOwners(store).set('old', { serverId: old.id, fingerprint: old.fingerprint });
      const pins = store.get(`pins/${old.id}`);
      assert.ok(pins);
      const [before, after] = await rename(rig, 'new');
      await rig.until(() => host.pool.get(after.id)?.state.kind === 'connected');
      assert.equal(host.servers.get(after.id)?.status.kind, 'ready');
      assert.deepEqual(
        host.servers.approvals.map(({ id }) => id),
        [after.id],
      );
      assert.deepEqual(
        host.grants.all.map(({ serverId, serverName, tool }) => [serverId, serverName, tool]),
        [[after.id, 'new', 'add_note']],
      );
      assert.ok(host.grants.hasOpenWorld({ ...key, serverId: after.id }));
      assert.ok(!host.grants.hasOpenWorld(key));
      assert.deepEqual(store.get(`pins/${after.id}`), pins);
      assert.equal(store.get(`pins/${before.id}`), undefined);
      const owner = { serverId: after.id, fingerprint: after.fingerprint };
      assert.ok(new RuleOwners(store).isFor('new', owner, () => true));
      assert.ok(!new RuleOwners(store).isFor('new', { ...owner, serverId: 'x' }, () => false));
      assert.deepEqual(rig.questions, []);
    });
  });

  it('has its tools reviewed again where what was approved of them can’t be read', async () => {
    await withServers({ old: NOTES }, async (rig) => {
      const { host, store } = rig;
      const lost = `pins/${named(rig, 'old')?.id}`;
      await store.set(lost, undefined);
      Object.assign(store, { isUnreadable: (key: string) => key === lost });
      const [, after] = await rename(rig, 'new');
      await rig.until(() => host.pool.get(after.id)?.state.kind === 'connected');
      const open = host.feed.openChangesOf(after.id).map(({ change }) => change);
      assert.ok(open.some(({ name }) => name === 'add_note'));
      for (const change of open) assert.ok(isUnreadableChange(change));
    });
  });

  it('keeps its sign-in, also one for an entry of a repository; and a disabled one is disabled, not failed', async () => {
    const remote = { url: 'https://mcp.example.com/', disabled: true };
    const kept = new Map<string, string>();
    const changed = new Emitter<string>();
    const secrets: SecretPort = {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      delete: async (key) => void kept.delete(key),
      onDidChange: changed.event,
    };
    const ports = { signIn: async () => ({ secrets }) as unknown as SignInPorts };
    await withServers(
      { old: remote },
      async (rig) => {
        const old = named(rig, 'old');
        assert.ok(old);
        const store = new GrantStore({ secrets, folder: undefined, clock: systemClock, platform: process.platform });
        const registrations = { 'https://as.example.com': { client: { client_id: 'mine' } } };
        await store.change(signInBinding(old), () => ({ grants: [], registrations }));
        await rig.store.set(`signIn.account.${signInBinding(old)}`, 'me');
        const [before, after] = await rename(rig, 'new', remote);
        assert.notEqual(signInBinding(after), signInBinding(before));
        assert.deepEqual((await store.read(signInBinding(after))).registrations, registrations);
        assert.deepEqual((await store.read(signInBinding(before))).registrations, {});
        assert.equal(rig.store.get(`signIn.account.${signInBinding(after)}`), 'me');
        assert.equal(rig.store.get(`signIn.account.${signInBinding(before)}`), undefined);
        assert.equal(rig.host.view(after.id)?.state.kind, 'disabled');
      },
      { ports },
    );
    changed.dispose();
  });

  it('keeps the rest where its sign-in can’t be moved, and says so', async () => {
    const remote = { url: 'https://mcp.example.com/' };
    const ports = { signIn: async () => Promise.reject(new Error('the keychain is locked')) };
    await withServers(
      { old: remote },
      async (rig) => {
        const old = named(rig, 'old');
        assert.ok(old);
        await rig.host.servers.setDisabled(old.id, true);
        await assert.rejects(rename(rig, 'new', remote), /the keychain is locked/);
        assert.equal(named(rig, 'new')?.status.kind, 'disabled');
      },
      { ports },
    );
  });

  it('stays off if it was', async () => {
    await withServers({ old: NOTES }, async (rig) => {
      const old = named(rig, 'old');
      assert.ok(old);
      await rig.host.servers.setDisabled(old.id, true);
      const [, after] = await rename(rig, 'new');
      assert.equal(rig.host.servers.get(after.id)?.status.kind, 'disabled');
      // Whoever takes the old name isn't off for that.
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: { old: NOTES } }));
      await rig.host.config.reload();
      assert.equal(named(rig, 'old')?.status.kind, 'needs-approval');
    });
  });

  it('asks again where it is another one, and the old name’s approval is no one else’s', async () => {
    await withServers({ old: NOTES }, async (rig) => {
      const [, after] = await rename(rig, 'new', { ...NOTES, args: [...NOTES.args, '--other'] });
      assert.equal(rig.host.servers.get(after.id)?.status.kind, 'needs-approval');
    });
  });
});
