import assert from 'node:assert/strict';
import { json, legacyHttp, modernHttp, scriptedHttp, sseHttp, type HttpFixture } from '../../fixtures/servers/http.ts';
import { eventually, failureOf, PoolHarness, remote } from './harness.ts';

describe('remote servers', function () {
  this.timeout(20_000);
  let harness: PoolHarness;
  const fixtures: HttpFixture[] = [];
  const own = <T extends HttpFixture>(fixture: T): T => (fixtures.push(fixture), fixture);

  beforeEach(() => (harness = new PoolHarness()));
  afterEach(async () => {
    await harness.end();
    for (const fixture of fixtures.splice(0)) await fixture.close().catch(() => undefined);
  });

  it('of protocol 2025-11-25 connect, answer, tell of changes, and are told when it ends', async () => {
    const fixture = own((await legacyHttp()).fixture);
    const server = await harness.connect(remote('http', fixture.url));
    const session = await server.ready(0);
    assert.equal(session.info.protocolVersion, '2025-11-25');
    assert.deepEqual((await session.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 })).content, [
      { type: 'text', text: 'hi' },
    ]);
    await eventually(() => fixture.seen.includes('GET'), 'the stream for notifications');
    await session.callTool('grow', {}, { timeoutMs: 5000 });
    await eventually(() => server.tools.some(({ name }) => name === 'grown-1'), 'the grown tool');
    await harness.pool.disconnect('server');
    assert.ok(fixture.seen.includes('DELETE'));
  });

  it('of protocol 2026-07-28 connect, answer, and tell of changes', async () => {
    const { fixture, listening, toolsChanged } = await modernHttp();
    own(fixture);
    const server = await harness.connect(remote('http', fixture.url));
    const session = await server.ready(0);
    assert.equal(session.info.protocolVersion, '2026-07-28');
    assert.ok(!fixture.seen.includes('POST initialize'));
    assert.equal((await session.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 })).isError, false);
    const lists = (): number => fixture.seen.filter((line) => line === 'POST tools/list').length;
    const before = lists();
    await listening;
    toolsChanged();
    await eventually(() => lists() > before, 'the list to be fetched again');
  });

  it('of protocol 2024-11-05 connect as sse, and as a URL without a type', async () => {
    const fixture = own(await sseHttp());
    for (const type of ['sse', 'url'] as const) {
      const server = await harness.connect(remote(type, fixture.url), type);
      const session = await server.ready(0);
      assert.equal((await session.callTool('echo', { text: type }, { timeoutMs: 5000 })).isError, false);
    }
    const http = await harness.connect(remote('http', fixture.url), 'http');
    assert.ok(http.state.kind === 'failed' || http.state.kind === 'pending');
    assert.match(http.state.failure.message, /HTTP 404/);
  });

  it('get the headers of their definition', async () => {
    let seen: unknown;
    const fixture = own(
      await scriptedHttp((request) => {
        seen = request.headers['x-key'];
        return false;
      }),
    );
    await harness.connect(remote('http', fixture.url, { 'X-Key': 'k' }));
    assert.equal(seen, 'k');
  });

  for (const status of [401, 403]) {
    it(`that answer ${status} wait for a sign-in and are not asked again`, async () => {
      const fixture = own(await scriptedHttp((_request, response) => (json(response, status, {}), true)));
      const server = await harness.connect(remote('url', fixture.url));
      assert.ok(server.state.kind === 'needs-auth');
      assert.deepEqual(fixture.seen, ['POST server/discover', 'POST initialize']);
    });
  }

  it('that forget the session get a new one, with everything fetched anew', async () => {
    const { fixture, forget } = await legacyHttp();
    own(fixture);
    const server = await harness.connect(remote('http', fixture.url));
    const first = await server.ready(0);
    forget();
    const error = await failureOf(first.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 }));
    assert.equal(error.code, 'connection-lost', 'a 404 alone doesn’t say that it has not run');
    const second = await server.ready(3000);
    assert.notEqual(second, first);
    assert.equal((await second.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 })).isError, false);
    assert.equal(fixture.seen.filter((line) => line === 'POST tools/list').length, 2);
  });

  it('that go away and come back are found again', async () => {
    const { fixture } = await legacyHttp();
    own(fixture);
    const server = await harness.connect(remote('http', fixture.url));
    const session = await server.ready(0);
    await fixture.close();
    const error = await failureOf(session.callTool('echo', { text: 'hi' }, { timeoutMs: 60_000 }));
    assert.match(String(error.code), /not-connected|connection-lost/);
    await harness.until('pending');
    await fixture.listen();
    await harness.until('connected');
  });

  it('that answer the era probe with 500 get the legacy handshake', async () => {
    const fixture = own(
      await scriptedHttp((_request, response, body) => {
        if (body?.method !== 'server/discover') return false;
        json(response, 500, {});
        return true;
      }),
    );
    const server = await harness.connect(remote('http', fixture.url));
    assert.equal(server.state.kind, 'connected');
  });
});
