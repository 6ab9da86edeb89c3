import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../../src/base/clock.ts';
import { spawnServer } from '../../../src/connection/stdio/spawnServer.ts';
import { StdioTransport } from '../../../src/connection/stdio/stdioTransport.ts';
import {
  eventually,
  failureOf,
  fixture,
  isAlive,
  PoolHarness,
  readText,
  SHORT_GRACE,
  target,
  temporaryFolder,
} from './harness.ts';
import { ManualClock } from './manualClock.ts';

const withoutUndefined = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined));

describe('local servers', function () {
  this.timeout(20_000);
  let harness: PoolHarness;
  const folder = temporaryFolder();

  beforeEach(() => (harness = new PoolHarness()));
  afterEach(() => harness.end());
  after(() => folder.remove());

  it('of protocol 2025-11-25 connect, list their tools and answer calls', async () => {
    const server = await harness.connect(fixture('legacy'));
    assert.deepEqual(harness.states, ['server: connecting', 'server: connected']);
    assert.deepEqual(
      server.tools.map(({ name }) => name),
      ['echo', 'slow', 'grow', 'ask', 'sample', 'roots', 'log', 'exit'],
    );
    assert.deepEqual(server.tools[0]?.annotations, { readOnlyHint: true, openWorldHint: false });
    const session = await server.ready(0);
    const { capabilities, pid, ...info } = session.info;
    assert.deepEqual(info, {
      name: 'legacy-fixture',
      version: '1.2.3',
      protocolVersion: '2025-11-25',
      era: 'legacy',
      transport: 'stdio',
      instructions: 'Use echo.',
    });
    assert.ok(pid && isAlive(pid));
    assert.ok('tools' in capabilities);
    const result = await session.callTool('echo', { text: '5 €' }, { timeoutMs: 5000 });
    assert.deepEqual(result, { content: [{ type: 'text', text: '5 €' }], isError: false });
  });

  it('of protocol 2026-07-28 are started once, and tell that their tools changed', async () => {
    const server = await harness.connect(fixture('modern'));
    const session = await server.ready(0);
    assert.equal(session.info.era, 'modern');
    assert.equal(session.info.protocolVersion, '2026-07-28');
    assert.equal((await session.callTool('echo', { text: 'hi' }, { timeoutMs: 5000 })).isError, false);
    await session.callTool('grow', {}, { timeoutMs: 5000 });
    await eventually(() => server.tools.some(({ name }) => name === 'grown-1'), 'the grown tool');
  });

  it('tell that their tools changed', async () => {
    const server = await harness.connect(fixture('legacy'));
    const session = await server.ready(0);
    for (let count = 0; count < 3; count++) await session.callTool('grow', {}, { timeoutMs: 5000 });
    await eventually(() => server.tools.some(({ name }) => name === 'grown-3'), 'the grown tools');
  });

  it('report progress, which restarts the time-out', async () => {
    const clock = new ManualClock();
    await harness.end();
    harness = new PoolHarness({}, { clock });
    const session = await (await harness.connect(fixture('legacy'))).ready(0);
    const seen: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => {
      seen.push(progress);
      clock.advance(300);
    };
    await session.callTool('slow', { steps: 5, stepMs: 0 }, { timeoutMs: 400, onProgress });
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  });

  it('are told of a cancellation', async () => {
    const file = folder.file('cancelled');
    const session = await (await harness.connect(fixture('faulty', 'hang-in-call', file))).ready(0);
    const controller = new AbortController();
    const call = failureOf(session.callTool('call', {}, { timeoutMs: 60_000, signal: controller.signal }));
    await eventually(() => readText(file) === 'called ', 'the call');
    controller.abort();
    assert.equal((await call).code, 'call-cancelled');
    await eventually(() => readText(file) === 'called cancelled', 'the notification');
  });

  it('leave nothing behind when they stop, grandchildren behind a shell included', async () => {
    const file = folder.file('grandchild');
    const inner = fixture('faulty', 'grandchild', file);
    const shell = { ...inner, command: '/bin/sh', args: ['-c', `"$0" "$@"; true`, inner.command, ...inner.args] };
    const server = await harness.connect(shell);
    const pids = [server.session?.info.pid ?? 0, Number(readText(file))];
    assert.ok(pids.every(isAlive));
    await harness.pool.disconnect('server');
    assert.deepEqual(pids.filter(isAlive), []);
    assert.equal(server.state.kind, 'disconnected');
  });

  it('that ignore everything are ended by force, at once when asked twice', async () => {
    const file = folder.file('signals');
    await harness.connect(fixture('faulty', 'ignore-term', file));
    const pid = harness.server().session?.info.pid ?? 0;
    // Longer than the test may take.
    const patient = { afterEofMs: 60_000, afterTermMs: 60_000 };
    const stopped = harness.pool.stopAll(patient);
    await eventually(() => readText(file) === 'closed ', 'the end of its input');
    void harness.pool.stopAll(patient);
    await eventually(() => readText(file) === 'closed ignored ', 'the first signal');
    void harness.pool.stopAll(patient);
    await stopped;
    assert.ok(!isAlive(pid));
  });

  it('come back after a crash', async () => {
    const server = await harness.connect(fixture('faulty', 'die-once', folder.file('starts')));
    assert.equal(server.state.kind, 'connected');
    const pending = await harness.until('pending');
    assert.ok(pending.kind === 'pending');
    assert.equal(pending.failure.message, 'The server exited with code 7.');
    assert.equal(pending.attempt, 1);
    assert.deepEqual(server.tools, []);
    const session = await server.ready(10_000);
    assert.ok(Date.now() >= pending.nextAttemptAt);
    assert.equal((await session.callTool('call', {}, { timeoutMs: 1000 })).isError, false);
  });

  it('that die in the middle of a call fail it at once, with exit code and last lines of stderr', async () => {
    const session = await (await harness.connect(fixture('faulty', 'die-in-call'))).ready(0);
    // They would wait for longer than the test may take.
    const calls = [1, 2].map(() => failureOf(session.callTool('call', {}, { timeoutMs: 60_000 })));
    for (const error of await Promise.all(calls)) {
      assert.equal(error.code, 'connection-lost');
      assert.match(error.message, /exited with code 3/);
      assert.match(error.message, /out of cheese/);
    }
    assert.equal((await harness.until('pending')).kind, 'pending');
  });

  it('that are missing say where was looked and what to do', async () => {
    const server = await harness.connect({
      type: 'stdio',
      command: 'npx-of-nowhere',
      args: [],
      env: { PATH: '/here:/there' },
    });
    assert.ok(server.state.kind === 'failed');
    assert.equal(server.state.failure.code, 'command-not-found');
    assert.match(server.state.failure.message, /on the PATH \(2 folders; “Doctor” lists it\)/);
    const npx = await harness.connect({ type: 'stdio', command: 'npx', args: ['x'], env: { PATH: '/nowhere' } }, 'npx');
    assert.match((npx.state.kind === 'failed' && npx.state.failure.remedy) || '', /Install Node\.js \(https:/);
  });

  it('that are not executable, or have no folder or interpreter, say so', async () => {
    const file = folder.file('script');
    writeFileSync(file, '#!/nowhere/python\n');
    const spec = { type: 'stdio' as const, command: file, args: [], env: {} };
    const code = async (id: string, cwd?: string): Promise<string> => {
      const { state } = await harness.connect({ ...spec, ...(cwd === undefined ? {} : { cwd }) }, id);
      return state.kind === 'failed' ? `${state.failure.code}: ${state.failure.message}` : state.kind;
    };
    assert.match(await code('mode'), /^command-not-executable/);
    chmodSync(file, 0o755);
    assert.match(await code('interpreter'), /^command-not-found: .*interpreter/);
    assert.match(await code('cwd', folder.file('absent')), /^cwd-not-found: .*does not exist/);
    assert.match(await code('file', file), /^cwd-not-found: .*not a folder/);
  });

  it('get the environment of their scope, with the entry on top', async () => {
    const seen = folder.file('env');
    const spec = { ...fixture('faulty', 'environment', seen), env: { B: 'entry' }, cwd: folder.path };
    const before = { ...process.env, MY_SECRET: 'x', VSCODE_PID: '1' };
    await harness.end();
    harness = new PoolHarness({}, { hostEnvironment: before });
    harness.pool.reconcile([target('p', spec, { scope: 'project' })]);
    await harness.pool.connect('p');
    const environment = JSON.parse(readText(seen)) as Record<string, string>;
    assert.equal(environment['B'], 'entry');
    assert.ok(!('MY_SECRET' in environment) && !('VSCODE_PID' in environment));
  });

  it('that crash on the era probe get a second process without it', async () => {
    const server = await harness.connect(fixture('faulty', 'crash-on-probe'));
    assert.equal(server.state.kind, 'connected');
  });

  it('stop in the middle of connecting', async () => {
    const file = folder.file('handshake');
    harness.pool.reconcile([target('server', fixture('faulty', 'hang-in-handshake', file))]);
    await eventually(() => readText(file) !== '', 'the handshake');
    await harness.pool.disconnect('server');
    assert.equal(harness.server().state.kind, 'disconnected');
  });

  it('stop while they are being started', async () => {
    const { command, args } = fixture('faulty');
    const ended: number[] = [];
    const transport = new StdioTransport({
      spawn: () =>
        spawnServer({ command, args, cwd: folder.path, env: withoutUndefined(process.env) }, process.platform),
      command,
      platform: process.platform,
      mark: 'none',
      mask: (text) => text,
      clock: systemClock,
      onStderr: () => undefined,
      onNoise: () => undefined,
      onFrame: () => undefined,
      onOversized: () => undefined,
      onUnreadable: () => false,
      onStarted: () => undefined,
      onEnded: (pid) => ended.push(pid),
    });
    const starting = transport.start();
    await transport.stop(SHORT_GRACE);
    await starting;
    assert.ok(transport.pid !== null && !isAlive(transport.pid));
    assert.deepEqual(ended, [transport.pid]);
  });

  it('keep the end of stderr in the log, not their arguments', async () => {
    const spec = fixture('faulty', 'exit-1', 'an-argument');
    harness.pool.reconcile([target('server', { ...spec, env: { TOKEN: 'a-value' } })]);
    const pending = await harness.until('pending');
    assert.deepEqual(pending.kind === 'pending' && pending.failure.stderrTail, ['cannot find the database']);
    await harness.pool.stopAll(SHORT_GRACE);
    const log = harness.log.join('\n');
    assert.match(log, /\[stderr\] cannot find the database/);
    assert.ok(!log.includes('an-argument') && !log.includes('a-value'));
  });
});
