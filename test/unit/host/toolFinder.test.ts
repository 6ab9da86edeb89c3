import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { LeakTracker } from '../../../src/base/disposable.ts';
import { READY_WAIT_MS } from '../../../src/calls/callSettings.ts';
import { eventually } from '../../support/eventually.ts';
import { TestHost } from '../../support/testHost.ts';

const faulty = (...args: readonly string[]): object => ({
  command: process.execPath,
  args: [path.join(root, 'test/fixtures/servers/faulty.ts'), ...args],
});
const stuck = faulty('hang-in-handshake');

describe('a search while servers are on their way', function () {
  this.timeout(60_000);
  const tracker = new LeakTracker();
  let rig: TestHost;
  let lock: Server;
  /** What ends the waits for servers; it comes when the test says. */
  const waits = new Set<() => void>();
  const clock: Clock = {
    now: () => systemClock.now(),
    schedule(delayMs, callback) {
      if (delayMs !== READY_WAIT_MS) return systemClock.schedule(delayMs, callback);
      waits.add(callback);
      return { dispose: () => void waits.delete(callback) };
    },
  };
  const isWaiting = (): Promise<true> => eventually('the wait for the servers', () => waits.size > 0);

  /** Approves the servers, and resolves when those that are meant to be are connecting. */
  async function begin(servers: Readonly<Record<string, object>>, ...connecting: readonly string[]): Promise<void> {
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await rig.host.start();
    await rig.host.servers.approve(rig.host.views.map(({ definition }) => definition.id));
    const stateOf = (name: string): string | undefined =>
      rig.host.views.find(({ definition }) => definition.name === name)?.state.kind;
    await rig.until(() =>
      Object.keys(servers).every((name) => (stateOf(name) === 'connecting') === connecting.includes(name)),
    );
  }

  beforeEach(async () => {
    tracker.install();
    waits.clear();
    // Longer than a test may take: what is stuck stays so.
    rig = new TestHost({ ports: { clock }, settings: { handshakeTimeoutMs: 120_000, discoveryTimeoutMs: 120_000 } });
    lock = createServer((_request, response) => void response.writeHead(401).end());
    await new Promise<void>((resolve) => lock.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    await rig.stop();
    await new Promise((resolve) => lock.close(resolve));
    tracker.uninstall();
    assert.deepEqual(tracker.leaks, []);
  });

  it('waits for them, and has their tools', async () => {
    const gate = path.join(rig.folder, 'gate');
    writeFileSync(gate, '');
    await begin({ late: faulty('slow-start', gate) }, 'late');
    const searching = rig.host.search({ query: 'call' });
    await isWaiting();
    writeFileSync(gate, 'go');
    const { hits, unavailable } = await searching;
    assert.deepEqual([hits.map(({ tool }) => tool.name), unavailable], [['mcp__late__call'], []]);
  });

  it('waits three seconds and no longer, and names those not ready, failed or in need of a sign-in', async () => {
    assert.equal(READY_WAIT_MS, 3_000);
    const url = `http://127.0.0.1:${(lock.address() as AddressInfo).port}/mcp`;
    const notes = {
      command: process.execPath,
      args: [path.join(root, 'demo/notes-server/main.js')],
      env: { NOTES_DIR: path.join(rig.folder, 'notes') },
    };
    await begin({ notes, stuck, gone: { command: 'no-such-command-anywhere' }, locked: { url } }, 'stuck');
    const searching = rig.host.search({ query: 'list notes' });
    await isWaiting();
    for (const end of waits) end();
    const { hits, unavailable } = await searching;
    assert.equal(hits[0]?.tool.name, 'mcp__notes__list_notes');
    const states = Object.fromEntries(unavailable.map(({ serverName, state }) => [serverName, state]));
    assert.deepEqual(Object.keys(states).sort(), ['gone', 'locked', 'stuck']);
    assert.match(states['stuck'] ?? '', /^Connecting/);
    assert.match(states['gone'] ?? '', /^Failed: .*no-such-command-anywhere/);
    assert.match(states['locked'] ?? '', /^Needs sign-in: .*HTTP 401/);
  });

  it('waits no longer than it is wanted', async () => {
    await begin({ stuck }, 'stuck');
    const aborted = await rig.host.search({ query: 'anything' }, AbortSignal.abort());
    assert.equal(waits.size, 0);
    const ending = new AbortController();
    const searching = rig.host.search({ query: 'anything' }, ending.signal);
    await isWaiting();
    ending.abort();
    for (const { unavailable } of [aborted, await searching]) assert.equal(unavailable[0]?.serverName, 'stuck');
  });
});
