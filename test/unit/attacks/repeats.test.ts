import { systemClock } from '../../../src/base/clock.ts';
import { strict as assert } from 'node:assert';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import { type CallFault, CountingHttp } from '../../fixtures/servers/countingHttp.ts';
import type { McpTool } from '../../../src/connection/connectionTypes.ts';
import { GuardedTransport } from '../../../src/connection/protocol/guard/guardedTransport.ts';
import { wasNeverSent } from '../../../src/connection/protocol/neverSent.ts';
import { json, modernHttp, sseHttp } from '../../fixtures/servers/http.ts';
import { WebSocketFixture } from '../../fixtures/servers/webSocket.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';
import { withCountingHost } from '../calls/countingHost.ts';
import { Rig } from '../calls/rig.ts';

const SECTION = 'A call runs at most as often as it was allowed';

const retry = { maxAttempts: 3, initialDelayMs: 5, multiplier: 1, maxDelayMs: 10 };
const reconnect = { initialDelayMs: 5, maxDelayMs: 10, maxAttempts: 1_000, healthyAfterMs: 0 };
const ports = { calls: { settings: () => ({ ...DEFAULT_CALL_SETTINGS, retry }) } };

/** A host with one server, which tries again within milliseconds. */
function withServer(entry: object, body: (rig: TestHost) => Promise<void>, callTimeoutMs = 20_000): Promise<void> {
  const allowing = (rig: TestHost): Promise<void> => {
    rig.answer = 'once';
    return body(rig);
  };
  return withServers({ mail: entry }, allowing, { settings: { callTimeoutMs, reconnect }, ports });
}

/** The same with a server over HTTP that counts. */
async function withCounting(
  body: (server: CountingHttp, rig: TestHost) => Promise<void>,
  { before, callTimeoutMs }: { before?: CountingHttp['before']; callTimeoutMs?: number } = {},
): Promise<void> {
  const server = new CountingHttp();
  if (before) server.before = before;
  await server.listen();
  try {
    await withServer({ type: 'http', url: server.url }, (rig) => body(server, rig), callTimeoutMs);
  } finally {
    await server.close().catch(() => undefined);
  }
}

interface Outcome {
  /** How often the server got it. */
  readonly times: number;
  readonly code: string;
  readonly text: string;
}

/** Calls a tool while the server goes wrong in this way each time. */
async function deliver(server: CountingHttp, rig: TestHost, tool: string, fault?: CallFault): Promise<Outcome> {
  await rig.until(() => rig.host.pool.all[0]?.state.kind === 'connected');
  server.fault = fault;
  server.delivered.length = 0;
  const ended = await rig.call(`mcp__mail__${tool}`).then(
    (text) => ({ code: 'ok', text }),
    (error: SwitchboardError) => ({ code: error.code, text: error.fullMessage }),
  );
  server.fault = undefined;
  return { times: server.delivered.length, ...ended };
}

const status =
  (code: number, text: string, type = 'text/plain'): CallFault =>
  (response) =>
    response.writeHead(code, { 'content-type': type }).end(text);
const tool = (name: string): McpTool => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
});
const rpcError =
  (code: number): CallFault =>
  (response, id) =>
    json(response, code, { jsonrpc: '2.0', id, error: { code: -32_004, message: 'no page of that name' } });
const ATTEMPTS = 3;

