import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { CallTimer } from '../../../src/connection/session/requests/callTimer.ts';
import { KeepAlive } from '../../../src/connection/session/keepAlive.ts';
import { eventsOf, type ServerEvent } from '../../../src/connection/serverEvents.ts';
import type { ConnectionState } from '../../../src/connection/connectionTypes.ts';
import { WakeWatch } from '../../../src/connection/connectionPool.ts';
import { json, legacyHttp, scriptedHttp } from '../../fixtures/servers/http.ts';
import { eventually, failureOf, fixture, PoolHarness, remote, target, temporaryFolder } from './harness.ts';
import { FastClock, ManualClock } from './manualClock.ts';

describe('the time-out of a call', () => {
  it('is restarted by progress and pauses while the user is asked', () => {
    const clock = new ManualClock();
    let expired = 0;
    const timer = new CallTimer(100, clock, () => expired++);
    clock.advance(90);
    timer.restart();
    clock.advance(90);
    timer.pause();
    clock.advance(1000);
    timer.restart();
    clock.advance(1000);
    timer.resume();
    clock.advance(99);
    assert.equal(expired, 0);
    clock.advance(1);
    assert.equal(expired, 1);
    timer.dispose();
    assert.equal(clock.pending, 0);
  });
});

describe('keep-alive', () => {
  it('asks only after silence', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const keepAlive = new KeepAlive(clock, async () => asked++, 30_000);
    clock.advance(20_000);
    keepAlive.touch();
    clock.advance(29_000);
    assert.equal(asked, 0);
    clock.advance(1000);
    assert.equal(asked, 1);
    await Promise.resolve();
    keepAlive.dispose();
    assert.equal(clock.pending, 0);
  });
});

describe('sleep', () => {
  it('is noticed by a jump of the clock, and not by a late tick', () => {
    const clock = new ManualClock();
    let woke = 0;
    const watch = new WakeWatch(clock, () => woke++);
    clock.advance(60_000);
    clock.jump(15_000);
    assert.equal(woke, 0);
    clock.jump(3_600_000);
    assert.equal(woke, 1);
    watch.dispose();
    assert.equal(clock.pending, 0);
  });
});

describe('events', () => {
  const failure = { code: 'exited' as const, message: 'gone', stderrTail: [] };
  const info = { name: 's', version: '1', protocolVersion: '2025-11-25', era: 'legacy' as const, capabilities: {} };
  const connecting: ConnectionState = { kind: 'connecting', since: 10 };
  const connected: ConnectionState = { kind: 'connected', since: 20, info };
  const failed: ConnectionState = { kind: 'failed', failure };
  const off: ConnectionState = { kind: 'disconnected' };
  const between = (previous: ConnectionState, next: ConnectionState): string[] =>
    eventsOf({ id: 'i', name: 'n' }, previous, next, 3, 50).map((event) =>
      [event.kind, 'durationMs' in event && event.durationMs, 'toolCount' in event && event.toolCount]
        .filter((x) => x !== false)
        .join(' '),
    );

  it('tell each change with its duration', () => {
    assert.deepEqual(between(off, connecting), ['server.connecting']);
    assert.deepEqual(between(connecting, connected), ['server.connected 40 3']);
    assert.deepEqual(between(connected, off), ['server.disconnected 30']);
    assert.deepEqual(between(connected, failed), ['server.disconnected 30', 'server.error 30']);
    assert.deepEqual(between(connecting, failed), ['server.error 40']);
    assert.deepEqual(between(failed, off), []);
    assert.deepEqual(between(connected, { ...connected, listError: 'x' }), []);
  });
});

