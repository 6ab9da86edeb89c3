import type { ServerResponse } from 'node:http';
import { type HttpFixture, json, legacyHttp, scriptedHttp, sseHttp } from '../../fixtures/servers/http.ts';
import { WebSocketFixture } from '../../fixtures/servers/webSocket.ts';
import { fault, type FaultRow } from './faultTable.ts';
import { eventually, remote } from './harness.ts';

const group: FaultRow['group'] = 'Remote servers (HTTP, SSE, WebSocket)';

type Answer = (response: ServerResponse, id: number | string | undefined) => void;

const html: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>');
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response, id) =>
    json(response, code, { jsonrpc: '2.0', id: id ?? null, error: { code: -32000, message: 'no' } }, headers);

describe('faults of remote servers', function () {
  this.timeout(60_000);
  const fixtures: HttpFixture[] = [];
  const own = <T extends HttpFixture>(fixture: T): T => (fixtures.push(fixture), fixture);
  afterEach(async () => {
    for (const fixture of fixtures.splice(0)) await fixture.close().catch(() => undefined);
  });

  /** It answers everything in this way. */
  const always = (name: string, row: Omit<FaultRow, 'group' | 'fault'>, answer: Answer): void =>
    fault(
      { group, fault: `${name}, to everything`, ...row },
      async (bench) => {
        const fixture = own(await scriptedHttp((_request, response, body) => (answer(response, body?.id), true)));
        await bench.begin(remote('http', fixture.url));
        return { state: bench.seen(), agent: await bench.call(), recovery: bench.next() };
      },
      { handshakeTimeoutMs: 1500 },
    );

  /** It is sound but answers the first call in this way. */
  const once = (name: string, row: Omit<FaultRow, 'group' | 'fault'>, answer: Answer, timeoutMs: number = 5000): void =>
    fault({ group, fault: `${name}, to a call`, ...row }, async (bench) => {
      let left = 1;
      const fixture = own(
        await scriptedHttp((_request, response, body) => {
          if (body?.method !== 'tools/call' || left === 0) return false;
          left--;
          answer(response, body.id);
          return true;
        }),
      );
      await bench.begin(remote('http', fixture.url));
      const agent = await bench.call({ tool: 'slow', args: { steps: 0, stepMs: 0 }, timeoutMs });
      const state = bench.seen();
      return {
        state,
        agent,
        recovery: bench.next() === 'not tried again by itself' ? bench.next() : await bench.back(),
      };
    });

  always(
    '401',
    {
      state: 'connecting → needs-auth: HOST requires a sign-in (HTTP 401): no.',
      agent:
        'not-connected: The server "server" is not available. Needs sign-in: HOST requires a sign-in (HTTP 401): no. Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    status(401),
  );
  always(
    '403',
    {
      state: 'connecting → needs-auth: HOST denies access (HTTP 403): no.',
      agent:
        'not-connected: The server "server" is not available. Needs sign-in: HOST denies access (HTTP 403): no. Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    status(403),
  );
  always(
    '404',
    {
      state: 'connecting → pending: HOST answered with HTTP 404: no.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): HOST answered with HTTP 404: no. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    status(404),
  );
  always(
    '429 with Retry-After',
    {
      state: 'connecting → pending: HOST answered with HTTP 429: no.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 7 s): HOST answered with HTTP 429: no. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    status(429, { 'retry-after': '7' }),
  );
  always(
    '500',
    {
      state: 'connecting → pending: HOST answered with HTTP 500: no.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): HOST answered with HTTP 500: no. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    status(500),
  );
  always(
    '502',
    {
      state: 'connecting → pending: HOST answered with HTTP 502: no.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): HOST answered with HTTP 502: no. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    status(502),
  );
  always(
    'a web page',
    {
      state: "connecting → failed: The answer of HOST isn't MCP: it is a web page.",
      agent:
        'not-connected: The server "server" is not available. Failed: The answer of HOST isn\'t MCP: it is a web page. Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    html,
  );
  always(
    'a redirect to another host',
    {
      state: 'connecting → pending: HOST answered with HTTP 307: no.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): HOST answered with HTTP 307: no. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    status(307, { location: 'http://127.0.0.2:9/mcp' }),
  );
  always(
    'nothing',
    {
      state: "connecting → pending: The server didn't finish the handshake within 1.5 s.",
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server didn\'t finish the handshake within 1.5 s. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    () => undefined,
  );
  always(
    'a cut connection',
    {
      state: 'connecting → pending: The connection to HOST was interrupted (UND_ERR_SOCKET).',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The connection to HOST was interrupted (UND_ERR_SOCKET). Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    (response) => response.destroy(),
  );

  always(
    '400',
    {
      state: 'connecting → pending: HOST answered with HTTP 400: no.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): HOST answered with HTTP 400: no. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    status(400),
  );
  fault(
    {
      group,
      fault: 'an answer after 0.8 s, to everything',
      state: 'connecting → connected',
      agent: '"done"',
      recovery: 'none needed',
    },
    async (bench) => {
      const fixture = own(
        await scriptedHttp(async () => {
          await new Promise((resolve) => setTimeout(resolve, 800));
          return false;
        }),
      );
      await bench.begin(remote('http', fixture.url));
      const agent = await bench.call({ tool: 'slow', args: { steps: 0, stepMs: 0 } });
      return { state: bench.seen(), agent, recovery: bench.next() };
    },
  );

  once(
    '401',
    {
      state: 'connecting → connected → pending: HOST no longer accepts the session (HTTP 401): no.',
      agent:
        'connection-lost: The call of "slow" failed: HOST no longer accepts the session (HTTP 401): no. It may have run. Try again if that is safe.',
      recovery: 'connected again at once',
    },
    status(401),
  );
  once(
    '403 with its id',
    {
      state: 'connecting → connected',
      agent: 'call-failed: The call of "slow" failed: no (-32000).',
      recovery: 'none needed',
    },
    status(403),
  );
  once(
    '404 with its id',
    {
      state: 'connecting → connected',
      agent: 'call-failed: The call of "slow" failed: no (-32000).',
      recovery: 'none needed',
    },
    status(404),
  );
  once(
    '404 (the session is gone)',
    {
      state: 'connecting → connected → pending: HOST no longer accepts the session (HTTP 404).',
      agent:
        'connection-lost: The call of "slow" failed: HOST no longer accepts the session (HTTP 404). It may have run. Try again if that is safe.',
      recovery: 'connected again at once',
    },
    (response) => response.writeHead(404).end(),
  );
  once(
    '400 (the session is gone)',
    {
      state: 'connecting → connected → pending: HOST no longer accepts the session (HTTP 400): no session.',
      agent:
        'connection-lost: The call of "slow" failed: HOST no longer accepts the session (HTTP 400): no session. It may have run. Try again if that is safe.',
      recovery: 'connected again at once',
    },
    (response) => json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } }),
  );
  once(
    '400 with its id',
    {
      state: 'connecting → connected',
      agent: 'call-failed: The call of "slow" failed: no (-32000).',
      recovery: 'none needed',
    },
    status(400),
  );
  once(
    '429 with Retry-After',
    {
      state: 'connecting → connected',
      agent:
        'http-status: The call of "slow" failed: the server answered with HTTP 429: no. Wait 7 s before trying again.',
      recovery: 'none needed',
    },
    status(429, { 'retry-after': '7' }),
  );
  once(
    '500 with its id',
    {
      state: 'connecting → connected',
      agent: 'call-failed: The call of "slow" failed: no (-32000).',
      recovery: 'none needed',
    },
    status(500),
  );
  once(
    '502',
    {
      state: 'connecting → connected',
      agent:
        'http-status: The call of "slow" failed: the server answered with HTTP 502: no. It may have run. Try again later, if that is safe.',
      recovery: 'none needed',
    },
    status(502),
  );
  once(
    'a web page',
    {
      state: 'connecting → connected',
      agent:
        'call-failed: The call of "slow" failed: the server\'s answer can\'t be read: it is a web page. It may have run. Try again if that is safe.',
      recovery: 'none needed',
    },
    html,
  );
  once(
    'nothing',
    {
      state: 'connecting → connected',
      agent:
        'call-timeout: The call of "slow" got no answer within 0.5 s. It may still be running on the server. Try again, or set a longer time-out for this server.',
      recovery: 'none needed',
    },
    () => undefined,
    500,
  );
  once(
    'a cut connection',
    {
      state: 'connecting → connected → pending: The connection to HOST was interrupted (UND_ERR_SOCKET).',
      agent:
        'connection-lost: The call of "slow" failed: The connection to HOST was interrupted (UND_ERR_SOCKET). It may have run. Try again if that is safe.',
      recovery: 'connected again after about 1 s',
    },
    (response) => response.destroy(),
  );
  once(
    'a stream that is cut in the middle',
    {
      state: 'connecting → connected',
      agent:
        'connection-lost: The call of "slow" failed: the server ended the stream without an answer. It may have run. Try again if that is safe.',
      recovery: 'none needed',
    },
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': working\n\n', () => response.destroy());
    },
  );
  once(
    'a stream that ends without an answer',
    {
      state: 'connecting → connected',
      agent:
        'connection-lost: The call of "slow" failed: the server ended the stream without an answer. It may have run. Try again if that is safe.',
      recovery: 'none needed',
    },
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': working\n\n');
    },
  );
  once(
    'JSON that is none',
    {
      state: 'connecting → connected',
      agent:
        'call-failed: The call of "slow" failed: the server\'s answer can\'t be read: it ends in the middle. It may have run. Try again if that is safe.',
      recovery: 'none needed',
    },
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
  );

  fault(
    {
      group,
      fault: 'no stream for notifications (405 to GET)',
      state: 'connecting → connected',
      agent: '"done"',
      recovery: 'none needed',
    },
    async (bench) => {
      const fixture = own(
        await scriptedHttp((request, response) => {
          if (request.method !== 'GET') return false;
          response.writeHead(405).end();
          return true;
        }),
      );
      await bench.begin(remote('http', fixture.url));
      return {
        state: bench.seen(),
        agent: await bench.call({ tool: 'slow', args: { steps: 0, stepMs: 0 } }),
        recovery: bench.next(),
      };
    },
  );
  fault(
    {
      group,
      fault: 'restarts and has lost the session',
      state: 'connecting → connected → pending: HOST no longer accepts the session (HTTP 404): No such session.',
      agent:
        'connection-lost: The call of "slow" failed: HOST no longer accepts the session (HTTP 404): No such session. It may have run. Try again if that is safe.',
      recovery: 'connected again at once',
    },
    async (bench) => {
      const { fixture, forget } = await legacyHttp();
      own(fixture);
      await bench.begin(remote('http', fixture.url));
      forget();
      const agent = await bench.call({ tool: 'slow', args: { steps: 0, stepMs: 0 } });
      return { state: bench.seen(), agent, recovery: await bench.back() };
    },
  );
  fault(
    {
      group,
      fault: 'closes its port and opens it again',
      state: 'connecting → connected → pending: The connection to HOST was interrupted (UND_ERR_SOCKET).',
      agent:
        'connection-lost: The call of "slow" failed: The connection to HOST was interrupted (UND_ERR_SOCKET). It may have run. Try again if that is safe.',
      recovery: 'connected again after about 1 s',
    },
    async (bench) => {
      const { fixture } = await legacyHttp();
      await bench.begin(remote('http', own(fixture).url));
      await fixture.close();
      const agent = await bench.call({ tool: 'slow', args: { steps: 0, stepMs: 0 } });
      await bench.until('pending');
      const state = bench.seen();
      await fixture.listen();
      return { state, agent, recovery: await bench.back() };
    },
  );
  fault(
    {
      group,
      fault: 'nothing listens there',
      state: "connecting → pending: HOST can't be reached (ECONNREFUSED).",
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): HOST can\'t be reached (ECONNREFUSED). Try again in a moment.',
      recovery: 'connected again after about 1 s',
    },
    async (bench) => {
      const fixture = own((await legacyHttp()).fixture);
      await fixture.close();
      await bench.begin(remote('http', fixture.url));
      const state = bench.seen();
      const agent = await bench.call();
      await fixture.listen();
      return { state, agent, recovery: await bench.back() };
    },
  );
  fault(
    {
      group,
      fault: 'an invalid URL',
      state: 'connecting → failed: The value of "url" is not a URL.',
      agent:
        'not-connected: The server "server" is not available. Failed: The value of "url" is not a URL. Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    async (bench) => {
      await bench.begin(remote('http', 'https//key-1234@nowhere'));
      return { state: bench.seen(), agent: await bench.call(), recovery: bench.next() };
    },
  );
  fault(
    {
      group,
      fault: 'HTTP+SSE that drops its stream every now and then',
      state: 'connecting → connected → pending: HOST closed its event stream.',
      agent: '"done"',
      recovery: 'connected again after about 1 s',
    },
    async (bench) => {
      const fixture = own(await sseHttp());
      await bench.begin(remote('sse', fixture.url));
      const before = bench.server().session;
      fixture.cut();
      await eventually(() => bench.server().session !== before, 'the loss to be noticed');
      const state = bench.seen();
      const recovery = await bench.back();
      return { state, agent: await bench.call({ tool: 'slow', args: { steps: 0, stepMs: 0 } }), recovery };
    },
  );
  fault(
    {
      group,
      fault: 'HTTP+SSE that drops its stream in the middle of a call',
      state: 'connecting → connected → pending: HOST closed its event stream.',
      agent:
        'connection-lost: The call of "slow" failed: HOST closed its event stream. It may have run. Try again if that is safe.',
      recovery: 'connected again after about 1 s',
    },
    async (bench) => {
      const fixture = own(await sseHttp());
      await bench.begin(remote('sse', fixture.url));
      const call = bench.call({ tool: 'slow', args: { steps: 1, stepMs: 20_000 }, timeoutMs: 60_000 });
      await eventually(() => fixture.seen.includes('POST tools/call'), 'the call');
      fixture.cut();
      const agent = await call;
      return { state: bench.seen(), agent, recovery: await bench.back() };
    },
  );

  fault(
    {
      group,
      fault: 'WebSocket that closes without a closing handshake (1006)',
      state: 'connecting → connected → pending: HOST closed the WebSocket (1006).',
      agent:
        'connection-lost: The call of "slow" failed: HOST closed the WebSocket (1006). It may have run. Try again if that is safe.',
      recovery: 'connected again after about 1 s',
    },
    async (bench) => {
      const server = await new WebSocketFixture().listen();
      await bench.begin(remote('ws', server.url));
      const call = bench.call({ tool: 'slow', args: { steps: 1, stepMs: 20_000 }, timeoutMs: 60_000 });
      await eventually(() => server.seen.includes('tools/call'), 'the call');
      server.cut();
      const agent = await call;
      const state = bench.seen();
      const recovery = await bench.back();
      await bench.pool.disconnect('server');
      await server.close();
      return { state, agent, recovery };
    },
  );
  fault(
    {
      group,
      fault: 'WebSocket that is refused with 403',
      state: 'connecting → needs-auth: HOST denies access (HTTP 403).',
      agent:
        'not-connected: The server "server" is not available. Needs sign-in: HOST denies access (HTTP 403). Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    async (bench) => {
      const server = await new WebSocketFixture().listen();
      server.refuseWith = 403;
      await bench.begin(remote('ws', server.url));
      await server.close();
      return { state: bench.seen(), agent: await bench.call(), recovery: bench.next() };
    },
  );
  fault(
    {
      group,
      fault: "is silent for longer than undici's own limits (300 s, here 1 s)",
      state: 'connecting → connected',
      agent: '"done"',
      recovery: 'none needed',
    },
    async (bench) => {
      await fetch('data:,'); // Node makes its dispatcher on first use.
      const globals = globalThis as Record<symbol, unknown>;
      const name = Symbol.for('undici.globalDispatcher.1');
      const usual = globals[name] as { constructor: new (options: object) => { destroy(): Promise<void> } };
      const impatient = new usual.constructor({ bodyTimeout: 1000, headersTimeout: 1000 });
      globals[name] = impatient;
      try {
        const { fixture } = await legacyHttp();
        own(fixture);
        await bench.begin(remote('http', fixture.url));
        const agent = await bench.call({ tool: 'slow', args: { steps: 1, stepMs: 3500 }, timeoutMs: 60_000 });
        return { state: bench.seen(), agent, recovery: bench.next() };
      } finally {
        globals[name] = usual;
        await impatient.destroy();
      }
    },
  );
});
