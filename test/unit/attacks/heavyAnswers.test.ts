import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { MAX_MEMBERS } from '../../../src/base/json/jsonSteps.ts';
import { atOnce } from '../../../src/base/timeSlices.ts';
import { cleanAnswer } from '../../../src/connection/cleaning/cleanAnswer.ts';
import { roomForList } from '../../../src/connection/cleaning/cleanTools.ts';
import { FrameQueue } from '../../../src/connection/remote/webSocket/frameQueue.ts';
import { WebSocketTransport } from '../../../src/connection/remote/webSocket/webSocketTransport.ts';
import { MessageLines } from '../../../src/connection/stdio/messageLines.ts';
import { eventually } from '../../support/eventually.ts';
import { withServers, type TestHost } from '../../support/testHost.ts';
import { failureOf, fixture } from '../connection/harness.ts';
import { ManualClock } from '../connection/manualClock.ts';

const IMAGE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** What one reading of a document of 10 MB takes at once, in CPU time of this machine: no turn may take as long. */
function yardstickMs(): number {
  const document = JSON.stringify(Array.from({ length: 200_000 }, (_, at) => ({ uri: `a:${at}`, name: `n${at}`, at })));
  const begun = cpuMs();
  assert.ok(JSON.parse(document));
  return 2 * (cpuMs() - begun);
}

/** The CPU time of the longest turn while an action goes on; how busy the machine is doesn't count. */
async function longestTurn<T>(action: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  let [longest, isDone] = [0, false];
  let begun = cpuMs();
  const turn = (): void => {
    longest = Math.max(longest, cpuMs() - begun);
    begun = cpuMs();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const value = await action();
    await new Promise((resolve) => setImmediate(resolve));
    return { value, ms: longest };
  } finally {
    isDone = true;
  }
}

/** Runs a request, and fails where it holds up everything else for long. */
async function light<T>(what: string, action: () => Promise<T>): Promise<T> {
  const limit = yardstickMs();
  const { value, ms } = await longestTurn(action);
  assert.ok(ms < limit, `${what} held everything up for ${Math.round(ms)} ms of ${Math.round(limit)}`);
  return value;
}

const heavy = (body: (rig: TestHost, call: (name: string) => Promise<string>) => Promise<void>): Promise<void> =>
  withServers({ heavy: fixture('heavy') }, async (rig) => {
    rig.answer = 'once';
    // What is loaded with the first call isn't measured.
    assert.equal(await rig.call('mcp__heavy__ok'), 'ok');
    await body(rig, (name) => light(name, () => rig.call(`mcp__heavy__${name}`)));
  });