describe('lifecycle', function () {
  this.timeout(20_000);
  let harness: PoolHarness;
  const folder = temporaryFolder();
  beforeEach(() => (harness = new PoolHarness()));
  afterEach(() => harness.end());
  after(() => folder.remove());

  const fresh = async (...args: ConstructorParameters<typeof PoolHarness>): Promise<void> => {
    await harness.end();
    harness = new PoolHarness(...args);
  };
  const call = async (tool: string, timeoutMs: number = 5000): Promise<unknown> => {
    const session = await harness.pool.ready('server', 3000);
    return (await session.callTool(tool, {}, { timeoutMs })).content[0]?.['text'];
  };

  it('tells what happens to a server', async () => {
    const events: ServerEvent[] = [];
    const subscription = harness.pool.onDidEvent((event) => events.push(event));
    await harness.connect(fixture('legacy'));
    await harness.pool.disconnect('server');
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['server.connecting', 'server.connected', 'server.disconnected'],
    );
    assert.ok(events[1]?.kind === 'server.connected' && events[1].toolCount === 8 && events[1].durationMs > 0);
    subscription.dispose();
  });

  for (const { program, what, settings, own, afterMs } of [
    { program: 'server', what: 'slow to start', settings: {}, own: {}, afterMs: 5_000 },
    { program: 'npx', what: 'slow to start', settings: { slowStartMs: 9_000 }, own: {}, afterMs: 9_000 },
    { program: 'own', what: 'slow to start', settings: { slowStartMs: 9_000 }, own: { slowStartMs: 50 }, afterMs: 50 },
  ]) {
    it(`says of a slow start what the server says on stderr (${program}, after ${afterMs} ms)`, async () => {
      const clock = new ManualClock();
      await fresh({ timings: settings }, { clock });
      const file = folder.file(`${program}-go`);
      writeFileSync(file, 'wait');
      const command = folder.file(program);
      const { args, command: node } = fixture('faulty', 'slow-start', file);
      writeFileSync(command, `#!/bin/sh\nexec '${node}' "$@"\n`, { mode: 0o755 });
      harness.pool.reconcile([{ ...target('server', { type: 'stdio', command, args, env: {} }), timings: own }]);
      const hint = (): string | undefined => {
        const { state } = harness.server();
        return state.kind === 'connecting' ? state.hint : undefined;
      };
      await eventually(() => harness.log.some((line) => line.includes('[stderr] part')), 'its first words');
      clock.advance(afterMs - 1);
      assert.equal(hint(), undefined);
      clock.advance(1);
      assert.equal(hint(), what);
      await eventually(() => hint() !== what, 'what it says');
      assert.match(String(hint()), new RegExp(`^${what} – part \\d+ of many: \\.+$`));
      assert.ok(String(hint()).length <= what.length + 3 + 80);
      writeFileSync(file, 'go');
      await harness.until('connected');
      await harness.pool.disconnect('server');
    });
  }

  it('fails every call under way at once when the server dies', async () => {
    await harness.connect(fixture('legacy'));
    const session = await harness.pool.ready('server', 3000);
    const slow = [1, 2, 3].map(() =>
      failureOf(session.callTool('slow', { steps: 1, stepMs: 60_000 }, { timeoutMs: 60_000 })),
    );
    // They would wait for longer than the test may take.
    const exit = failureOf(session.callTool('exit', { code: 5 }, { timeoutMs: 60_000 }));
    for (const failure of await Promise.all([...slow, exit])) {
      assert.equal(failure.code, 'connection-lost');
      assert.match(failure.message, /exited with code 5/);
    }
  });

  it('connects on demand, but not what the user stopped', async () => {
    const onDemand = { autoStart: false, startMode: 'onDemand' as const };
    harness.pool.reconcile([
      target('server', fixture('legacy'), onDemand),
      target('known', fixture('legacy'), { ...onDemand, needsDiscovery: true }),
    ]);
    await harness.until('connected', 'known');
    assert.equal(harness.server().state.kind, 'disconnected');
    assert.equal(await call('log'), 'logged');
    await harness.pool.disconnect('server');
    assert.equal((await failureOf(harness.pool.ready('server', 3000))).code, 'not-connected');
  });

  it('waits for a server that it connects on demand, however short the wait for others is', async () => {
    const late = fixture('faulty', 'hang-in-handshake');
    harness.pool.reconcile([
      target('server', fixture('legacy'), { autoStart: false, startMode: 'onDemand' as const }),
      target('eager', late, { autoStart: true, startMode: 'eager' as const }),
    ]);
    assert.equal((await failureOf(harness.pool.ready('eager', 0))).code, 'not-connected');
    assert.equal((await harness.pool.ready('server', 0)).info.name, 'legacy-fixture');
  });

  it('finds out after a sleep which connections are gone', async () => {
    const { fixture: server } = await legacyHttp();
    await harness.connect(remote('http', server.url));
    await server.close();
    harness.pool.checkAll();
    await harness.until('pending');
    await server.listen();
    harness.pool.checkAll();
    await harness.until('connected');
    await harness.pool.disconnect('server');
    await server.close();
  });

  it('asks a silent remote server whether it is there, and takes any answer', async () => {
    await fresh({}, { clock: new FastClock(100) });
    let answering = true;
    const server = await scriptedHttp((_request, response, body) => {
      if (body?.method !== 'ping') return false;
      if (answering) json(response, 200, { jsonrpc: '2.0', id: body.id, error: { code: -32601, message: 'no ping' } });
      else response.destroy();
      return true;
    });
    await harness.connect(remote('http', server.url));
    const pings = (): number => server.seen.filter((line) => line === 'POST ping').length;
    await eventually(() => pings() >= 2, 'two pings');
    assert.deepEqual(harness.states, ['server: connecting', 'server: connected']);
    answering = false;
    await eventually(() => harness.states.includes('server: pending'), 'the loss');
    await harness.pool.disconnect('server');
    await server.close();
  });

  it('gives up after five attempts in a row, with the last lines of stderr', async () => {
    await fresh({ handshakeTimeoutMs: 1_000_000 }, { clock: new FastClock(50) });
    await harness.connect(fixture('faulty', 'exit-1'));
    const state = await harness.until('failed');
    assert.equal(harness.states.filter((line) => line === 'server: pending').length, 5);
    assert.ok(state.kind === 'failed');
    assert.deepEqual(state.failure.stderrTail, ['cannot find the database']);
  });
});
