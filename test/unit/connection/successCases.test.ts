import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { systemClock } from '../../../src/base/clock.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import { scriptedHttp } from '../../fixtures/servers/http.ts';
import { endedAfterEach, eventually, PoolHarness, remote } from './harness.ts';

type Answer = readonly [status: number, type: string | undefined, body: (id: unknown) => string];

const SIGN_IN = '<!doctype html><html><head><title>Sign in · Corp</title></head></html>';
const rpc = (id: unknown, message: string, code: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** Answers that hold no answer, and what is said of them. */
const NO_ANSWERS: Readonly<Record<string, readonly [...Answer, said: RegExp]>> = {
  'HTTP 204': [204, undefined, () => '', /it is empty \(HTTP 204\)/],
  'HTTP 205': [205, undefined, () => '', /it is empty \(HTTP 205\)/],
  'HTTP 202 without a body': [202, undefined, () => '', /it is empty \(HTTP 202\)/],
  'an empty body': [200, undefined, () => '', /it is empty/],
  'an empty body of JSON': [200, 'application/json', () => '', /it is empty/],
  'a text': [200, 'text/plain', () => 'OK', /it is not JSON-RPC: OK\./],
  'a web page': [200, 'text/html', () => '<html><title>Welcome</title></html>', /it is a web page, “Welcome”/],
  'an error that is no JSON-RPC': [200, 'application/json', () => '{"error":"no such account"}', /: no such account\./],
};
/** Answers that say that the session is gone. */
const LOST: Readonly<Record<string, Answer>> = {
  'an error with its id': [200, 'application/json', (id) => rpc(id, 'Session not found', -32001)],
  'an error without an id': [200, 'application/json', () => rpc(null, 'Session not found', -32001)],
  'an error in an event': [
    200,
    'text/event-stream',
    (id) => `event: message\ndata: ${rpc(id, 'Session expired', -32000)}\n\n`,
  ],
  'an error that is no JSON-RPC': [200, 'application/json', () => '{"error":"session_not_found"}'],
  'a text': [200, 'text/plain', () => 'Session not found'],
  'a sign-in page': [200, 'text/html', () => SIGN_IN],
};

describe('answers with a status of success that hold no result', function () {
  this.timeout(60_000);
  const { fixtures, harnesses } = endedAfterEach();

  /** @param refusals how often the method is answered like this; there is no stream for other messages */
  async function open(
    method: string,
    answer: readonly [...Answer, ...unknown[]],
    refusals: number = Infinity,
  ): Promise<PoolHarness> {
    const [status, type, body] = answer;
    let left = refusals;
    const fixture = await scriptedHttp((request, response, message) => {
      if (request.method === 'GET') {
        response.writeHead(405).end();
        return true;
      }
      if (message?.method !== method || left-- <= 0) return false;
      response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body(message.id));
      return true;
    });
    fixtures.push(fixture);
    const harness = new PoolHarness();
    harnesses.push(harness);
    await harness.connect(remote('http', fixture.url));
    return harness;
  }
  const call = (harness: PoolHarness): Promise<string> =>
    Promise.resolve(harness.server().session)
      .then((session) => session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs: 30_000 }))
      .then(
        (result) => JSON.stringify(result?.content),
        (error: Error & { code: string; fullMessage: string }) => `${error.code}: ${error.fullMessage}`,
      );
  const count = (what: string): number => fixtures.at(-1)?.seen.filter((each) => each === what).length ?? 0;

  for (const [name, answer] of Object.entries(NO_ANSWERS)) {
    it(`${name} fails the call at once, with the reason, and nothing else`, async () => {
      const harness = await open('tools/call', answer, 1);
      const said = await call(harness);
      assert.match(said, /^call-failed: /);
      assert.match(said, answer[3]);
      assert.equal(harness.server().state.kind, 'connected');
      assert.match(await call(harness), /done/);
      assert.equal(count('POST initialize'), 1);
    });

    it(`${name} in place of the handshake is said`, async () => {
      const { state } = (await open('initialize', answer)).server();
      assert.equal(state.kind === 'failed' && state.failure.code, 'handshake-failed');
      assert.match(state.kind === 'failed' ? state.failure.message : state.kind, answer[3]);
    });
  }

  it('a probe for the era that is answered with nothing costs nothing', async () => {
    for (const answer of Object.values(NO_ANSWERS)) {
      const harness = await open('server/discover', answer);
      assert.match(await call(harness), /done/);
    }
  });

  it('a ping that is answered with nothing means that the server is alive', async () => {
    for (const answer of Object.values(NO_ANSWERS)) {
      const harness = await open('ping', answer);
      assert.equal(await harness.server().session?.check(2000), true);
      assert.equal(harness.server().state.kind, 'connected');
    }
  });

  for (const [name, answer] of Object.entries(LOST)) {
    it(`a session that is refused by ${name} is renewed, once`, async () => {
      const harness = await open('tools/call', answer, 1);
      assert.match(await call(harness), /^connection-lost: .*no longer accepts the session \(HTTP 200\): .+/);
      await harness.until('connected');
      assert.match(await call(harness), /done/);
      assert.equal(count('POST initialize'), 2);
      assert.equal(count('POST tools/call'), 2);
    });

    it(`${name} that comes again is an answer`, async () => {
      const harness = await open('tools/call', answer);
      await call(harness);
      await harness.until('connected');
      const isPage = name === 'a sign-in page';
      assert.match(await call(harness), isPage ? /^needs-auth: .*sign-in page, “Sign in · Corp”/ : /^call-failed: /);
      await harness.until(isPage ? 'needs-auth' : 'connected');
      assert.equal(count('POST initialize'), 2);
    });
  }

  it('a sign-in page in place of the handshake requires a sign-in', async () => {
    const harness = await open('initialize', [200, 'text/html', () => SIGN_IN]);
    const { state } = harness.server();
    assert.match(
      state.kind === 'needs-auth' ? state.failure.message : state.kind,
      /a sign-in page, “Sign in · Corp”\./,
    );
  });

  it('an error of a tool about its own sessions is its answer', async () => {
    const harness = await open('tools/call', [
      200,
      'application/json',
      (id) => rpc(id, 'browser session 3 not found', -32603),
    ]);
    assert.match(await call(harness), /^call-failed: .*browser session 3 not found/);
    assert.equal(harness.server().state.kind, 'connected');
  });

  it('HTTP 202 is waited for where a stream is open on which the answer comes', async () => {
    let stream: { write(text: string): void } | undefined;
    const fixture = await scriptedHttp((request, response, message) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        stream = response;
        return true;
      }
      if (message?.method !== 'tools/call' || !stream) return false;
      response.writeHead(202).end();
      const result = { content: [{ type: 'text', text: 'on the stream' }] };
      stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
      return true;
    });
    fixtures.push(fixture);
    const harness = new PoolHarness();
    harnesses.push(harness);
    await harness.connect(remote('http', fixture.url));
    assert.match(await call(harness), /on the stream|done/);
    assert.match(await call(harness), /on the stream/);
  });
});

