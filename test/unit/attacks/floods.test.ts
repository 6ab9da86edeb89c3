import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { root } from '../../../scripts/lib/paths.mjs';
import { SecretValues } from '../../../src/base/text/secrets.ts';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { isTooDeep } from '../../../src/base/json/jsonDepth.ts';
import { atOnce } from '../../../src/base/timeSlices.ts';
import { readMessage } from '../../../src/bridge/gateway/protocol/jsonRpc.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { readMessages } from '../../../src/connection/reading/readMessages.ts';
import { sourceOf } from '../config/sources.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { JsonMeter } from '../../../src/base/json/jsonMeter.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { EventStream } from '../../../src/bridge/gateway/protocol/eventStream.ts';
import { LoopbackServer } from '../../../src/bridge/gateway/protocol/loopbackServer.ts';
import { ArgumentValidator } from '../../../src/calls/arguments/argumentValidator.ts';
import { recordedText } from '../../../src/calls/results/masking.ts';
import { applyToolOverrides } from '../../../src/catalog/catalogToolMaker.ts';
import type { ToolRules } from '../../../src/catalog/toolRules.ts';
import { LookAlikeCache } from '../../../src/catalog/names/lookAlikeTools.ts';
import { findByRegex } from '../../../src/catalog/search/regexSearch.ts';
import { normalizeSchema } from '../../../src/catalog/schema/normalizeSchema.ts';
import { withoutFixedArguments } from '../../../src/catalog/schema/withoutFixedArguments.ts';
import { PinStore } from '../../../src/catalog/toolPins.ts';
import type { CallProgress, McpTool, ServerConnection } from '../../../src/connection/connectionTypes.ts';
import { cleanToolList, roomForList } from '../../../src/connection/cleaning/cleanTools.ts';
import { errorText } from '../../../src/connection/remote/answers/limitedBody.ts';
import { LineFramer } from '../../../src/connection/stdio/lineFraming.ts';
import { eventually, failureOf, fixture, PoolHarness, remote } from '../connection/harness.ts';
import { Rig } from '../calls/rig.ts';
import { WebSocketFixture } from '../../fixtures/servers/webSocket.ts';

/** What would take minutes or for ever without its guard takes less than this, in milliseconds, on a busy machine. */
const SOON_MS = 5_000;
const MIB = 1024 * 1024;

async function soon<T>(action: () => T | Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await action();
  assert.ok(performance.now() - begun < SOON_MS, `${Math.round(performance.now() - begun)} ms`);
  return result;
}

/** The longest time that nothing else could run, in milliseconds. */
async function longestHold(action: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  await action();
  delays.disable();
  return delays.max / 1e6;
}

/** 2 to the power of `levels` ways through a schema. */
function doubling(levels: number, keyword: 'allOf' | 'anyOf', reference: '$ref' | '$dynamicRef' = '$ref'): JsonObject {
  const levelsOf = Array.from({ length: levels }, (_, at): [string, JsonObject] => {
    const next = { [reference]: `#/$defs/d${at + 1}` };
    return [`d${at}`, { [keyword]: [next, next] }];
  });
  const $defs = Object.fromEntries([...levelsOf, [`d${levels}`, { type: ['object', 'number'] }]]);
  return { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs };
}

const nested = (depth: number): JsonObject => (depth === 0 ? {} : { x: nested(depth - 1) });