const ATTACKS: Readonly<Record<string, () => Promise<void> | void>> = {
  'An answer that has an object with more members than can be listed in a moment': () =>
    heavy(async (_rig, call) => {
      for (const name of ['members', 'meta', 'deep'])
        assert.match(
          await call(name),
          /\(\d+ more members of this result were left out: an object may have 20000\)/,
          name,
        );
      assert.equal(MAX_MEMBERS, 20_000);
      assert.match(await call('rows'), /^\{"rows":\[0,1,2,/);
      assert.match(
        await call('same'),
        /^\{"rows":\[\{"id":0,"name":"n0"\},/,
        'the text is the JSON, and stands there once',
      );
      assert.equal(await call('ok'), 'ok', 'the connection stays');
    }),

  'An answer with more parts than anybody reads': () =>
    heavy(async (rig, call) => {
      assert.match(await call('links'), /\(190000 more parts of this result were left out: it may have 10000\)$/);
      const [server] = rig.host.pool.all;
      const request = (method: string, params = {}): Promise<Readonly<Record<string, unknown>>> =>
        light(method, async () => server?.session?.request(method, params, 30_000) ?? {});
      for (const [method, list] of [
        ['prompts/list', 'prompts'],
        ['resources/list', 'resources'],
        ['resources/read', 'contents'],
      ] as const) {
        const result = await request(method, { uri: 'a:0' });
        assert.equal((result[list] as unknown[]).length, 10_000, method);
        assert.match(JSON.stringify(result['_meta']), /The rest of/, method);
      }
      const { messages } = await request('prompts/get', { name: 'p0' });
      assert.equal((messages as unknown[]).length, 10_001);
      assert.match(JSON.stringify((messages as unknown[]).at(-1)), /90001 more parts of this prompt were left out/);
    }),

  'Millions of invisible characters': () =>
    heavy(async (_rig, call) => {
      const text = await call('unseen');
      assert.match(text, /^(?:\\u\{200b\})+/);
      const whole = /of (\d+) characters omitted/.exec(text)?.[1];
      assert.ok(Number(whole) < 2_000_000, `${whole} characters`);
      const { message } = await failureOf(call('error'));
      assert.match(message, /failed: It broke/);
      assert.ok(message.length < 12_000);
      let masked = 0;
      const mask = (text: string): string => {
        masked += text.length;
        return text;
      };
      const failed = {
        isError: true,
        content: [{ type: 'text', text: 'x'.repeat(3_000_000) }, ...Array.from({ length: 9_000 }, () => IMAGE)],
        structuredContent: { rows: Array.from({ length: 100_000 }, String) },
      };
      const asked = { method: 'tools/call', params: {} };
      atOnce(cleanAnswer(asked, failed, { mask, room: roomForList(), tolerate: () => undefined }));
      assert.ok(masked > 0 && masked < 100_000, `${masked} characters of an error are masked`);
    }),

  'Progress faster than it can be read': async () => {
    await heavy(async (_rig, call) => assert.equal(await call('progress'), 'ok'));
    let taken = 0;
    const sink = { onMessage: () => (taken += 1), onNoise: () => undefined, onUnreadable: () => undefined };
    const lines = new MessageLines(sink, new ManualClock());
    const line = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { x: 'x'.repeat(10_000) },
    });
    const count = 20_000;
    for (let at = 0; at < count; at += 1) lines.push(line);
    assert.ok(taken > 0 && taken < count, `${taken} of ${count} in one turn`);
    while (lines.isBusy) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(taken, count, 'the others in the next ones');
    lines.dispose();
  },

  'Frames of a WebSocket faster than they can be read': async () => {
    const count = 30_000;
    const taken: unknown[] = [];
    await withFlood([count, 0, 4_000_000], async (url) => {
      const socket = new WebSocketTransport({ url, headers: {}, webSocket: WebSocket, authorize: (inner) => inner });
      socket.onmessage = (message) => 'params' in message && taken.push(message.params?.['at']);
      try {
        await light('a burst of frames', async () => {
          await socket.start();
          await eventually('all frames are there', () => taken.length > count);
        });
      } finally {
        await socket.close();
      }
    });
    assert.deepEqual(
      taken.slice(1),
      Array.from({ length: count }, (_, at) => at),
      'in their order, behind a long one',
    );
    await withFlood([1_000_000_000, 0, 0], async (url) => {
      const socket = new WebSocketTransport({ url, headers: {}, webSocket: WebSocket, authorize: (inner) => inner });
      const closed = new Promise<void>((resolve) => (socket.onclose = resolve));
      await socket.start();
      await closed;
      assert.ok(socket.isFlooded && socket.closeCode === 4008);
    });
    let read = 0;
    const queue = new FrameQueue(() => (read += 1));
    const frame = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { x: 'x'.repeat(200_000) } });
    let pushed = 1;
    while (queue.push(frame)) pushed += 1;
    assert.ok(read <= 3 && pushed > 100 && pushed < 1_000, `${read} of ${pushed} are read at once, 128 MiB wait`);
    queue.clear();
    await queue.reading;
    assert.ok(read <= 3);
  },
};

/** Runs a server that floods a WebSocket. */
async function withFlood(args: readonly number[], body: (url: string) => Promise<void>): Promise<void> {
  const file = join(root, 'test/fixtures/servers/floodSocket.mjs');
  const server = spawn(process.execPath, [file, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    await body(`ws://127.0.0.1:${String(port).trim()}/mcp`);
  } finally {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }
}

describe('attacks: an answer that takes long to go through', function () {
  this.timeout(120_000);
  for (const [title, attack] of Object.entries(ATTACKS)) it(title, async () => attack());

  it('the document has a row for each', () => {
    const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
    const [, rest = ''] = text.split('\n### A server can’t stop the editor\n');
    const [table = ''] = rest.split('\n#');
    for (const title of Object.keys(ATTACKS)) assert.ok(table.includes(`\n| ${title} | `), title);
  });
});