/** What goes wrong after the server has acted, and how often it then gets a call that reads. One that writes it gets once. */
const FAULTS: readonly (readonly [fault: string, reads: number, CallFault])[] = [
  ['400 without an id', 1, status(400, '{"error":"saved, but the folder is missing"}', 'application/json')],
  ['400 that speaks of the session', ATTEMPTS, status(400, 'Bad Request: No valid session ID provided')],
  ['400 with its id', 1, rpcError(400)],
  ['404 with its id', 1, rpcError(404)],
  ['404 that speaks of the session', ATTEMPTS, status(404, 'Session not found')],
  ['403', 1, status(403, 'no')],
  ['408', ATTEMPTS, status(408, '')],
  ['421, which fetch sends again by itself', ATTEMPTS, status(421, '')],
  ['429', ATTEMPTS, status(429, 'slow down')],
  ['500', ATTEMPTS, status(500, '')],
  ['502', ATTEMPTS, status(502, '<html>')],
  ['503', ATTEMPTS, status(503, '')],
  ['an error of the protocol', 1, rpcError(200)],
  ['a web page', 1, status(200, '<html>', 'text/html')],
  [
    'half an answer',
    ATTEMPTS,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc"');
      setImmediate(() => response.destroy());
    },
  ],
  ['a cut connection', ATTEMPTS, (response) => response.destroy()],
  [
    'a stream that is cut',
    ATTEMPTS,
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': working\n\n');
      setImmediate(() => response.destroy());
    },
  ],
  ['a stream that ends', ATTEMPTS, status(200, ': working\n\n', 'text/event-stream')],
  ['a redirect (307)', ATTEMPTS, (response) => response.writeHead(307, { location: '/mcp' }).end()],
  ['a redirect (308) to another path', ATTEMPTS, (response) => response.writeHead(308, { location: '/other' }).end()],
  [
    'the server restarts',
    ATTEMPTS,
    (_response, _id, { fixture }) => {
      void fixture.close().then(() => fixture.listen());
    },
  ],
];

