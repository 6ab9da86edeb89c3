import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { LeakTracker } from '../../../src/base/disposable.ts';
import { TestHost } from '../../support/testHost.ts';

/** Answers the handshake after so many milliseconds, with one tool then. */
const late = (ms: number): object => ({
  command: process.execPath,
  args: [
    '-e',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const answers = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'late', version: '1' } },
        'tools/list': { tools: [{ name: 'catch_train', inputSchema: { type: 'object' } }] },
      };
      const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'unknown' } };
      if (id !== undefined) setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer })), method === 'initialize' ? ${ms} : 0);
    });`,
  ],
});
const NEVER_MS = 60_000;

describe('a search while servers are on their way', function () {
  this.timeout(60_000);
  const tracker = new LeakTracker();
  let rig: TestHost;
  let lock: Server;

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
    rig = new TestHost();
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
    await begin({ late: late(1_500) }, 'late');
    const { hits, unavailable } = await rig.host.search({ query: 'catch a train' });
    assert.deepEqual([hits.map(({ tool }) => tool.name), unavailable], [['mcp__late__catch_train'], []]);
  });

  it('waits three seconds and no longer, and names those not ready, failed or in need of a sign-in', async () => {
    const url = `http://127.0.0.1:${(lock.address() as AddressInfo).port}/mcp`;
    const notes = {
      command: process.execPath,
      args: [path.join(root, 'demo/notes-server/main.js')],
      env: { NOTES_DIR: path.join(rig.folder, 'notes') },
    };
    await begin(
      { notes, stuck: late(NEVER_MS), gone: { command: 'no-such-command-anywhere' }, locked: { url } },
      'stuck',
    );
    const start = performance.now();
    const { hits, unavailable } = await rig.host.search({ query: 'list notes' });
    const waited = performance.now() - start;
    assert.ok(waited > 2_900 && waited < 6_000, `${waited} ms`);
    assert.equal(hits[0]?.tool.name, 'mcp__notes__list_notes');
    const states = Object.fromEntries(unavailable.map(({ serverName, state }) => [serverName, state]));
    assert.deepEqual(Object.keys(states).sort(), ['gone', 'locked', 'stuck']);
    assert.match(states['stuck'] ?? '', /^Connecting/);
    assert.match(states['gone'] ?? '', /^Failed: .*no-such-command-anywhere/);
    assert.match(states['locked'] ?? '', /^Needs sign-in: .*HTTP 401/);
  });

  it('waits no longer than it is wanted', async () => {
    await begin({ stuck: late(NEVER_MS) }, 'stuck');
    for (const signal of [AbortSignal.abort(), AbortSignal.timeout(200)]) {
      const start = performance.now();
      const { unavailable } = await rig.host.search({ query: 'anything' }, signal);
      assert.equal(unavailable[0]?.serverName, 'stuck');
      assert.ok(performance.now() - start < 2_500);
    }
  });
});
