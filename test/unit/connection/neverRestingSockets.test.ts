import assert from 'node:assert/strict';
import { type HttpFixture, json, modernHttp, scriptedHttp } from '../../fixtures/servers/http.ts';
import { endedAfterEach, eventually, PoolHarness, remote } from './harness.ts';
import { FastClock } from './manualClock.ts';

/** The host's time runs this much faster than the server's. */
const FACTOR = 200;
/** What a stream is opened, all in all: once, and ten times again. */
const OPENINGS = 11;

describe('servers that never rest, over real sockets', function () {
  this.timeout(60_000);
  const { fixtures, harnesses } = endedAfterEach();

  async function connect(fixture: HttpFixture, clock: FastClock): Promise<PoolHarness> {
    fixtures.push(fixture);
    const harness = new PoolHarness({ handshakeTimeoutMs: 6_000_000, discoveryTimeoutMs: 6_000_000 }, { clock });
    harnesses.push(harness);
    await harness.connect(remote('http', fixture.url));
    await harness.until('connected');
    return harness;
  }
  const says = (harness: PoolHarness, what: string): boolean => harness.log.some((line) => line.includes(what));

  it('a stream of a session that the server ends at once is opened less and less, and then left closed', async () => {
    const clock = new FastClock(FACTOR);
    const openedAt: number[] = [];
    const fixture = await scriptedHttp((request, response) => {
      if (request.method !== 'GET') return false;
      openedAt.push(clock.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n');
      return true;
    });
    const harness = await connect(fixture, clock);
    await eventually(() => says(harness, 'It stays closed'), 'the stream to stay closed', 40_000);
    assert.equal(harness.server().state.kind, 'connected');
    // Between those, while a request waits for its answer, it is opened again at once: more often on a busy machine.
    const pauses = openedAt.slice(1).map((at, index) => at - (openedAt[index] ?? 0));
    let paused = 0;
    for (const pauseMs of pauses) if (pauseMs >= Math.min(60_000, 1000 * 2 ** paused) * 0.99) paused += 1;
    assert.ok(paused >= OPENINGS - 1, `pauses of ${pauses.join(', ')} ms`);
  });

  it('a stream that the server refuses for now is opened no earlier than it asks', async () => {
    const clock = new FastClock(FACTOR);
    const openedAt: number[] = [];
    const fixture = await scriptedHttp((request, response) => {
      if (request.method !== 'GET') return false;
      openedAt.push(clock.now());
      if (openedAt.length === 2) json(response, 503, {}, { 'retry-after': '200' });
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      return true;
    });
    await connect(fixture, clock);
    await eventually(() => openedAt.length > 2, 'the stream to be opened again', 40_000);
    const [, second = 0, third = 0] = openedAt;
    assert.ok(third - second >= 200_000 * 0.99, `${third - second} ms`);
  });

  it('a stream of 2026-07-28 that the server ends at once is opened less and less, and then left closed', async () => {
    const clock = new FastClock(FACTOR);
    const { fixture } = await modernHttp((response, body) => {
      if (body?.method !== 'subscriptions/listen') return false;
      const result = { resultType: 'complete', _meta: {} };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: body.id, result })}\n\n`);
      return true;
    });
    const harness = await connect(fixture, clock);
    const openings = (): number => fixture.seen.filter((each) => each === 'POST subscriptions/listen').length;
    await eventually(() => openings() === OPENINGS, 'the stream to be opened', 40_000);
    await eventually(() => says(harness, 'stays closed'), 'the stream to stay closed', 40_000);
    assert.equal(openings(), OPENINGS);
    assert.equal(harness.server().state.kind, 'connected');
    const lists = fixture.seen.filter((each) => each === 'POST tools/list').length;
    assert.ok(lists <= OPENINGS + 1, `${lists} lists`);
  });

  it('a list that is announced after each list is fetched less and less', async () => {
    const clock = new FastClock(FACTOR);
    const fetchedAt: number[] = [];
    const fixture = await scriptedHttp((_request, response, body) => {
      if (body?.method !== 'tools/list') return false;
      fetchedAt.push(clock.now());
      const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      const answer = {
        jsonrpc: '2.0',
        id: body.id,
        result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end([answer, changed].map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
      return true;
    });
    const harness = await connect(fixture, clock);
    await eventually(() => says(harness, 'less heed is paid'), 'it to be said', 40_000);
    await eventually(() => clock.now() - (fetchedAt.at(-1) ?? 0) > 60_000, 'a long pause', 40_000);
    assert.ok(fetchedAt.length < 30, `${fetchedAt.length} lists`);
    assert.equal(harness.server().state.kind, 'connected');
    assert.equal(harness.log.filter((line) => line.includes('less heed is paid')).length, 1);
  });
});
