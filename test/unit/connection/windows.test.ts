import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { identify } from '../../../src/connection/process/processIdentity.ts';
import { ProcessRegistry } from '../../../src/connection/process/processRegistry.ts';
import { fixture, isAlive, PoolHarness, readText, SHORT_GRACE, temporaryFolder } from './harness.ts';

/** What is done on Windows, with programs of its names that say what they were asked. */
describe('on Windows', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  const bin = folder.file('bin');
  const asked = folder.file('asked');
  const path = process.env['PATH'];
  const children: ChildProcess[] = [];

  before(() => {
    mkdirSync(bin);
    const program = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    program('taskkill', `echo "$@" >> ${asked}; kill -KILL "$2"`);
    // Prints when the process in question began, as the test wrote it down.
    program(
      'powershell.exe',
      `id=$(echo "$4" | sed 's/.*-Id \\([0-9]*\\)).*/\\1/'); kill -0 "$id" && cat "${folder.path}/start-$id"`,
    );
    process.env['PATH'] = `${bin}${delimiter}${path}`;
  });
  beforeEach(() => writeFileSync(asked, ''));
  afterEach(async () => {
    for (const child of children.splice(0)) if (child.kill('SIGKILL')) await once(child, 'exit');
  });
  after(() => {
    process.env['PATH'] = path;
    folder.remove();
  });

  const sleeper = (): number => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    children.push(child);
    return child.pid ?? 0;
  };
  const begun = (pid: number, at: number): void => writeFileSync(join(folder.path, `start-${pid}`), `${at}\n`);
  const ledgerOf = (name: string): { readonly files: () => string[]; readonly registry: ProcessRegistry } => {
    const files = folder.file(name);
    return {
      files: () => readdirSync(files),
      registry: new ProcessRegistry(files, 'win32', systemClock, randomUUID()),
    };
  };
  const record = (name: string, owner: object, processes: readonly object[]): void => {
    mkdirSync(folder.file(name));
    writeFileSync(join(folder.file(name), 'x.json'), JSON.stringify({ owner, processes }));
  };

  it('a server that ends with its input is asked nothing else', async () => {
    const harness = new PoolHarness({}, { platform: 'win32' });
    const server = await harness.connect(fixture('faulty'));
    const pid = server.session?.info.pid ?? 0;
    await harness.end();
    assert.ok(!isAlive(pid));
    assert.equal(readText(asked), '');
  });

  it('one that does not is ended with all that it started', async () => {
    const harness = new PoolHarness({}, { platform: 'win32' });
    const server = await harness.connect(fixture('faulty', 'ignore-eof'));
    const pid = server.session?.info.pid ?? 0;
    await harness.end(SHORT_GRACE);
    assert.ok(!isAlive(pid));
    assert.equal(readText(asked), `/pid ${pid} /T /F\n`);
  });

  it('what a session that crashed left is ended at the next start', async () => {
    const left = sleeper();
    const identity = await identify(left, 'win32');
    begun(left, Date.now() - 300);
    record('crashed', { pid: 4_000_000, start: '1' }, [identity ?? {}]);
    const { registry, files } = ledgerOf('crashed');
    await registry.sweep();
    assert.equal(readText(asked), `/pid ${left} /T /F\n`);
    assert.deepEqual(files(), []);
  });

  it('but not what another window runs, nor a process that has got the pid since', async () => {
    const [owner, server, other] = [sleeper(), sleeper(), sleeper()];
    const identities = await Promise.all([owner, server, other].map((pid) => identify(pid, 'win32')));
    for (const pid of [owner, server]) begun(pid, Date.now());
    begun(other, Date.now() + 60_000);
    record('window', identities[0] ?? {}, [identities[1] ?? {}]);
    record('reused', { pid: 4_000_000, start: '1' }, [identities[2] ?? {}]);
    for (const name of ['window', 'reused']) await ledgerOf(name).registry.sweep();
    assert.equal(readText(asked), '');
    assert.deepEqual(ledgerOf('window').files(), ['x.json']);
    assert.deepEqual(ledgerOf('reused').files(), []);
  });

  it('what runs is written down with its owner', async () => {
    const stateDir = folder.file('state');
    const harness = new PoolHarness({}, { platform: 'win32', stateDir });
    const server = await harness.connect(fixture('faulty'));
    const [file = ''] = readdirSync(join(stateDir, 'processes'));
    const { owner, processes } = JSON.parse(readText(join(stateDir, 'processes', file))) as {
      owner: { pid: number; start: string };
      processes: readonly { pid: number; start: string }[];
    };
    assert.deepEqual([owner.pid, processes.map(({ pid }) => pid)], [process.pid, [server.session?.info.pid]]);
    const uptimeMs = Date.now() - Number(owner.start);
    assert.ok(Math.abs(uptimeMs - process.uptime() * 1000) < 2000);
    await harness.end();
    assert.deepEqual(readdirSync(join(stateDir, 'processes')), []);
  });
});