/** Schemas, and arguments that they take for ever to check. */
const ENDLESS: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'references that double, of which all must fit': [doubling(40, 'allOf'), { x: 'a' }],
  'references that double, of which any may fit': [doubling(40, 'anyOf'), { x: 'a' }],
  'references that double within themselves': [
    {
      type: 'object',
      properties: {
        x: {
          anyOf: [{ allOf: [{ $ref: '#' }, { required: ['y'] }] }, { allOf: [{ $ref: '#' }, { required: ['z'] }] }],
        },
      },
    },
    nested(40),
  ],
  'a reference that follows the place it is read from': [
    {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: {
        x: { anyOf: Array.from({ length: 3 }, () => ({ allOf: [{ $dynamicRef: '#node' }, { required: ['y'] }] })) },
      },
    },
    nested(40),
  ],
  'references that are relative to the address of a part': [
    {
      type: 'object',
      properties: { x: { $ref: 'http://a.example/d0' } },
      $defs: Object.fromEntries([
        ...Array.from({ length: 40 }, (_, at): [string, JsonObject] => [
          `d${at}`,
          { $id: `http://a.example/d${at}`, allOf: [{ $ref: `d${at + 1}` }, { $ref: `d${at + 1}` }] },
        ]),
        ['d40', { $id: 'http://a.example/d40', type: 'number' }],
      ]),
    },
    { x: 'a' },
  ],
  'errors that pile up': [
    { type: 'object', properties: { x: { items: doubling(18, 'anyOf') } } },
    { x: Array.from({ length: 500 }, () => ({ x: 'a' })) },
  ],
  'a pattern': [{ type: 'object', properties: { x: { pattern: '^(a+)+$' } } }, { x: `${'a'.repeat(40)}!` }],
  'a pattern of names': [{ type: 'object', patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(40)}!`]: 1 }],
  'a pattern for names': [{ type: 'object', propertyNames: { pattern: '^(a|aa)+$' } }, { [`${'a'.repeat(60)}!`]: 1 }],
};

type Respond = (response: ServerResponse, method: string, request: IncomingMessage) => void;

/** A server over Streamable HTTP that does with calls, and with the stream of a GET, what `respond` does. */
async function withHttp(
  respond: Respond,
  body: (server: ServerConnection, closed: Promise<void>) => Promise<void>,
): Promise<void> {
  let closed: (() => void) | undefined;
  const whenClosed = new Promise<void>((resolve) => (closed = resolve));
  const serve = (request: IncomingMessage, response: ServerResponse, text: string): void => {
    const { id, method = request.method ?? '' } = (text ? JSON.parse(text) : {}) as { id?: number; method?: string };
    const answer = (result: object): unknown =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'endless', version: '1' },
      });
    else if (method === 'tools/list') answer({ tools: [{ name: 'call', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call' || method === 'GET') {
      response.once('close', () => closed?.());
      respond(response, method, request);
    } else response.writeHead(id === undefined ? 202 : 404).end();
  };
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.once('end', () => serve(request, response, text));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const harness = new PoolHarness();
  try {
    const { port } = http.address() as AddressInfo;
    await body(await harness.connect(remote('http', `http://127.0.0.1:${port}/mcp`)), whenClosed);
  } finally {
    await harness.end();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
}

/** Writes the same piece again and again, until the other side hangs up. */
function writeForever(to: Writable, piece: Buffer): void {
  to.on('error', () => undefined);
  const more = (): void => {
    if (to.destroyed) return;
    if (to.write(piece)) setImmediate(more);
    else to.once('drain', more);
  };
  more();
}

const PIECE = Buffer.alloc(MIB, 'x');

async function withHarness(
  body: (harness: PoolHarness) => Promise<void>,
  ports: ConstructorParameters<typeof PoolHarness>[1] = {},
): Promise<void> {
  const harness = new PoolHarness({}, ports);
  try {
    await body(harness);
  } finally {
    await harness.end();
  }
}

type Call = (name: string, onProgress?: (progress: CallProgress) => void, timeoutMs?: number) => Promise<unknown>;

function callsOf(server: ServerConnection): Call {
  return async (name, onProgress, timeoutMs = 30_000) => {
    assert.ok(server.session, server.state.kind);
    return server.session.callTool(name, {}, { timeoutMs, ...(onProgress ? { onProgress } : {}) });
  };
}

async function withFlood(
  body: (call: Call, harness: PoolHarness) => Promise<void>,
  ports: ConstructorParameters<typeof PoolHarness>[1] = {},
  list = '',
): Promise<void> {
  await withHarness(async (harness) => body(callsOf(await harness.connect(fixture('flooding', list))), harness), ports);
}

