import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../../../scripts/lib/paths.mjs';
import { linesOf } from '../../../../../src/base/text/linesOf.ts';
import { parseExact } from '../../../../../src/base/json/exactJson.ts';
import { exactNumber } from '../../../../../src/base/json/exactNumber.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { answerAmong, recordedCalls } from '../../../../../src/connection/recording/replay/recordedCalls.ts';
import { readRecording } from '../../../../../src/connection/recording/replay/readRecording.ts';
import { RecordedAnswers } from '../../../../../src/connection/recording/replay/recordedAnswers.ts';
import type { Exchange } from '../../../../../src/connection/recording/replay/recordedScript.ts';
import { ReplayedSession } from '../../../../../src/connection/recording/replay/replayedSession.ts';
import { saveRecording } from '../../../../../src/connection/recording/recordingWriter.ts';
import { underlyingOf } from '../../../../../src/catalog/catalogTool.ts';
import { legacyHttp, modernHttp } from '../../../../fixtures/servers/http.ts';
import { WebSocketFixture } from '../../../../fixtures/servers/webSocket.ts';
import { withServers, type TestHost } from '../../../../support/testHost.ts';
import { fixture, temporaryFolder } from '../../harness.ts';

const REPLAY = path.join(root, 'src', 'connection', 'recording', 'replay', 'replay.ts');
const bin = (name: string): string => path.join(root, 'node_modules', '.bin', name);

type Calls = readonly (readonly [tool: string, args: JsonObject])[];

