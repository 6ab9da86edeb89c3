import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { root } from '../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../src/base/clock.ts';
import { firstLines } from '../../../src/bridge/dialogs/dialogLines.ts';
import { shownAddress } from '../../../src/bridge/serverQuestions/shownAddress.ts';
import { MAX_MEMBERS } from '../../../src/base/json/readingLimits.ts';
import { atOnce, inSlices, nextTurn } from '../../../src/base/timeSlices.ts';
import { cleanAnswer } from '../../../src/connection/cleaning/cleanAnswer.ts';
import { roomForList } from '../../../src/connection/cleaning/cleanTools.ts';
import { EventReader } from '../../../src/connection/reading/eventReader.ts';
import { READING, readMessageSteps } from '../../../src/connection/reading/readMessages.ts';
import { ServerAsks } from '../../../src/connection/session/serverAsks.ts';
import { ThrottledLog } from '../../../src/connection/session/throttledLog.ts';
import { FrameQueue } from '../../../src/connection/remote/webSocket/frameQueue.ts';
import { WebSocketLink } from '../../../src/connection/remote/webSocket/webSocketLink.ts';
import { WebSocketTransport } from '../../../src/connection/remote/webSocket/webSocketTransport.ts';
import { LineFramer } from '../../../src/connection/stdio/lineFraming.ts';
import { MessageLines } from '../../../src/connection/stdio/messageLines.ts';
import { spawnServer } from '../../../src/connection/stdio/spawnServer.ts';
import { StdioTransport } from '../../../src/connection/stdio/stdioTransport.ts';
import { SecretValues } from '../../../src/base/text/secrets.ts';
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
      const socket = new WebSocketTransport({ url, headers: {}, authorize: (inner) => inner });
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
    const busy: boolean[] = [];
    let read = 0;
    const queue = new FrameQueue({
      *read() {
        yield;
        read += 1;
      },
      onBusy: (isBusy) => busy.push(isBusy),
    });
    const frame = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { x: 'x'.repeat(200_000) } });
    for (let at = 0; at < 100; at += 1) queue.push(frame);
    assert.ok(read <= 3, `${read} are read at once`);
    assert.deepEqual(busy, [true], 'no more are wanted');
    await queue.reading;
    assert.deepEqual([read, busy], [100, [true, false]]);
  },

  'A server that floods a WebSocket for ever': async () => {
    // Text frames of two characters, 64 MiB of them.
    const flood = Buffer.alloc(64 * 1024, Buffer.from([0x81, 2, 0x7b, 0x7d]));
    let gone = 0;
    const server = await rawWebSocket((socket) => {
      const more = (): void => {
        gone += flood.length;
        if (gone < 64 * 1024 * 1024) socket.write(flood, more);
      };
      socket.write(flood, more);
    });
    const { socket, closed } = await opened(server.url);
    let read = 0;
    let sent = 0;
    socket.onerror = () => {
      read += 1;
      if (read === 1_000_000) sent = gone;
    };
    await eventually('a million are read', () => sent > 0, 90_000);
    assert.ok(sent < 24 * 1024 * 1024, `${sent} bytes are sent when 4 million are read: the server has to wait`);
    await socket.close();
    socket.destroy();
    await closed;
    await eventually('nothing is left open', () => server.open === 0);
    await server.close();
  },

  'A WebSocket server that never closes, never reads, or sends what is no frame': async () => {
    const frame = (...bytes: number[]): Buffer => Buffer.from(bytes);
    const ping = frame(0x89, 0);
    const cases: Readonly<Record<string, readonly [sent: Buffer | undefined, code: number]>> = {
      'never closes': [undefined, 1006],
      'closes, and keeps the connection': [frame(0x88, 2, 0x0f, 0xa2), 4002],
      'sends a masked frame': [frame(0x81, 0x80, 1, 2, 3, 4), 1002],
      'sends a reserved bit': [frame(0xc1, 0), 1002],
      'goes on with nothing': [frame(0x80, 0), 1002],
      'sends a long ping': [frame(0x89, 126, 1, 0), 1002],
    };
    for (const [what, [sent, code]] of Object.entries(cases)) {
      const server = await rawWebSocket((socket) => sent && socket.write(sent));
      const { socket, closed } = await opened(server.url);
      if (!sent) {
        await socket.close();
        socket.destroy();
      }
      await closed;
      await eventually(`${what}: nothing is left open`, () => server.open === 0);
      assert.equal(socket.closeCode, code, what);
      await server.close();
    }
    let answered = 0;
    const server = await rawWebSocket((socket) => {
      socket.on('data', (chunk: Buffer) => (answered += chunk.length));
      socket.write(Buffer.concat(Array.from({ length: 30_000 }, () => ping)));
    });
    const { socket, closed } = await opened(server.url);
    await eventually('a ping is answered', () => answered > 0);
    assert.ok(answered < 1_000, `${answered} bytes answer 30,000 pings`);
    const link = new WebSocketLink({
      url: server.url,
      headers: {},
      authorize: (inner) => inner,
      clock: systemClock,
      guardOptions: {
        mask: (text) => text,
        onLeftOut: () => undefined,
        tolerate: () => undefined,
        onUnexpectedAnswer: () => undefined,
        onFlood: () => undefined,
        clock: systemClock,
      },
    });
    await link.transport.start();
    await link.stop({ afterEofMs: 1, afterTermMs: 1 });
    await socket.close();
    socket.destroy();
    await closed;
    await eventually('nothing is left open', () => server.open === 0);
    await server.close();
  },

  'A text, a name, a number or blanks without an end, within an answer': () => {
    const [size, piece] = [4_000_000, 64 * 1024];
    const brackets = '[],'.repeat(600);
    const texts = {
      escapes: `{"id":1,"result":[${brackets}"${String.raw`\"`.repeat(size / 2)}"]}`,
      'escapes and numbers': `{"id":1,"result":{"n":1.10,"text":"${String.raw`\\`.repeat(size / 2)}"}}`,
      name: `{"id":1,"result":{"${'k'.repeat(size)}":1}}`,
      'a fault at its end': `{"id":1,"result":["${'x'.repeat(size)}"]}!`,
      number: `{"id":1,"result":${'1'.repeat(size)}}`,
      blanks: `{"id":1,"result":[1,${' '.repeat(size)}"x"]}`,
    };
    for (const [name, text] of Object.entries(texts)) {
      const work = readMessageSteps(text);
      let steps = 1;
      let step = work.next();
      for (; step.done !== true; step = work.next()) steps += 1;
      if (step.value.kind === 'unreadable') {
        assert.ok(['a fault at its end', 'number', 'blanks'].includes(name), name);
        assert.equal(step.value.id, 1);
        assert.match(step.value.reason, /not valid JSON at character \d+$/);
        continue;
      }
      assert.equal(step.value.kind, 'messages', name);
      assert.ok(steps > size / piece, `${name}: ${steps} steps`);
      for (const message of step.value.kind === 'messages' ? step.value.messages : []) {
        const exact = message[READING]?.exact?.();
        if (!exact) continue;
        let again = 1;
        while (exact.next().done !== true) again += 1;
        assert.ok(again > size / piece, `${name}: ${again} steps`);
      }
    }
    const framed: string[] = [];
    const framer = new LineFramer({ onLine: (line) => framed.push(line), onOversized: () => assert.fail() });
    for (let at = 0; at < 40; at += 1) framer.push(Buffer.from('é'.repeat(piece)).subarray(at % 2));
    assert.equal(framed.length, 0);
    framer.push(Buffer.from('\n'));
    assert.equal(framed[0]?.length, 40 * piece);
  },

  'An event in millions of lines, and one that nobody reads': async () => {
    const events: [string, number][] = [];
    const reader = new EventReader(
      function* (name, data) {
        yield;
        events.push([name, data.length]);
        return undefined;
      },
      () => undefined,
    );
    let passed = '';
    const push = async (text: string): Promise<void> => void (passed += await inSlices(reader.push(text)));
    await light('an event in lines', async () => {
      for (let at = 0; at < 300; at += 1) await push('data:x\n'.repeat(10_000));
      await push('\n');
    });
    await push(`event: ping\ndata: ${'x'.repeat(1_000_000)}\n\nevent: ping\ndata: {}\n\n`);
    assert.deepEqual(events, [
      ['', 5_999_999],
      ['ping', 1_000_000],
      ['ping', 2],
    ]);
    assert.equal(passed, 'event: ping\ndata: {}\n\n');
  },

  'Lines without number: empty ones, headers, lines of errors, and carriage returns': async () => {
    const secrets = new SecretValues();
    for (let at = 0; at < 50; at += 1) secrets.add(`API_KEY_${at}`, `sk-${at}-0123456789abcdef`);
    for (const [stream, unit, count] of [
      ['stdout', '\n', 1_000_000],
      ['stdout', 'Content-Length: 1\n\n', 100_000],
      ['stderr', '\n', 1_000_000],
      ['stderr', 'some line\n', 200_000],
      ['stderr', `${'\r'.repeat(65_000)}x`, 30],
    ] as const) {
      const code = `const text = Buffer.from(${JSON.stringify(unit)}.repeat(${Math.ceil(1_000_000 / unit.length)}));
        const write = (left) =>
          left > 0
            ? process.${stream}.write(text, () => write(left - text.length))
            : process.stdout.write('\\n{"jsonrpc":"2.0","method":"done"}\\n');
        write(${unit.length * count});`;
      const transport = new StdioTransport({
        spawn: () =>
          spawnServer({ command: process.execPath, args: ['-e', code], cwd: root, env: {} }, process.platform),
        command: process.execPath,
        platform: process.platform,
        mark: 'none',
        mask: secrets.mask,
        clock: systemClock,
        onStderr: () => undefined,
        onNoise: () => undefined,
        onFrame: () => undefined,
        onOversized: () => undefined,
        onUnreadable: () => false,
        onStarted: () => undefined,
        onEnded: () => undefined,
      });
      const done = new Promise<void>((resolve) => (transport.onmessage = () => resolve()));
      await light(`${stream}: ${JSON.stringify(unit.slice(-20))}`, async () => {
        await transport.start();
        await done;
      });
      await transport.close();
    }
    let isPaused = false;
    const sink = { onMessage: () => undefined, onNoise: () => undefined, onUnreadable: () => undefined };
    const lines = new MessageLines({ ...sink, onBusy: (isBusy) => (isPaused = isBusy) }, new ManualClock());
    for (let at = 0; at < 3_000; at += 1) lines.weigh('Content-Length: 1');
    assert.ok(isPaused, 'headers, too, wait for the next turn');
    await eventually('they are read', () => !isPaused);
    lines.dispose();
  },

  'A message in many lines': async () => {
    const messages: object[] = [];
    const faults: unknown[] = [];
    const sink = {
      onMessage: (message: object) => messages.push(message),
      onNoise: () => undefined,
      onUnreadable: (id: unknown) => faults.push(id),
    };
    const lines = new MessageLines(sink, new ManualClock());
    const begin = '{"jsonrpc":"2.0","id":1,"result":{"rows":[';
    const row = '{"a":1},'.repeat(20_000);
    const idle = async (): Promise<void> => {
      while (lines.isBusy) await new Promise((resolve) => setImmediate(resolve));
    };
    await light('a message in many lines', async () => {
      for (const line of [begin, ...Array.from({ length: 24 }, () => row)]) {
        lines.push(line);
        await idle();
        await nextTurn();
      }
      // The last line alone is short.
      lines.push('1]}}');
      assert.deepEqual([lines.isBusy, messages.length], [true, 0], 'what is whole isn’t read at once');
      await idle();
    });
    assert.equal(messages.length, 1);
    for (const line of [begin, row, row]) {
      lines.push(line);
      await idle();
    }
    lines.dispose();
    assert.deepEqual([messages.length, faults], [1, [1]], 'what isn’t ended, fails by its ends');
  },

  'A handler that fails, to stop what comes behind': async () => {
    const fails = process.listeners('uncaughtException');
    const thrown: unknown[] = [];
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    try {
      const taken: number[] = [];
      const queue = new FrameQueue({
        *read(text) {
          yield;
          taken.push(text.length);
          if (taken.length === 1) throw new Error('broken');
        },
        onBusy: () => undefined,
      });
      for (const length of [300_000, 10, 300_001]) queue.push('x'.repeat(length));
      await queue.reading;
      assert.deepEqual(taken, [300_000, 10, 300_001]);
      assert.equal(queue.reading, undefined);
      await eventually('what was thrown is told', () => thrown.length === 1);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const each of fails) process.on('uncaughtException', each);
    }
  },

  'A question of a server with more text than can be drawn in a moment': async () => {
    const long = 'x '.repeat(2_000_000);
    const shown = await light('a question', async () => firstLines([long, long], 20));
    assert.equal(shown.lines.length, 20);
    assert.ok(shown.left > 7_990_000, `${shown.left} are left out`);
    assert.equal(shownAddress(`https://a.example/${'x'.repeat(10_000)}`), undefined);
    const clock = new ManualClock();
    let asked = 0;
    const asks = new ServerAsks({
      server: { id: 'x', name: 'x' },
      requests: { elicit: async () => ((asked += 1), {}) },
      clock,
      logger: new ThrottledLog({ log: () => undefined }, clock),
      mask: (text) => text,
      onWaiting: () => () => undefined,
    });
    const { signal } = new AbortController();
    await assert.rejects(asks.elicit({ message: 'x'.repeat(20_000) }, { signal }), /asks too much/);
    await asks.elicit({ message: 'x'.repeat(10_000) }, { signal });
    assert.equal(asked, 1);
  },

  'A model is asked with more text than anybody reads': async () => {
    let masked = 0;
    let longest = 0;
    const asked: unknown[] = [];
    const clock = new ManualClock();
    const asks = new ServerAsks({
      server: { id: 'x', name: 'x' },
      requests: { sample: async ({ params }) => (asked.push(params), {}) },
      clock,
      logger: new ThrottledLog({ log: () => undefined }, clock),
      mask: (text) => {
        masked += text.length;
        longest = Math.max(longest, text.length);
        return text;
      },
      onWaiting: () => () => undefined,
    });
    const sample = (content: object): Promise<unknown> =>
      asks.sample({ messages: [{ role: 'user', content }] }, new AbortController());
    await assert.rejects(sample({ type: 'text', text: 'x'.repeat(1_000_000) }), /asks too much/);
    await assert.rejects(
      sample(Array.from({ length: 100 }, () => ({ type: 'text', text: 'x'.repeat(200_000) }))),
      /asks too much/,
    );
    assert.equal(masked, 0);
    await sample({ type: 'image', data: 'x'.repeat(10_000_000), mimeType: 'image/png' });
    await sample({ type: 'text', text: 'x'.repeat(250_000) });
    assert.equal(asked.length, 2, 'images may be large');
    assert.ok(longest <= 256 * 1024);
  },
};

/** A WebSocket server that does nothing by itself, in this process. */
async function rawWebSocket(
  onOpen: (socket: Duplex) => void,
): Promise<{ readonly url: string; readonly open: number; close(): Promise<void> }> {
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on('upgrade', ({ headers }: IncomingMessage, socket: Duplex) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    // The client has ended its side, or is gone.
    socket.on('end', () => socket.destroy());
    socket.resume();
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}\r\n\r\n`,
    );
    onOpen(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    get open() {
      return sockets.size;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function opened(url: string): Promise<{ readonly socket: WebSocketTransport; readonly closed: Promise<void> }> {
  const socket = new WebSocketTransport({ url, headers: {}, authorize: (inner) => inner });
  const closed = new Promise<void>((resolve) => (socket.onclose = resolve));
  await socket.start();
  return { socket, closed };
}

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
