import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import type { ConnectionSpec, ConnectionState } from '../../../../src/connection/connectionTypes.ts';
import { describeState } from '../../../../src/connection/connectionState.ts';
import { eventually, fixture, isAlive, pidsIn, PoolHarness, readText, temporaryFolder } from '../harness.ts';
import { ManualClock } from '../manualClock.ts';

const MINUTE_MS = 60_000;

describe('a server that is installed first', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let clock: ManualClock;
  let harness: PoolHarness;
  let count = 0;
  let gate = '';
  let passed = 0;
  let pids = '';

  beforeEach(() => {
    clock = new ManualClock();
    harness = new PoolHarness({}, { clock });
    gate = folder.file(`gate-${++count}`);
    pids = folder.file(`pids-${count}`);
    passed = 0;
    execFileSync('mkfifo', [`${gate}.1`, `${gate}.2`]);
  });
  afterEach(async () => {
    // The stop ladder waits on the same clock.
    const passing = setInterval(() => clock.advance(1000), 20);
    await harness.end();
    clearInterval(passing);
  });
  after(() => folder.remove());

  /** Something that is called as a runner is. Each `read` waits for a line from the test. */
  const runner = (name: string, script: string, ...args: string[]): ConnectionSpec => {
    const command = folder.file(name);
    const { command: node, args: server } = fixture('legacy');
    const serve = [node, ...(server ?? [])].map((word) => `'${word}'`).join(' ');
    const text = `#!/bin/sh\nwait_for_test() { n=$((n + 1)); read -r line < '${gate}'.$n; }\nserve() { ${serve}; }\necho $$ >> '${pids}'\n${script}\n`;
    writeFileSync(command, text, { mode: 0o755 });
    return { type: 'stdio', command, args, env: {} };
  };
  /** Each has a pipe of its own: the shell could open the next before this one is closed. */
  const go = (): void => appendFileSync(`${gate}.${++passed}`, 'go\n');
  const state = (): ConnectionState => harness.server().state;
  /** Begins to connect and looks until it is installing as said. */
  const installing = async (spec: ConnectionSpec, text: string): Promise<void> => {
    void harness.connect(spec);
    await eventually(() => pidsIn(pids).length > 0, 'the start');
    await looking(() => describeState(state()) === text, text);
  };
  /** Time goes on until something is so, slower than the limits. */
  const looking = (test: () => boolean, what: string): Promise<void> =>
    eventually(() => {
      if (!test()) clock.advance(200);
      return test();
    }, what);

  it('is not given up by the time-out of the handshake, which begins with its own process', async () => {
    await installing(
      runner('npx', 'wait_for_test; serve', '-y', 'some-server@1.2'),
      'Installing some-server@1.2 with npx',
    );
    clock.advance(5 * MINUTE_MS);
    go();
    await harness.until('connected');
    assert.deepEqual(harness.states.slice(0, 2), ['server: connecting', 'server: installing']);
    assert.equal(pidsIn(pids).length, 1);
  });

  it('has the time of a handshake after that', async () => {
    const hang = `'${process.execPath}' -e 'process.stdin.resume()'`;
    await installing(runner('npx', `wait_for_test; ${hang}`, 'some-server'), 'Installing some-server with npx');
    clock.advance(5 * MINUTE_MS);
    go();
    await looking(() => state().kind === 'connecting', 'its own process');
    clock.advance(15_000);
    await eventually(() => state().kind === 'pending', 'given up');
    const now = state();
    assert.ok(now.kind === 'pending' && now.failure.code === 'handshake-timeout', describeState(now));
    assert.match(now.failure.message, /within 15 s/);
  });

  it('is given up after the limit for installs, with what it was at, and nothing is left', async () => {
    await installing(runner('npx', 'wait_for_test; serve', 'some-server'), 'Installing some-server with npx');
    clock.advance(10 * MINUTE_MS);
    await looking(() => state().kind === 'failed', 'given up');
    const now = state();
    assert.ok(now.kind === 'failed' && now.failure.code === 'install-failed');
    assert.equal(now.failure.message, "npx didn't finish installing some-server within 600 s.");
    assert.ok(pidsIn(pids).every((pid) => !isAlive(pid)));
  });

  it('shows the last of what a progress bar wrote over itself', async () => {
    const bar = String.raw`printf 'Fetching 10%%\rFetching 55%%\r' >&2; wait_for_test; printf 'Fetching 90%%\r\nBuilding\n' >&2; wait_for_test; serve`;
    await installing(runner('uvx', bar, 'some-server'), 'Installing some-server with uvx (Fetching 55%)');
    go();
    await looking(() => describeState(state()) === 'Installing some-server with uvx (Building)', 'the next step');
    assert.ok(harness.log.includes('server: info: [stderr] Fetching 90%'), harness.log.join('\n'));
    go();
    await harness.until('connected');
  });

  it('says which package is being built', async () => {
    const build = `npm_lifecycle_event=install npm_package_name=sqlite3 sh -c 'read -r line < "${gate}.1"; exit 0'; serve`;
    await installing(runner('npx', build, 'some-server'), 'Installing some-server with npx (sqlite3: sh)');
    go();
    await harness.until('connected');
  });

  it('is told from the output where no process tells: an image', async () => {
    const pull = [
      "echo \"Unable to find image 'mcp/git:latest' locally\" >&2; echo 'latest: Pulling from mcp/git' >&2",
      'for layer in aaaaaaaaaaaa bbbbbbbbbbbb; do echo "$layer: Pulling fs layer" >&2; done; echo \'aaaaaaaaaaaa: Pull complete\' >&2',
      "wait_for_test; echo 'Status: Downloaded newer image for mcp/git:latest' >&2; serve",
    ];
    const spec = runner('docker', pull.join('\n'), 'run', '-i', '--rm', 'mcp/git');
    await installing(spec, 'Installing mcp/git:latest with docker (1 of 2 layers)');
    clock.advance(5 * MINUTE_MS);
    go();
    await harness.until('connected');
  });

  it('that fails says what the runner said, and is not installed again', async () => {
    const npm = [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.example/some-servr - Not found',
      'npm error 404  The requested resource could not be found',
      'npm error A complete log of this run can be found in: /tmp/_logs/x.log',
    ];
    await harness.connect(runner('npx', `cat >&2 <<'END'\n${npm.join('\n')}\nEND\nexit 1`, '-y', 'some-servr'));
    const now = state();
    assert.ok(now.kind === 'failed', describeState(now));
    assert.equal(now.failure.code, 'install-failed');
    assert.equal(
      now.failure.message,
      "npx couldn't install some-servr: npm error 404 Not Found - GET https://registry.example/some-servr - Not found.",
    );
    assert.equal(now.failure.remedy, 'Check the name and the version of the package in "args".');
    assert.equal(pidsIn(pids).length, 1);
  });

  it('that fails for want of a network is tried again', async () => {
    const npm =
      'npm error code EAI_AGAIN\nnpm error request to https://registry.example/x failed, reason: getaddrinfo EAI_AGAIN';
    await harness.connect(runner('npx', `cat >&2 <<'END'\n${npm}\nEND\nexit 1`, 'x'));
    const now = state();
    assert.ok(now.kind === 'pending' && now.failure.code === 'unreachable', describeState(now));
    assert.match(now.failure.message, /^npx couldn't install x: npm error request to .* EAI_AGAIN\.$/);
  });

  it('whose runner is killed says so, and is not begun again at once', async () => {
    await installing(runner('npx', 'wait_for_test; serve', 'some-server'), 'Installing some-server with npx');
    for (const pid of pidsIn(pids)) process.kill(pid, 'SIGKILL');
    await looking(() => state().kind === 'failed', 'failed');
    const now = state();
    assert.ok(now.kind === 'failed' && now.failure.code === 'install-failed', describeState(now));
    assert.equal(
      now.failure.message,
      "npx couldn't install some-server: it was ended by SIGKILL (often for want of memory).",
    );
    assert.equal(pidsIn(pids).length, 1);
  });

  it('that fails in a script of a package, of which npm says nothing, says which', async () => {
    const build = `npm_lifecycle_event=install npm_package_name=sqlite3 sh -c 'read -r line < "${gate}.1"; exit 1'; exit 1`;
    await installing(runner('npx', build, 'some-server'), 'Installing some-server with npx (sqlite3: sh)');
    go();
    await looking(() => state().kind === 'failed', 'failed');
    const now = state();
    assert.ok(now.kind === 'failed' && now.failure.code === 'install-failed', describeState(now));
    assert.equal(now.failure.message, "npx couldn't install some-server: it exited with code 1, at “sqlite3: sh”.");
    assert.equal(pidsIn(pids).length, 1);
  });

  it('that fails in a script, after which the runner tidies up, says which', async () => {
    const build = `npm_lifecycle_event=install npm_package_name=sqlite3 sh -c 'read -r line < "${gate}.1"; exit 1'; n=1; wait_for_test; exit 1`;
    await installing(runner('npx', build, 'some-server'), 'Installing some-server with npx (sqlite3: sh)');
    go();
    await looking(() => describeState(state()) === 'Installing some-server with npx', 'tidying up');
    go();
    await looking(() => state().kind === 'failed', 'failed');
    const now = state();
    assert.ok(now.kind === 'failed', describeState(now));
    assert.equal(now.failure.message, "npx couldn't install some-server: it exited with code 1, at “sqlite3: sh”.");
  });

  it('can be stopped meanwhile, and leaves nothing', async () => {
    await installing(runner('npx', 'wait_for_test; serve', 'some-server'), 'Installing some-server with npx');
    const stopped = harness.pool.disconnect('server');
    assert.equal(state().kind, 'disconnected');
    await looking(() => pidsIn(pids).every((pid) => !isAlive(pid)), 'gone');
    clock.advance(10_000);
    await stopped;
  });

  it('a server that itself ends is not taken for an install that failed', async () => {
    await harness.connect(runner('npx', "echo 'Error: no key' >&2; exit 3", 'some-server'));
    const now = state();
    assert.ok(now.kind === 'pending' && now.failure.code === 'exited', describeState(now));
    assert.match(now.failure.message, /exited with code 3.*Error: no key/);
    assert.equal(readText(pids).trim().split('\n').length, 2, 'once more, in the other era');
  });
});
