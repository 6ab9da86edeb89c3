import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { systemClock } from '../../../src/base/clock.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { json, legacyHttp, scriptedHttp } from '../../fixtures/servers/http.ts';
import { legacyServer, modernServer } from '../../fixtures/servers/tools.ts';
import { WebSocketFixture } from '../../fixtures/servers/webSocket.ts';
import { failureOf, fixture, PoolHarness, readText, remote, target, temporaryFolder } from './harness.ts';

describe('further transports', function () {
  this.timeout(20_000);
  let harness: PoolHarness;
  const folder = temporaryFolder();
  beforeEach(() => (harness = new PoolHarness()));
  afterEach(() => harness.end());
  after(() => folder.remove());

  it('ws: headers, subprotocol, calls', async () => {
    const server = await new WebSocketFixture().listen();
    await harness.connect(remote('ws', server.url, { 'X-Key': 'k' }));
    const session = await harness.pool.ready('server', 0);
    assert.equal(server.headers['x-key'], 'k');
    assert.equal(server.headers['sec-websocket-protocol'], 'mcp');
    const long = '€'.repeat(50_000);
    const { content } = await session.callTool('echo', { text: long }, { timeoutMs: 5000 });
    assert.equal(content[0]?.['text'], long);
    await harness.pool.disconnect('server');
    await server.close();
  });

  it('ws: says why it was refused', async () => {
    const server = await new WebSocketFixture().listen();
    server.refuseWith = 401;
    const { state } = await harness.connect(remote('ws', server.url));
    assert.equal(state.kind, 'needs-auth');
    await server.close();
  });

  it('sdk: a server in this process, older protocol', async () => {
    const connect = (transport: unknown): Promise<void> =>
      legacyServer().connect(transport as Parameters<ReturnType<typeof legacyServer>['connect']>[0]);
    await harness.connect({ type: 'sdk', server: { kind: 'transport', connect } });
    const session = await harness.pool.ready('server', 0);
    assert.equal(session.info.era, 'legacy');
    assert.equal((await session.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 })).isError, false);
  });

  it('sdk: a server in this process, protocol 2026-07-28', async () => {
    const handler = createMcpHandler(() => modernServer());
    const server = { kind: 'fetch' as const, fetch: (request: Request) => handler.fetch(request) };
    await harness.connect({ type: 'sdk', server });
    const session = await harness.pool.ready('server', 0);
    assert.equal(session.info.era, 'modern');
    assert.equal((await session.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 })).isError, false);
  });

  it('headersHelper: gives headers, and fresh ones after 401, at the start and later', async () => {
    const counter = folder.file('runs');
    const helper = folder.file('helper.sh');
    writeFileSync(
      helper,
      `printf . >> '${counter}'\nprintf '{"Authorization": "Bearer %s"}' "$(wc -c < '${counter}' | tr -d ' ')"\n`,
    );
    chmodSync(helper, 0o755);
    let valid = 'Bearer 2';
    const server = await scriptedHttp((request, response) => {
      if (request.headers.authorization === valid) return false;
      json(response, 401, {});
      return true;
    });
    await harness.connect({ type: 'http', url: server.url, headers: {}, headersHelper: `sh '${helper}'` });
    assert.equal(harness.server().state.kind, 'connected');
    valid = 'Bearer 3';
    const session = await harness.pool.ready('server', 0);
    assert.equal(
      (await failureOf(session.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 }))).code,
      'connection-lost',
    );
    assert.ok(await harness.pool.ready('server', 3000));
    valid = 'none';
    await harness.pool.restart('server');
    assert.equal(harness.server().state.kind, 'needs-auth');
    assert.equal(readText(counter).length, 5);
    await server.close();
  });

  it('headersHelper: a failure is reported without its output', async () => {
    const { state } = await harness.connect({
      type: 'http',
      url: 'http://127.0.0.1:9/',
      headers: {},
      headersHelper: 'echo secret',
    });
    assert.ok(state.kind === 'failed');
    assert.equal(state.failure.message, "The headersHelper didn't print JSON.");
  });

  it('a server that does not know the era probe gets it once a day', async () => {
    await harness.end();
    const store = new MemoryStore();
    harness = new PoolHarness({}, { store });
    const { fixture: server } = await legacyHttp();
    const discovers = (): number => server.seen.filter((line) => line === 'POST server/discover').length;
    await harness.connect(remote('http', server.url));
    await harness.pool.restart('server');
    assert.equal(harness.server().state.kind, 'connected');
    assert.equal(discovers(), 1);
    await harness.end();
    const tomorrow = { ...systemClock, now: () => Date.now() + 25 * 3600 * 1000 };
    harness = new PoolHarness({}, { store, clock: tomorrow });
    await harness.connect(remote('http', server.url));
    assert.equal(discovers(), 2);
    await harness.pool.disconnect('server');
    await server.close();
  });

  it('a server that was updated since is probed again', async () => {
    await harness.end();
    const store = new MemoryStore();
    const verdict = { transport: 'stdio', era: 'legacy', at: Date.now() };
    await store.set('connection.verdict.key', verdict);
    harness = new PoolHarness({}, { store });
    harness.pool.reconcile([target('server', fixture('modern', 'only'), { key: 'key' })]);
    await harness.pool.connect('server');
    assert.equal(harness.server().session?.info.era, 'modern');
  });
});