describe('a recording as a server', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** Calls each tool, and gives what the agent gets and which state the server is in. */
  async function answersOf(rig: TestHost, calls: Calls): Promise<unknown> {
    const { host } = rig;
    const [connection] = host.pool.all;
    assert.equal(connection?.state.kind, 'connected', JSON.stringify(connection?.state));
    const answers: unknown[] = [];
    for (const [name, args] of calls) {
      const tool = host.catalog.tools.find((each) => underlyingOf(each).name === name);
      assert.ok(tool, `${name} is listed`);
      const { signal } = new AbortController();
      answers.push(
        await host.broker.call({ name: tool.name, args, surface: 'test', signal }).then(
          ({ parts }) => parts,
          (error: Error) => error.message,
        ),
      );
    }
    const { info } = connection.session ?? {};
    const { pid: _, transport: __, ...said } = info ?? ({} as never);
    const tools = host.catalog.tools.map((each) => underlyingOf(each)).map(({ meta: ___, ...tool }) => tool);
    return { answers, said, tools };
  }

  async function recorded(entry: object, calls: Calls, file: string): Promise<unknown> {
    let answers: unknown;
    await withServers(
      { one: entry },
      async (rig) => {
        answers = await answersOf(rig, calls);
        const { host } = rig;
        await saveRecording(file, (await host.recorder()).recent(), {
          by: { name: 'test', version: '0' },
          platform: process.platform,
          nameOf: (id) => host.servers.get(id)?.name ?? id,
          mask: host.pool.mask,
        });
      },
      { answer: 'once' },
    );
    return answers;
  }

  async function replayed(file: string, calls: Calls): Promise<unknown> {
    let answers: unknown;
    const entry = { command: process.execPath, args: [REPLAY, file, '--fast'] };
    await withServers(
      { one: entry },
      async (rig) => {
        answers = await answersOf(rig, calls);
      },
      { answer: 'once' },
    );
    return answers;
  }

  const files = path.join(folder.path, 'files');
  mkdirSync(files);
  writeFileSync(path.join(files, 'a.txt'), 'hello');
  const real: Readonly<Record<string, { readonly entry: object; readonly calls: Calls }>> = {
    everything: {
      entry: { command: process.execPath, args: [bin('mcp-server-everything')] },
      calls: [
        ['echo', { message: 'hi' }],
        ['echo', { message: 'a\u2028b \u202e <b>&lt;</b> \ud83d' }],
        ['get-sum', { a: 1, b: 2 }],
        ['get-tiny-image', {}],
        ['get-structured-content', { location: 'New York' }],
        ['trigger-long-running-operation', { duration: 0.2, steps: 2 }],
        ['get-sum', { a: 'x', b: 2 }],
      ],
    },
    filesystem: {
      entry: { command: process.execPath, args: [bin('mcp-server-filesystem'), files] },
      calls: [
        ['read_text_file', { path: path.join(files, 'a.txt') }],
        ['write_file', { path: path.join(files, 'b.txt'), content: 'b' }],
        ['list_directory', { path: files }],
        ['read_text_file', { path: path.join(files, 'none.txt') }],
      ],
    },
    memory: {
      entry: {
        command: process.execPath,
        args: [bin('mcp-server-memory')],
        env: { MEMORY_FILE_PATH: path.join(folder.path, 'memory.jsonl') },
      },
      calls: [
        ['read_graph', {}],
        ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes'] }] }],
        ['read_graph', {}],
      ],
    },
    notes: {
      entry: {
        command: process.execPath,
        args: [bin('mcp-switchboard-notes')],
        env: { NOTES_DIR: path.join(folder.path, 'notes') },
      },
      calls: [
        ['add_note', { title: 'one', text: 'first' }],
        ['list_notes', {}],
        ['delete_note', { title: 'one' }],
        ['list_notes', {}],
      ],
    },
    'the fixture over stdio, with its questions': {
      entry: { command: fixture('legacy').command, args: fixture('legacy').args },
      calls: [
        ['echo', { text: 'x' }],
        ['slow', { steps: 2, stepMs: 10 }],
        ['roots', {}],
      ],
    },
    'protocol 2026-07-28 over stdio': {
      entry: { command: fixture('modern').command, args: fixture('modern').args },
      calls: [
        ['echo', { text: 'x' }],
        ['echo', { text: 'y' }],
      ],
    },
  };

  for (const [name, { entry, calls }] of Object.entries(real))
    it(`${name}: gives the same answers`, async () => {
      const file = path.join(folder.path, `${name.replaceAll(/\W/g, '-')}.jsonl`);
      const first = await recorded(entry, calls, file);
      assert.deepEqual(await replayed(file, calls), first);
    });

  it('recorded over HTTP of both eras and over a WebSocket: gives the same answers', async () => {
    const calls: Calls = [['echo', { text: 'far' }]];
    const [legacy, modern, socket] = [await legacyHttp(), await modernHttp(), await new WebSocketFixture().listen()];
    const entries = [
      { type: 'http', url: legacy.fixture.url },
      { type: 'http', url: modern.fixture.url },
      { type: 'ws', url: socket.url },
    ];
    try {
      for (const [index, entry] of entries.entries()) {
        const file = path.join(folder.path, `remote-${index}.jsonl`);
        const first = await recorded(entry, calls, file);
        assert.deepEqual(await replayed(file, calls), first, JSON.stringify(entry));
      }
    } finally {
      await Promise.all([legacy.fixture.close(), modern.fixture.close(), socket.close()]);
    }
  });

  it('says so where a request wasn’t recorded', async () => {
    const file = path.join(folder.path, 'few.jsonl');
    const { command, args } = fixture('legacy');
    await recorded({ command, args }, [['echo', { text: 'known' }]], file);
    const { answers } = (await replayed(file, [['echo', { text: 'other' }]])) as { answers: readonly unknown[] };
    assert.match(String(answers[0]), /The recording has no request “tools\/call” with these parameters/);
  });

  it('is read where its last line was cut off, and refused where a later version wrote it or it is none', async () => {
    const file = path.join(folder.path, 'few.jsonl');
    const whole = await readRecording(file);
    assert.equal(whole.unread, 0);
    appendFileSync(file, readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)?.slice(0, 50) ?? '');
    const cut = await readRecording(file);
    assert.deepEqual([cut.unread, cut.lines.length], [1, whole.lines.length]);
    const text = readFileSync(file, 'utf8');
    const later = path.join(folder.path, 'later.jsonl');
    writeFileSync(later, text.replace('"mcpRecording":1', '"mcpRecording":2'));
    await assert.rejects(readRecording(later), /has version 2 of the form of recordings; .* reads version 1/);
    for (const other of ['', '{}\n', 'not JSON\n{"a":1}', '[1]\n']) {
      writeFileSync(later, other);
      await assert.rejects(readRecording(later), /is no recording/);
    }
    await assert.rejects(readRecording(folder.path), /is not a file/);
  });

  // One for each version of the form, as the first release with it wrote it: they are never changed.
  const fixtures = path.join(root, 'test', 'fixtures', 'recordings');
  for (const name of readdirSync(fixtures))
    it(`${name}: what an earlier version wrote is read and replayed`, async () => {
      const file = path.join(fixtures, name);
      const { lines, header, unread } = await readRecording(file);
      assert.deepEqual([header.by.name, unread], ['mcp-switchboard', 0]);
      assert.deepEqual(new Set(lines.map(({ kind }) => kind)), new Set(['message', 'state', 'decision']));
      const calls = recordedCalls(lines, 'legacy');
      assert.deepEqual(
        calls.map(({ tool, isMasked }) => [tool, isMasked]),
        [...['echo', 'echo', 'echo'].map((tool, index) => [tool, index === 2]), ['slow', false]],
      );
      for (const server of ['legacy', 'modern']) {
        const entry = { command: process.execPath, args: [REPLAY, file, '--fast', '--server', server] };
        const texts: string[] = [];
        await withServers({ one: entry }, async (rig) => {
          assert.equal(rig.host.pool.all[0]?.session?.info.era, server);
          for (const text of ['two', 'one', 'whatever was masked']) {
            const tool = rig.host.catalog.tools.find((each) => each.tool.name === 'echo');
            texts.push(await rig.call(tool?.name ?? '', { text }));
          }
        });
        assert.deepEqual(texts, ['two', 'one', '•••']);
      }
    });

  /** Talks to a replaying process by hand. */
  async function talk(
    lines: readonly object[],
    sent: readonly object[],
    ...args: string[]
  ): Promise<readonly unknown[]> {
    const file = path.join(folder.path, 'by-hand.jsonl');
    const header = {
      mcpRecording: 1,
      begun: '2026-01-01T00:00:00Z',
      by: { name: 't', version: '0' },
      platform: 'linux',
    };
    const events = lines.map((what, index) => ({
      seq: index,
      at: index * 40,
      server: 's',
      connection: 1,
      kind: 'message',
      ...what,
    }));
    writeFileSync(file, [header, ...events].map((line) => JSON.stringify(line)).join('\n'));
    const child = spawn(process.execPath, [REPLAY, file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    const got: unknown[] = [];
    const expected = lines.filter((line) => (line as { direction: string }).direction === 'received').length;
    for (const message of sent) child.stdin.write(`${JSON.stringify(message)}\n`);
    for await (const line of linesOf(child.stdout.setEncoding('utf8') as AsyncIterable<string>)) {
      const message = parseExact(line) as { id?: unknown; method?: string };
      got.push(message);
      // A question of the server is answered at once.
      if (message.method !== undefined && message.id !== undefined)
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} })}\n`);
      if (got.length === expected) child.stdin.end();
    }
    return got;
  }

  const sentCall = (id: number, more: object = {}): object => ({
    direction: 'sent',
    message: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a', ...more } },
  });
  const received = (message: object): object => ({ direction: 'received', message: { jsonrpc: '2.0', ...message } });

  it('sends progress with the client’s own token, and what comes behind a question after its answer', async () => {
    const lines = [
      sentCall(7, { _meta: { progressToken: 7 } }),
      received({ method: 'notifications/progress', params: { progressToken: 7, progress: 1 } }),
      received({ id: 'q', method: 'elicitation/create', params: { message: '?' } }),
      { direction: 'sent', message: { jsonrpc: '2.0', id: 'q', result: {} } },
      received({ id: 7, result: { content: [] } }),
    ];
    for (const args of [[], ['--fast']]) {
      const call = {
        jsonrpc: '2.0',
        id: 'x',
        method: 'tools/call',
        params: { name: 'a', _meta: { progressToken: 'p' } },
      };
      const got = await talk(lines, [call], ...args);
      assert.deepEqual(JSON.parse(JSON.stringify(got)), [
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
        { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: '?' } },
        { jsonrpc: '2.0', id: 'x', result: { content: [] } },
      ]);
    }
  });

  it('answers two equal calls at once, in each of which the server asks with the same id', () => {
    const call = { name: 'a', arguments: {} };
    const question = { jsonrpc: '2.0', id: 9, method: 'roots/list' };
    const answer = { jsonrpc: '2.0', id: 7, result: { content: [] } };
    const follows = [question, answer].map((message) => ({ afterMs: 0, message, isCut: false }));
    const sent: Record<string, unknown>[] = [];
    const session = new ReplayedSession([{ method: 'tools/call', params: call, id: 7, follows }], {
      isFast: true,
      send: (message) => sent.push(message as Record<string, unknown>),
      say: assert.fail,
      schedule: assert.fail,
    });
    for (const id of ['x', 'y']) session.take({ jsonrpc: '2.0', id, method: 'tools/call', params: call });
    const asked = sent.map(({ id }) => id);
    assert.deepEqual([asked[0], new Set(asked).size], [9, 2]);
    for (const id of asked.toReversed()) session.take({ jsonrpc: '2.0', id, result: { roots: [] } });
    assert.deepEqual(
      sent.slice(2).map(({ id }) => id),
      ['y', 'x'],
    );
  });

  it('sends as many messages at once as the server sent', async () => {
    const note = (progress: number): object =>
      received({ method: 'notifications/progress', params: { progressToken: 7, progress } });
    const lines = [
      sentCall(7, { _meta: { progressToken: 7 } }),
      ...Array.from({ length: 20_000 }, (_, progress) => note(progress)),
      received({ id: 7, result: { content: [] } }),
    ];
    const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'a' } };
    assert.equal((await talk(lines, [call], '--fast')).length, 20_001);
  });

  it('answers equal requests in order, takes what was masked for any text, and keeps the digits of numbers', async () => {
    const lines = [
      sentCall(1, { arguments: { token: '•••', url: 'https://x/?key=•••&a=1' } }),
      { direction: 'received', message: { jsonrpc: '2.0', id: 1, result: { n: 1 } } },
      sentCall(2, { arguments: { token: '•••', url: 'https://x/?key=•••&a=1' } }),
      received({ id: 2, result: { n: 2 } }),
    ];
    const call = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'a', arguments: { token: 'secret', url: 'https://x/?key=k&a=1' } },
    });
    const got = await talk(lines, [call(10), call(11)], '--fast');
    assert.deepEqual(
      got.map((each) => (each as { id: number; result: unknown }).result),
      [{ n: 1 }, { n: 2 }],
    );
    const file = path.join(folder.path, 'by-hand.jsonl');
    const text = readFileSync(file, 'utf8').replace('"n":1', '"n":12345678901234567890.10');
    writeFileSync(file, text);
    const { lines: read } = await readRecording(file);
    assert.match(JSON.stringify(read[1]), /"n":12345678901234567890\.10/);
  });

  it('takes numbers for what they are, however they are written, in parameters, ids and tokens', async () => {
    const numbers = { a: exactNumber('1.0'), b: [exactNumber('1e2')], c: exactNumber('12345678901234567890') };
    const lines = [
      sentCall(1, { arguments: { ...numbers, d: 5, e: 'x•••' } }),
      received({ id: exactNumber('1.0'), result: { n: 0 } }),
      sentCall(2, { arguments: { ...numbers, d: 5 }, _meta: { progressToken: 7 } }),
      received({ method: 'notifications/progress', params: { progressToken: exactNumber('7.0'), progress: 1 } }),
      received({ id: exactNumber('5.0'), method: 'roots/list' }),
      received({ id: 2, result: { n: 1 } }),
    ];
    const call = (id: number, args: object): object => {
      const params = { name: 'a', arguments: args, _meta: { progressToken: 'p' } };
      return { jsonrpc: '2.0', id, method: 'tools/call', params };
    };
    const plain = { a: 1, b: [100], c: 12345678901234567000 };
    const sent = [
      call(10, { ...plain, d: exactNumber('5.00'), e: 'xy' }),
      call(11, { ...plain, d: exactNumber('5e0') }),
    ];
    assert.deepEqual(JSON.parse(JSON.stringify(await talk(lines, sent, '--fast'))), [
      { jsonrpc: '2.0', id: 10, result: { n: 0 } },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      { jsonrpc: '2.0', id: 5, method: 'roots/list' },
      { jsonrpc: '2.0', id: 11, result: { n: 1 } },
    ]);
    const { lines: read } = await readRecording(path.join(folder.path, 'by-hand.jsonl'));
    const [first] = recordedCalls(read, 's');
    assert.ok(first);
    const answered = (args: object): unknown =>
      answerAmong(
        [call(3, args), { jsonrpc: '2.0', id: 3, result: { n: 3 } }].map((message, seq) => ({
          ...{ seq, at: seq, server: 's', connection: 1 },
          what: { kind: 'message', direction: seq === 0 ? 'sent' : 'received', message, bytes: 1 },
        })),
        first,
      );
    assert.deepEqual(answered({ ...plain, d: 5, e: 'xy' }), { result: { n: 3 } });
    assert.equal(answered({ ...plain, d: 6, e: 'xy' }), undefined);
  });

  it('says of a request that wasn’t recorded where the nearest differs, and no value', async () => {
    const follows = [{ afterMs: 0, message: { jsonrpc: '2.0', id: 1, result: {} }, isCut: false }];
    const recordedCall = (args: object): Exchange => {
      return { method: 'tools/call', params: { name: 'a', arguments: args }, id: 1, follows };
    };
    const exchanges = [recordedCall({ x: 1, y: { z: 'recorded' } }), recordedCall({ other: 1, and: 2, more: 3 })];
    const said: string[] = [];
    const sent: { readonly error?: { readonly code: number } }[] = [];
    const session = new ReplayedSession(exchanges, {
      isFast: true,
      send: (message) => sent.push(message),
      say: (line) => said.push(line),
      schedule: assert.fail,
    });
    const ask = (args: unknown, method = 'tools/call'): void =>
      session.take({ jsonrpc: '2.0', id: 1, method, params: { name: 'a', arguments: args } });
    ask({ y: { z: 'recorded' }, x: 1 });
    assert.deepEqual([sent.length, said], [1, []]);
    ask({ x: 1, y: { z: 'a secret' }, 'new\u001b[31m': true });
    ask({ x: 1 }, 'other/method\u001b');
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    ask(deep);
    assert.deepEqual(said, [
      'Not recorded: "tools/call". The nearest differs in arguments.y.z, arguments.new\\u001b[31m.',
      'Not recorded: "other/method\\u001b".',
      'Not recorded: "tools/call". The nearest differs in arguments.',
    ]);
    assert.deepEqual(
      sent.slice(1).map(({ error }) => error?.code),
      [-32602, -32601, -32602],
    );
  });

  it('finds each of very many recorded requests at once, also where they are equal, masked or all different', () => {
    const many = 60_000;
    const kinds = [() => ({ a: 1 }), () => ({ a: '•••' }), (index: number) => ({ a: index })];
    for (const argsOf of kinds) {
      const exchanges = Array.from({ length: many }, (_, index): Exchange => {
        const message = { jsonrpc: '2.0', id: index, result: { index } };
        return { method: 'm', params: argsOf(index), id: index, follows: [{ afterMs: 0, message, isCut: false }] };
      });
      const answers = new RecordedAnswers(exchanges);
      for (let index = 0; index < many; index += 1) assert.equal(answers.find('m', argsOf(index)), exchanges[index]);
      assert.equal(answers.find('m', argsOf(many - 1)), exchanges.at(-1));
    }
  });
});