describe('requests that are accepted (202) while a stream is open', function () {
  this.timeout(60_000);
  const { fixtures, harnesses } = endedAfterEach();
  /** How long no stream may be open, which is 10 s, is this long here. */
  const LIMIT_MS = 300;

  interface Streams {
    /** The stream that is open. */
    now?: ServerResponse | undefined;
    opened: number;
    /** Whether the stream may be opened again. */
    again: boolean;
  }

  /** @param answerMs after what time the stream has the answer to the call; `undefined`: never */
  async function open(
    answerMs: number | undefined,
    limitMs = LIMIT_MS,
  ): Promise<{ readonly harness: PoolHarness; readonly streams: Streams }> {
    const streams: Streams = { opened: 0, again: true };
    const fixture = await scriptedHttp((request, response, message) => {
      if (request.method === 'GET') {
        if (streams.opened++ > 0 && !streams.again) response.writeHead(405).end();
        else (streams.now = response.writeHead(200, { 'content-type': 'text/event-stream' })).write(': open\n\n');
        return true;
      }
      if (message?.method !== 'tools/call') return false;
      response.writeHead(202).end();
      const result = { content: [{ type: 'text', text: 'done' }] };
      const answer = (): void =>
        void streams.now?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
      if (answerMs !== undefined) setTimeout(answer, answerMs);
      return true;
    });
    fixtures.push(fixture);
    const schedule = (ms: number, then: () => void): Disposable =>
      systemClock.schedule(ms === 10_000 ? limitMs : ms, then);
    const harness = new PoolHarness({}, { clock: { now: () => systemClock.now(), schedule } });
    harnesses.push(harness);
    await harness.connect(remote('http', fixture.url));
    await eventually(() => streams.now !== undefined, 'the stream');
    return { harness, streams };
  }
  const call = (harness: PoolHarness, timeoutMs = 30_000): Promise<string> =>
    Promise.resolve(harness.server().session)
      .then((session) => session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs }))
      .then(
        (result) => JSON.stringify(result?.content),
        (error: Error & { code: string; fullMessage: string }) => `${error.code}: ${error.fullMessage}`,
      );

  it('are waited for as long as any other, the first one, too', async () => {
    const { harness } = await open(4 * LIMIT_MS);
    assert.match(await call(harness), /done/);
  });

  it('fail with that reason once the stream has ended and isn’t opened again, and nothing else', async () => {
    const { harness, streams } = await open(undefined);
    const said = call(harness);
    await eventually(() => fixtures.at(-1)?.seen.includes('POST tools/call') ?? false, 'the call');
    streams.again = false;
    streams.now?.end();
    assert.match(
      await said,
      /^call-failed: .*it is empty \(HTTP 202\), and the stream that one could come on is closed/,
    );
    assert.equal(harness.server().state.kind, 'connected');
  });

  it('are answered on the stream that is opened again', async () => {
    const { harness, streams } = await open(2_000, 10_000);
    const said = call(harness);
    await eventually(() => fixtures.at(-1)?.seen.includes('POST tools/call') ?? false, 'the call');
    // As a load balancer does that ends what is idle; it is opened again after a second.
    streams.now?.end();
    assert.match(await said, /done/);
    assert.equal(streams.opened, 2);
  });

  it('where a stream stays open and nothing comes, the time-out of the call says so', async () => {
    const { harness } = await open(undefined);
    assert.match(await call(harness, 500), /^call-timeout: /);
  });
});