describe(`attacks: ${SECTION}`, function () {
  this.timeout(120_000);

  it('A write is answered with a fault after the server has acted on it', async () => {
    await withCounting(async (server, rig) => {
      for (const [fault, reads, act] of FAULTS) {
        const written = await deliver(server, rig, 'send', act);
        assert.deepEqual([written.times, written.code === 'ok'], [1, false], `${fault}: ${written.text}`);
        const read = await deliver(server, rig, 'look', act);
        assert.ok(read.times >= 1 && read.times <= reads, `${fault}: ${read.text}`);
        assert.notEqual(read.code, 'not-connected', fault);
      }
      // Whatever the status, and whatever comes with it.
      const bodies = [status, (code: number) => status(code, '{"error":"x"}', 'application/json'), rpcError];
      for (let code = 400; code < 512; code++) {
        const { times, text } = await deliver(server, rig, 'send', bodies[code % bodies.length]?.(code, ''));
        assert.equal(times, 1, `${code}: ${text}`);
        const [connection] = rig.host.pool.all;
        if (connection?.state.kind === 'needs-auth') await rig.host.pool.connect(connection.id);
      }
    });
  });

  it('A write is in flight when another stream of its connection is lost', async () => {
    const losses: readonly ((server: CountingHttp) => void)[] = [
      (server) => {
        server.before = (request, response) => {
          if (request.method !== 'GET') return false;
          server.before = () => false;
          response.writeHead(404).end();
          return true;
        };
      },
      ({ fixture }) => fixture.refuse(),
    ];
    for (const lose of losses)
      await withCounting(
        async (server, rig) => {
          // The call itself has no fault: its connection stays, and no answer comes.
          const { times, code, text } = await deliver(server, rig, 'send', () => {
            lose(server);
            server.cutStreams();
          });
          assert.equal(times, 1, text);
          // A stream that is refused ends nothing else: its answer may come yet.
          assert.match(code, /^(?:connection-lost|call-timeout)$/);
          assert.match(text, /may (?:have run|still be running)/);
          await server.close();
        },
        { callTimeoutMs: 2_000 },
      );
  });

  it('A write isn’t answered in time', async () => {
    await withCounting(
      async (server, rig) => {
        const silent: CallFault = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' });
        const times = async (tool: string): Promise<unknown> => {
          const { times: delivered, code } = await deliver(server, rig, tool, silent);
          return [delivered, code];
        };
        assert.deepEqual(await times('send'), [1, 'call-timeout']);
        assert.deepEqual(await times('put'), [1, 'call-timeout'], 'it may still run');
        assert.deepEqual(await times('look'), [2, 'call-timeout'], 'once more');
      },
      { callTimeoutMs: 200 },
    );
  });

  it('A server is gone before a call is sent, or between two attempts', async () => {
    const noStream: CountingHttp['before'] = (request, response) => {
      response.setHeader('connection', 'close');
      if (request.method !== 'GET') return false;
      response.writeHead(405).end();
      return true;
    };
    await withCounting(
      async (server, rig) => {
        // Never sent: sent again, once, when it is there again.
        await server.close();
        const call = deliver(server, rig, 'send');
        await rig.until(() => rig.host.pool.all[0]?.state.kind === 'pending');
        await server.listen();
        assert.deepEqual(await call, { times: 1, code: 'ok', text: 'done' });
        // An attempt that may have run isn't forgotten for a later one that wasn't sent.
        const { times, code, text } = await deliver(server, rig, 'put', (response) => {
          response.destroy();
          void server.close();
        });
        assert.deepEqual([times, code], [1, 'connection-lost']);
        assert.match(text, /may have run/);
      },
      { before: noStream },
    );
  });

  it('A call is redirected after the server has acted on it', async () => {
    // One that redirects everything, as many do for the sake of a slash, is followed in the handshake, and then known.
    await withCounting(
      async (server, rig) => {
        assert.deepEqual(await deliver(server, rig, 'send'), { times: 1, code: 'ok', text: 'done' });
      },
      {
        before: (request, response) => {
          if (request.url !== '/mcp') return false;
          response.writeHead(307, { location: '/mcp/' }).end();
          return true;
        },
      },
    );
    await withCounting(async (server, rig) => {
      const { times, code, text } = await deliver(server, rig, 'send', (response) =>
        response.writeHead(307, { location: '/mcp' }).end(),
      );
      assert.deepEqual([times, code], [1, 'connection-lost']);
      assert.match(text, /HTTP 307.*may have run/);
    });
  });

  it('A server says that the headers of a call don’t fit, after it has acted on it', async () => {
    let times = 0;
    const { fixture } = await modernHttp((response, body) => {
      if (body?.method !== 'tools/call') return false;
      times += 1;
      json(response, 400, { jsonrpc: '2.0', id: body.id, error: { code: -32_020, message: 'no' } });
      return true;
    });
    await withServer({ type: 'http', url: fixture.url }, async (rig) => {
      await assert.rejects(rig.call('mcp__mail__grow'), /headers don't fit/);
      assert.equal(times, 1);
      assert.equal(rig.host.pool.all[0]?.session?.info.era, 'modern');
    });
    await fixture.close();
  });

  it('A process, an event stream or a WebSocket ends while a write is in flight', async () => {
    await withCountingHost(
      async ({ rig, counted }) => {
        rig.answer = 'once';
        await assert.rejects(rig.call('mcp__counting__destroy'), { code: 'connection-lost' });
        assert.deepEqual(counted(), ['destroy']);
        await rig.until(() => rig.host.pool.all[0]?.state.kind === 'connected');
        await assert.rejects(rig.call('mcp__counting__read'), { code: 'connection-lost' });
        assert.deepEqual(counted(), ['destroy', 'read', 'read', 'read']);
      },
      { dies: true, ports, settings: { reconnect } },
    );
    const delivered: string[] = [];
    let cut = (): void => undefined;
    const serverFor = (): McpServer => {
      const server = new McpServer({ name: 'counting', version: '1' });
      for (const [name, readOnlyHint] of [
        ['send', false],
        ['look', true],
      ] as const)
        server.registerTool(name, { annotations: { readOnlyHint, openWorldHint: false } }, () => {
          delivered.push(name);
          cut();
          return new Promise(() => undefined);
        });
      return server;
    };
    const expectOne = async (rig: TestHost): Promise<void> => {
      delivered.length = 0;
      await assert.rejects(rig.call('mcp__mail__send'), { code: 'connection-lost' });
      assert.deepEqual(delivered, ['send']);
      await rig.until(() => rig.host.pool.all[0]?.state.kind === 'connected');
      await assert.rejects(rig.call('mcp__mail__look'), { code: 'connection-lost' });
      assert.deepEqual(delivered, ['send', 'look', 'look', 'look']);
    };
    const sse = await sseHttp(serverFor);
    cut = () => sse.cut();
    await withServer({ type: 'sse', url: sse.url }, expectOne);
    await sse.close();
    const ws = await new WebSocketFixture(serverFor).listen();
    cut = () => ws.cut();
    await withServer({ type: 'ws', url: ws.url }, expectOne);
    await ws.close();
  });

  it('A request for a resource is answered with a fault after the server has acted on it', async () => {
    await withCounting(async (server, rig) => {
      for (const [fault, , act] of FAULTS) {
        await rig.until(() => rig.host.pool.all[0]?.state.kind === 'connected');
        server.delivered.length = 0;
        server.fault = act;
        const request = {
          serverId: rig.host.pool.all[0]?.id ?? '',
          method: 'resources/read',
          params: { uri: 'file:///note' },
          surface: 'test',
          signal: new AbortController().signal,
        } as const;
        await assert.rejects(rig.host.broker.request(request), fault);
        assert.deepEqual(server.delivered, ['resource'], fault);
        server.fault = undefined;
      }
    });
  });

  it('A server or a tool is changed while a call waits, or between two attempts', async () => {
    for (const change of [
      (rig: Rig) => (rig.fingerprint = 'f2'),
      (rig: Rig) => rig.catalog.setServer('id', 'notes', []),
      (rig: Rig) => rig.catalog.setServer('id', 'notes', [{ ...tool('list_notes'), description: 'another' }]),
    ]) {
      const rig = new Rig({ settings: { retry: { ...retry, initialDelayMs: 0 } } });
      rig.serve = async () => {
        change(rig);
        throw new SwitchboardError('connection-lost', 'lost');
      };
      const ticking = setInterval(() => rig.clock.advance(1), 1);
      try {
        assert.match(await rig.fails('denied', 'list_notes'), /changed or was removed/);
      } finally {
        clearInterval(ticking);
      }
      assert.equal(rig.ran.length, 1);
    }
    const rig = new Rig();
    rig.whileConnecting = () => (rig.fingerprint += '!');
    await rig.fails('denied', 'list_notes');
    const { signal } = new AbortController();
    const read = {
      serverId: 'id',
      method: 'resources/read',
      params: { uri: 'file:///a' },
      surface: 'test',
      signal,
    } as const;
    await assert.rejects(rig.calls.broker.request(read), /changed while its permission was checked/);
    assert.deepEqual(rig.ran, []);
  });

  it('A connection that was made ends with an error of the network', async () => {
    const fail = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall });
    const fetchFailed = (cause: Error): Error => new TypeError('fetch failed', { cause });
    assert.ok(wasNeverSent(fetchFailed(fail('ECONNREFUSED', 'connect'))));
    assert.ok(wasNeverSent(fetchFailed(fail('ENOTFOUND', 'getaddrinfo'))));
    assert.ok(wasNeverSent(fetchFailed(new AggregateError([fail('ECONNREFUSED', 'connect')]))));
    for (const error of [
      fail('EHOSTUNREACH', 'read'),
      fail('ENETUNREACH', 'write'),
      fail('ECONNRESET', 'read'),
      new AggregateError([fail('ECONNREFUSED', 'connect'), fail('ECONNRESET', 'read')]),
      new Error('odd'),
    ])
      assert.ok(!wasNeverSent(fetchFailed(error)), String(error));
    // What goes on with a call that the server has seen (2026-07-28) says nothing of its beginning.
    const transport = new GuardedTransport(
      {
        start: async () => undefined,
        close: async () => undefined,
        send: async () => Promise.reject(fetchFailed(fail('ECONNREFUSED', 'connect'))),
      },
      {
        mask: (text) => text,
        onLeftOut: () => undefined,
        onUnexpectedAnswer: () => undefined,
        onFlood: () => undefined,
        tolerate: () => undefined,
        clock: systemClock,
      },
    );
    const send = (params: object): Promise<unknown> =>
      transport
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'send', ...params } })
        .catch((error: unknown) => error);
    assert.ok(wasNeverSent(await send({})));
    assert.ok(!wasNeverSent(await send({ inputResponses: {} })));
    assert.ok(!wasNeverSent(await send({ requestState: 'x' })));
  });
});