const OK = { content: [{ type: 'text', text: 'ok' }], isError: false };

const ATTACKS: Readonly<Record<string, () => Promise<void> | void>> = {
  'A schema that arguments can’t be checked against in any time': async () => {
    const validator = new ArgumentValidator();
    for (const [what, [schema, args]] of Object.entries(ENDLESS)) {
      const held = await longestHold(async () => {
        assert.deepEqual(await validator.validate(schema, args), [], what);
        assert.deepEqual(await validator.validate(schema, args), [], `${what}, once more`);
      });
      assert.ok(held < SOON_MS, `${what}: ${held} ms`);
    }
    const fine = { type: 'object', properties: { a: { type: 'string', pattern: '^a+$' } } };
    assert.match(
      (await validator.validate(fine, { a: 'b' })).join(),
      /must match pattern/,
      'the next schema is checked',
    );
    validator.dispose();
    const rig = new Rig();
    rig.setTools({}, { inputSchema: doubling(40, 'allOf') });
    await rig.fails('denied', 'delete_note', { x: 'a' });
    assert.equal(rig.asked.length, 1, 'whether it runs is asked as ever');
  },

  'A schema that takes for ever to read, before anybody calls its tool': async () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const many = (reference: string): JsonObject[] => Array.from({ length: 4_000 }, () => ({ $ref: reference }));
    for (const schema of [
      doubling(60, 'allOf'),
      doubling(60, 'anyOf', '$dynamicRef'),
      {
        type: 'object',
        $defs: { big: { type: 'object', properties: wide } },
        properties: { a: { anyOf: many('#/$defs/big') } },
      },
      {
        type: 'object',
        $defs: { big: { enum: [Array.from({ length: 50_000 }, (_, at) => at)] } },
        properties: { a: { anyOf: many('#/$defs/big') } },
      },
      { type: 'object', properties: { a: { anyOf: many(`#${'/a'.repeat(50_000)}`) } } },
    ] as JsonObject[]) {
      await soon(() => normalizeSchema(schema));
      await soon(() => withoutFixedArguments(schema, { b: 1 }));
    }
    const ways = (level: number): JsonObject => ({
      anyOf: Array.from({ length: 20 }, () => ({ $ref: `#/$defs/d${level + 1}` })),
    });
    const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, level) => [`d${level}`, ways(level)]));
    await soon(() => withoutFixedArguments({ ...ways(-1), $defs }, { b: 1 }));
  },

  'A body without an end, packed or not': async () => {
    const responses: Readonly<Record<string, Respond>> = {
      plain: (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        writeForever(response, PIECE);
      },
      packed: (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        response.once('close', () => gzip.destroy());
        writeForever(gzip, PIECE);
      },
    };
    for (const [what, respond] of Object.entries(responses))
      await withHttp(
        (response, method, request) =>
          method === 'GET' ? response.writeHead(405).end() : respond(response, method, request),
        async (server, closed) => {
          const error = await failureOf(callsOf(server)('call'));
          assert.equal(error.code, 'message-too-large', `${what}: ${error.message}`);
          await closed;
          assert.equal(server.state.kind, 'connected');
        },
      );
  },

  'An event or a frame without an end': async () => {
    for (const [what, piece] of [
      ['one line', PIECE],
      ['lines, but no blank one', Buffer.from(`data: ${'x'.repeat(MIB)}\n`)],
    ] as const) {
      const stream = (response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: ');
        writeForever(response, piece);
      };
      await withHttp(
        (response, method) => (method === 'GET' ? response.writeHead(405).end() : stream(response)),
        async (server, closed) => {
          const error = await failureOf(callsOf(server)('call'));
          assert.equal(error.code, 'message-too-large', `${what}: ${error.message}`);
          await closed;
        },
      );
    }
    const frames = await new WebSocketFixture().listen();
    await withHarness(async (harness) => {
      const server = await harness.connect(remote('ws', frames.url));
      frames.padding = ' '.repeat(65 * MIB);
      const error = await failureOf(callsOf(server)('echo'));
      assert.equal(error.code, 'message-too-large');
    });
    await frames.close();
    await withHttp(
      (response, method) => {
        if (method !== 'GET') return;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        writeForever(response, PIECE);
      },
      async (server, closed) => {
        await closed;
        await eventually(() => server.state.kind === 'pending', 'the connection to be given up');
      },
    );
  },

  'A frame with more in it than its size tells': async () => {
    const dense = '[],'.repeat(3 * MIB);
    await withHttp(
      (response, method) => {
        if (method === 'GET') return response.writeHead(405).end();
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(`{"jsonrpc":"2.0","id":1,"result":{"content":[${dense}[]]}}`);
      },
      async (server) => assert.equal((await failureOf(callsOf(server)('call'))).code, 'message-too-large'),
    );
    await withFlood(async (call, harness) => {
      assert.equal((await failureOf(call('dense'))).code, 'message-too-large');
      const deep = await call('deep').catch((error: Error) => error);
      assert.ok(deep instanceof SwitchboardError ? deep.code === 'call-failed' : deep, 'it fails alone, if at all');
      assert.deepEqual(await call('progress'), OK);
      assert.equal(harness.server().state.kind, 'connected');
    });
    assert.ok(new JsonMeter().push(Buffer.from(dense)));
    // What stands in a text is no part.
    const text = JSON.stringify([String.raw`a\"b,[{:`.repeat(MIB / 4), '\\'.repeat(MIB)]);
    const meter = new JsonMeter();
    for (let at = 0; at < text.length; at += 1_001) assert.ok(!meter.push(Buffer.from(text.slice(at, at + 1_001))));
  },

  'A text in which each character takes two bytes, so that it is twice as long as it came': async () => {
    const invalid = Buffer.alloc(MIB, 0xff);
    const plain = Buffer.alloc(MIB, 'x');
    const outer = { head: '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"', tail: '"}]}}' };
    const lineOf = (first: string, piece: Buffer): unknown => {
      const lines: unknown[] = [];
      const take = (line: unknown): unknown => lines.push(line);
      const framer = new LineFramer({ onLine: take, onOversized: take });
      for (const part of [outer.head + first, ...Array.from({ length: 33 }, () => piece), `${outer.tail}\n`])
        framer.push(Buffer.from(part));
      return lines[0];
    };
    assert.equal(typeof lineOf('', invalid), 'object', 'the ends of it alone');
    assert.equal(typeof lineOf('—', plain), 'object');
    assert.equal(typeof lineOf('', plain), 'string');
    const answer = (type: string, before: string, piece: Buffer, after: string): Promise<void> =>
      withHttp(
        (response, method) => {
          if (method === 'GET') return response.writeHead(405).end();
          response.writeHead(200, { 'content-type': type });
          response.write(before);
          for (let at = 0; at < 33; at += 1) response.write(piece);
          return response.end(after);
        },
        async (server) => assert.equal((await failureOf(callsOf(server)('call'))).code, 'message-too-large', type),
      );
    await answer('application/json', outer.head, invalid, outer.tail);
    await answer('text/event-stream', `data: ${outer.head}—`, plain, `${outer.tail}\n\n`);
    // In this encoding, a few bytes of ASCII make all others two bytes long.
    await answer('application/json; charset=iso-2022-jp', `${outer.head}\u001b$B4A\u001b(B`, plain, outer.tail);
    const frames = await new WebSocketFixture().listen();
    await withHarness(async (harness) => {
      const server = await harness.connect(remote('ws', frames.url));
      frames.padding = `${' '.repeat(33 * MIB)}\u2003`;
      assert.equal((await failureOf(callsOf(server)('echo'))).code, 'message-too-large');
    });
    await frames.close();
    // What takes one byte for each character, or has few of them, may have all 64 MiB.
    for (const [what, piece] of Object.entries({
      ASCII: Buffer.alloc(MIB, 'x'),
      'Latin-1': Buffer.alloc(MIB, 'é'),
      Han: Buffer.alloc(3 * MIB, '漢'),
    })) {
      const meter = new JsonMeter();
      for (let bytes = 0; bytes < 63 * MIB; bytes += piece.length) assert.ok(!meter.push(piece), what);
    }
  },

  'A message that is nested deeper than anybody can read, copy or write it': async () => {
    const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const members = (value: string): Readonly<Record<string, string>> => ({
      result: `"result":{"content":[],"structuredContent":{"a":${value}}}`,
      error: `"error":{"code":-1,"message":"m","data":${value}}`,
      meta: `"result":{"content":[],"_meta":{"a":${value}}}`,
    });
    for (const depth of [5_000, 200_000])
      for (const [what, member] of Object.entries(members(nest(depth))))
        await withHttp(
          (response, method) => {
            if (method === 'GET') return response.writeHead(405).end();
            return response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(`{"jsonrpc":"2.0","id":2,${member}}`);
          },
          async (server) => {
            const error = await failureOf(callsOf(server)('call'));
            assert.equal(error.code, 'call-failed', what);
            assert.match(error.message, /nested more than 512 levels deep/, what);
            assert.equal(server.state.kind, 'connected');
          },
        );
    const notice = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${nest(5_000)}}}`;
    assert.equal(readMessages(notice).kind, 'unreadable');
    assert.throws(() => readMessage(notice), /nested more than 512 levels deep/);
    // What isn't nested, however many brackets it has.
    for (const fine of [
      nest(500),
      `[${'[],'.repeat(5_000)}[]]`,
      JSON.stringify([String.raw`a\"${'['.repeat(5_000)}\\`]),
    ])
      assert.equal(atOnce(isTooDeep(fine)), false);
  },

  'A definition that has a server started, or asked, again and again without a pause': () => {
    const written = {
      command: 'x',
      reconnect: { initialDelayMs: 0, maxDelayMs: 0, healthyAfterMs: 0 },
      keepAliveMs: 1,
    };
    const { entries } = parseSource(sourceOf({ scope: 'project' }), JSON.stringify({ mcpServers: { s: written } }));
    const [entry] = entries;
    assert.deepEqual(entry?.reconnect, { initialDelayMs: 100, maxDelayMs: 100, healthyAfterMs: 1_000 });
    assert.deepEqual(entry?.timings, { keepAliveMs: 1_000 });
  },

  'An answer that ends before its result, again and again': async () => {
    let streams = 0;
    await withHttp(
      (response, method) => {
        if (method === 'GET') streams += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 0\ndata: \n\n');
      },
      async (server) => {
        assert.equal((await failureOf(callsOf(server)('call', undefined, 2_000))).code, 'call-timeout');
        assert.ok(streams > 2 && streams < 25, `${streams} streams`);
      },
    );
  },

  'An error whose body has no end': async () => {
    await withHttp(
      (response, method) => {
        response.writeHead(method === 'GET' ? 405 : 500, { 'content-type': 'text/plain' });
        if (method === 'GET') response.end();
        else writeForever(response, PIECE);
      },
      async (server, closed) => {
        const error = await failureOf(callsOf(server)('call'));
        assert.equal(error.code, 'http-status');
        await closed;
      },
    );
    assert.equal((await errorText(new Response('x'.repeat(3 * MIB)))).length, MIB);
  },

  'A flood of log entries, lines and answers to nothing': () =>
    withFlood(async (call, { log }) => {
      for (const name of ['log', 'stderr', 'answers']) {
        log.length = 0;
        const held = await longestHold(async () => assert.deepEqual(await call(name), OK));
        assert.ok(held < SOON_MS, `${name}: ${held} ms`);
        assert.ok(log.length < 2_000, `${name}: ${log.length} lines`);
        assert.ok(log.every((line) => line.length < 1_000));
      }
      await eventually(() => log.some((line) => /lines left out/.test(line)), 'it to be said');
    }),

  'A flood of changes': () =>
    withFlood(async (call, harness) => {
      let lists = 0;
      const told: string[] = [];
      harness.pool.onDidChangeTools(() => (lists += 1));
      harness.server().session?.onNotification(({ method }) => told.push(method));
      for (const name of ['changes', 'resources', 'unknown']) assert.deepEqual(await call(name), OK);
      const changes = told.filter((method) => method === 'notifications/tools/list_changed');
      assert.ok(changes.length < 100 && told.length < 3_000, `${changes.length} of ${told.length} passed on`);
      await eventually(() => lists > 0, 'the list to be fetched');
      assert.ok(lists < 10, `${lists} lists`);
      assert.ok(harness.log.some((line) => /too many notifications/.test(line)));
    }),

  'A flood of questions and requests': async () => {
    let asked = 0;
    let answer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const elicit = async (): Promise<JsonObject> => {
      asked += 1;
      await answered;
      return { action: 'cancel' };
    };
    await withFlood(
      async (call, { log }) => {
        assert.deepEqual(await call('large'), OK);
        assert.equal(asked, 0, 'what nobody can read isn’t shown');
        assert.ok(log.some((line) => /too many large notifications/.test(line)));
        assert.deepEqual(await call('questions'), OK);
        assert.ok(asked > 0 && asked <= 10, `${asked} at a time`);
        answer?.();
        assert.deepEqual(await call('pings'), OK);
        assert.ok(log.some((line) => /too many requests/.test(line)));
        assert.ok(log.some((line) => /asks too much/.test(line)));
      },
      { requests: { elicit } },
    );
    asked = 0;
    await withFlood(async (call) => assert.deepEqual(await call('insisting'), OK), { requests: { elicit } });
    assert.ok(asked > 0 && asked <= 30, `${asked} in all`);
  },

  'A flood of progress': () =>
    withFlood(async (call) => {
      const told: CallProgress[] = [];
      assert.deepEqual(await call('progress', (progress) => told.push(progress)), OK);
      assert.ok(told.length > 0 && told.length < 1_000, `${told.length} told`);
    }),

  'Progress for ever': async () => {
    await withFlood(async (call, harness) => {
      const error = await failureOf(call('forever', undefined, 200));
      assert.equal(error.code, 'call-timeout');
      assert.match(error.message, /within 2 s/);
      const { session } = harness.server();
      const request = session?.request('prompts/get', { name: 'a' }, 200, { onProgress: () => undefined });
      assert.equal((await failureOf(request ?? Promise.resolve())).code, 'call-timeout');
    });
  },

  'A list without an end': () =>
    withFlood(
      async (_call, harness) => {
        const { tools, leftOut, state } = harness.server();
        assert.equal(tools.length, roomForList().tools);
        assert.match(leftOut.join('\n'), /The rest of the list/);
        assert.ok(state.kind === 'connected' && state.info.name.length < 1_000);
        assert.ok((state.info.instructions ?? '').length < 100_000);
      },
      {},
      'pages',
    ),

  'A tool whose definition has more in it than can be looked at in a moment': () => {
    let looks = 0;
    const counted = new Proxy(
      Array.from({ length: 1_000_000 }, (_, at) => at),
      {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    for (const more of [
      { inputSchema: { properties: { a: { enum: counted } } } },
      { icons: counted },
      { _meta: { counted } },
    ]) {
      looks = 0;
      const { result, leftOut } = cleanToolList({
        tools: [{ name: 'large', inputSchema: {}, ...more }, { name: 'fine' }],
      });
      assert.deepEqual(
        (result['tools'] as readonly { readonly name: string }[]).map(({ name }) => name),
        ['fine'],
      );
      assert.deepEqual(leftOut, ['Tool number 1: its definition is too large.']);
      assert.ok(looks < 400_000, `${looks} of its values were looked at`);
    }
  },

  'Tools that are too large': () =>
    withFlood(
      async (_call, harness) => {
        const { tools, leftOut } = harness.server();
        assert.deepEqual(
          tools.map(({ name }) => name),
          ['description', 'fine'],
        );
        assert.ok((tools[0]?.description ?? '').length < 20_000);
        assert.ok(leftOut.length <= 200 && leftOut.join('').length < 100_000, `${leftOut.length} sentences`);
        assert.ok(cleanToolList({ tools: Array.from({ length: 10_000 }, () => 7) }).leftOut.length <= 110);
        const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as JsonObject;
        await soon(() => cleanToolList({ tools: [{ name: 'deep', inputSchema: deep, _meta: deep }] }));
      },
      {},
      'large',
    ),

  'A client of the gateway that sends too much, or doesn’t read': async () => {
    let stream: EventStream | undefined;
    const handle = async (_: IncomingMessage, response: ServerResponse): Promise<void> => {
      stream = new EventStream(response, systemClock);
    };
    const server = new LoopbackServer('token', systemClock, () => ({ handle }));
    const url = `http://127.0.0.1:${await server.listen()}/`;
    const headers = { authorization: 'Bearer token' };
    const body = `[${'[],'.repeat(4 * MIB)}[]]`;
    assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 413);
    const { body: unread } = await fetch(url, { headers });
    assert.ok(stream);
    for (let sent = 0; sent < 100; sent += 1) stream.send({ text: 'x'.repeat(MIB) });
    assert.ok(!stream.isOpen);
    await unread?.cancel().catch(() => undefined);
    server.dispose();
  },

  'Names, texts and patterns that are made to be compared for ever': async () => {
    await soon(() => recordedText('eyJ-'.repeat(500_000), {}, (text) => text));
    for (const pattern of ['a?'.repeat(5_000), '(a|b|c|d)+'.repeat(2_000)])
      assert.throws(() => findByRegex(pattern, []), /takes too long/);
    const rig = new Rig();
    const many = Array.from({ length: 20_000 }, (_, at) => ({
      name: `tool_number_${at}_of_very_many`,
      inputSchema: { type: 'object' },
      annotations: {},
    }));
    rig.catalog.setServer('many', 'many', many);
    const named = 'tool_'.repeat(100);
    await soon(async () => rig.fails('unknown-tool', named));
    assert.deepEqual(rig.catalog.closestNames('mcp__many__toolnumber19999ofverymany', 1), [
      'mcp__many__tool_number_19999_of_very_many',
    ]);
    const { length } = named.repeat(2_000);
    await soon(async () => rig.fails('unknown-tool', 'x'.repeat(length)));
    // Others run meanwhile.
    const cache = new LookAlikeCache(rig.known);
    let turns = 0;
    let isReady = false;
    const turn = (): void => {
      turns += 1;
      if (!isReady) setImmediate(turn);
    };
    turn();
    await cache.ready();
    isReady = true;
    assert.ok(turns > 5, `${turns} turns`);
    const [tool] = rig.catalog.toolsOf('many');
    assert.ok(tool);
    assert.deepEqual(cache.of(tool), []);
  },

  'Tools that all change at once, to make comparing them endless': async () => {
    const toolsOf = (prefix: string, text: string): McpTool[] =>
      Array.from({ length: 5_000 }, (_, at) => ({
        name: `${prefix}_${at}`,
        description: `${prefix} ${text} ${at}`.repeat(20),
        inputSchema: { type: 'object', properties: { [`${prefix}${at}`]: { type: 'string' } } },
        annotations: {},
      }));
    const pins = new PinStore(new MemoryStore());
    pins.examine('server', 'f', toolsOf('a', 'reads'), 'warn');
    const open = await soon(() => pins.examine('server', 'f', toolsOf('b', 'writes'), 'warn'));
    assert.equal(open.size, 5_000, 'each of them is reviewed as a change');
  },

  'A server whose tools’ names take for ever to compare with its entry’s patterns': () => {
    const listed = Array.from({ length: 2_000 }, (_, at) => ({
      name: at === 0 ? 'first' : `${'a'.repeat(120)}bd${at}`,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    }));
    const patterns = Array.from({ length: 2_000 }, (_, at) => `*${'a?'.repeat(60)}*b*c${at}*d*`);
    const server = { configuredName: 'one', name: 'one', part: 'one' };
    const shown = (more: Partial<ToolRules>, known?: typeof server): ReturnType<typeof applyToolOverrides> =>
      applyToolOverrides(listed, { overrides: new Map(), customTools: [], ...more }, known);
    const hidden = new Map(patterns.map((pattern) => [pattern, { hidden: true }]));
    // All of them would take some 10,000 million steps.
    for (const more of [{ enabled: patterns }, { disabled: patterns }, { overrides: hidden }])
      for (const known of [undefined, server]) {
        const { tools, problems } = shown(more, known);
        assert.ok(tools.length < 100, 'what wasn’t compared isn’t offered');
        assert.deepEqual(
          problems.map(({ code }) => code),
          ['tool-patterns'],
        );
      }
    // Names in full cost nothing, however many there are.
    const names = listed.map(({ name }) => `one/${name}`);
    assert.equal(shown({ enabled: names }, server).tools.length, listed.length);
    assert.equal(shown({ disabled: names.slice(1) }, server).tools.length, 1);
    const overrides = new Map(names.map((name) => [name, { readOnly: false }]));
    assert.ok(shown({ overrides }, server).tools.every(({ tool }) => tool.annotations.readOnlyHint === false));
    const nobodys = new Map(names.map((name) => [`${name}x`, { hidden: true }]));
    assert.equal(shown({ overrides: nobodys }, server).problems.length, 20);
  },
  'A server with a thousand secrets, to make masking take for ever': () => {
    const values = new SecretValues();
    const secretOf = (at: number): string => `${at}-q7Zk/29x"${'ab'.repeat(20)}`;
    for (let at = 0; at < 999; at += 1) values.add('TOKEN', secretOf(at));
    // Work is counted, not timed: long expressions that are compiled, and values that are encoded.
    const { RegExp: Expression } = globalThis;
    const from = Buffer.from.bind(Buffer);
    let longest = 0;
    let encoded = 0;
    class CountedExpression extends Expression {
      constructor(...[pattern, flags]: ConstructorParameters<typeof RegExp>) {
        super(pattern, flags);
        longest = Math.max(longest, this.source.length);
      }
    }
    globalThis.RegExp = CountedExpression as typeof RegExp;
    Buffer.from = (...given: Parameters<typeof from>) => {
      encoded += 1;
      return from(...given);
    };
    try {
      assert.equal(values.mask(`the key ${secretOf(7)}, or ${secretOf(998).toUpperCase()}`), 'the key •••, or •••');
      const first = encoded;
      values.add('TOKEN', secretOf(999));
      assert.equal(values.mask(`the key ${secretOf(999)}`), 'the key •••');
      assert.ok(first > 999 && encoded - first < 20, `${first}, then ${encoded - first}`);
      assert.ok(longest < 10_000, `${longest}`);
    } finally {
      globalThis.RegExp = Expression;
      Buffer.from = from;
    }
  },
};

describe('attacks: a server can’t stop the editor', function () {
  this.timeout(120_000);
  for (const [title, attack] of Object.entries(ATTACKS)) it(title, async () => attack());

  it('the document has a row for each', () => {
    const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
    const [, rest = ''] = text.split('\n### A server can’t stop the editor\n');
    const [table = ''] = rest.split('\n#');
    for (const title of Object.keys(ATTACKS)) assert.ok(table.includes(`\n| ${title} | `), title);
  });
});
