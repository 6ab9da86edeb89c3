import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { LeakTracker } from '../../../src/base/disposable.ts';
import { unavailableServers } from '../../../src/host/unavailableServers.ts';
import { TestHost } from '../../support/testHost.ts';

const NOTES = { command: process.execPath, args: [path.join(root, 'demo/notes-server/main.js')] };

function notesIn(folder: string): object {
  return { ...NOTES, env: { NOTES_DIR: path.join(folder, 'notes') } };
}

function write(folder: string, servers: object): void {
  writeFileSync(path.join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
}

describe('host: the whole core on real servers', function () {
  this.timeout(60_000);
  const tracker = new LeakTracker();
  let rig: TestHost;

  beforeEach(async () => {
    tracker.install();
    rig = new TestHost();
    write(rig.folder, { notes: notesIn(rig.folder) });
    await rig.host.start();
  });

  afterEach(async () => {
    const pids = rig.host.views.flatMap(({ state }) => (state.kind === 'connected' ? [state.info.pid ?? 0] : []));
    await rig.stop();
    tracker.uninstall();
    assert.deepEqual(tracker.leaks, []);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), `process ${pid} is gone`);
  });

  it('starts nothing that the user has not approved', async () => {
    assert.equal(rig.host.pool.all.length, 0);
    assert.deepEqual(
      rig.host.views.map(({ state }) => state),
      [{ kind: 'blocked', reason: 'needs approval', needsApproval: true }],
    );
    assert.ok(!existsSync(path.join(rig.folder, 'notes')));
  });

  it('connects what is approved, and finds and calls its tools', async () => {
    await rig.approveAll();
    const found = await rig.host.search({ query: 'list notes' });
    assert.equal(found.hits[0]?.tool.name, 'mcp__notes__list_notes');
    assert.deepEqual(found.unavailable, []);
    assert.match(await rig.call('mcp__notes__list_notes'), /./);
    assert.equal(rig.questions.length, 0);
  });

  it('routes a destructive call through the question', async () => {
    await rig.approveAll();
    rig.answer = 'once';
    await rig.call('mcp__notes__add_note', { title: 'doomed', text: 'x' });
    rig.answer = 'deny';
    await assert.rejects(
      rig.call('mcp__notes__delete_note', { title: 'doomed' }),
      /^SwitchboardError: The user denied/,
    );
    assert.ok(notes().some((name) => name.includes('doomed')));
    rig.answer = 'once';
    await rig.call('mcp__notes__delete_note', { title: 'doomed' });
    assert.ok(!notes().some((name) => name.includes('doomed')));
    assert.equal(rig.questions.length, 3);
  });

  it('a server with a missing variable fails by itself and names the variable', async () => {
    write(rig.folder, {
      notes: notesIn(rig.folder),
      other: { ...NOTES, env: { KEY: '${SWITCHBOARD_NO_SUCH_VARIABLE}' } },
    });
    await rig.until(() => rig.host.views.length === 2);
    await rig.approveAll();
    const states = Object.fromEntries(rig.host.views.map(({ definition, state }) => [definition.name, state]));
    assert.equal(states['notes']?.kind, 'connected');
    assert.ok(states['other']?.kind === 'failed');
    assert.match(states['other'].failure.message, /SWITCHBOARD_NO_SUCH_VARIABLE.*env\.KEY/);
  });

  it('an edit restarts only the server that it changed', async () => {
    write(rig.folder, { notes: notesIn(rig.folder), more: notesIn(path.join(rig.folder, 'more')) });
    await rig.until(() => rig.host.views.length === 2);
    await rig.approveAll();
    const before = pids();
    write(rig.folder, { notes: notesIn(rig.folder), more: notesIn(path.join(rig.folder, 'elsewhere')) });
    await rig.until(() => rig.host.views.some(({ definition }) => definition.status.kind === 'needs-approval'));
    await rig.approveAll();
    const after = pids();
    assert.equal(after['notes'], before['notes']);
    assert.notEqual(after['more'], before['more']);
    assert.ok(after['more']);
  });

  it('an entry says for itself when it is connected and how often it is tried again', async () => {
    const once = { command: process.execPath, args: ['-e', 'process.exit(3)'], reconnect: { maxAttempts: 0 } };
    write(rig.folder, { notes: { ...notesIn(rig.folder), startMode: 'manual' }, once });
    await rig.until(() => rig.host.views.length === 2);
    const waiting = rig.host.views.map(({ definition }) => definition.id);
    await rig.host.servers.approve(waiting);
    await rig.until(() => rig.host.views.some(({ state }) => state.kind === 'failed'));
    const states = Object.fromEntries(rig.host.views.map(({ definition, state }) => [definition.name, state.kind]));
    assert.deepEqual(states, { notes: 'disconnected', once: 'failed' });
  });

  it('names the servers that a search could not include', async () => {
    write(rig.folder, { notes: notesIn(rig.folder), gone: { command: 'no-such-command-anywhere' } });
    await rig.until(() => rig.host.views.length === 2);
    await rig.approveAll();
    const { unavailable } = await rig.host.search({ query: 'notes' });
    assert.deepEqual(
      unavailable.map(({ serverName }) => serverName),
      ['gone'],
    );
    assert.match(unavailable[0]?.state ?? '', /no-such-command-anywhere/);
    await rig.host.pool.disconnect(
      rig.host.views.find(({ definition }) => definition.name === 'notes')?.definition.id ?? '',
    );
    assert.deepEqual(
      unavailableServers(rig.host).map(({ serverName, state }) => [serverName, state.split(':')[0]]),
      [
        ['notes', 'Disconnected'],
        ['gone', 'Failed'],
      ],
    );
  });

  function notes(): string[] {
    return readdirSync(path.join(rig.folder, 'notes'));
  }

  function pids(): Record<string, number | undefined> {
    return Object.fromEntries(
      rig.host.views.map(({ definition, state }) => [
        definition.name,
        state.kind === 'connected' ? state.info.pid : undefined,
      ]),
    );
  }
});
