import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { DEFAULT_TIMINGS } from '../../../src/connection/connectionTimings.ts';
import { NeedsAuthMemory } from '../../../src/connection/start/needsAuthMemory.ts';
import { identify } from '../../../src/connection/process/processIdentity.ts';
import { ProcessRegistry } from '../../../src/connection/process/processRegistry.ts';
import { MARK_VARIABLE } from '../../../src/connection/process/processTable.ts';
import { Reaper } from '../../../src/connection/process/killOnHostExit.ts';
import { json, scriptedHttp } from '../../fixtures/servers/http.ts';
import {
  eventually,
  fixture,
  isAlive,
  pidsIn,
  PoolHarness,
  readText,
  remote,
  target,
  temporaryFolder,
} from './harness.ts';

/** A process in a group of its own that does nothing. */
function sleeper(): ChildProcess & { readonly pid: number } {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  if (child.pid === undefined) throw new Error('sleep did not start');
  return child as ChildProcess & { readonly pid: number };
}

describe('no server outlives its host', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('that dies by kill -9, not even one that ignores everything', async () => {
    const file = fileURLToPath(new URL('../../fixtures/servers/hostProcess.ts', import.meta.url));
    const faults = ['none', 'ignore-eof', 'ignore-term', 'grandchild-escapes'];
    const host = spawn(process.execPath, [file, folder.file('state'), ...faults], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await eventually(() => said.includes('\n'), 'the servers');
    const pids = said.trim().split(' ').map(Number);
    const escaped = (): number[] => pidsIn(folder.file('state/grandchild-escapes.txt'));
    await eventually(() => escaped().length === 2, 'those that escape');
    pids.push(...escaped());
    assert.ok(pids.length === 6 && pids.every(isAlive));
    host.kill('SIGKILL');
    await eventually(() => !pids.some(isAlive), 'the servers to go', 5000);
  });

  it('whose end the reaper sees: what left its group goes, what was opened for the user stays', async () => {
    const opener = folder.file('xdg-open');
    const pids = folder.file('opened');
    writeFileSync(opener, `#!/bin/sh\nsh -c 'echo $$ > ${pids}; exec sleep 600'\n`, { mode: 0o755 });
    const mark = randomUUID();
    const marked = (command: string, args: string[], more: object = {}): number => {
      const env = { PATH: process.env['PATH'], [MARK_VARIABLE]: `${mark}.1`, ...more };
      return spawn(command, args, { stdio: 'ignore', detached: true, env }).pid ?? 0;
    };
    // It heeds only the second signal, which is the last that the reaper sends.
    const ready = folder.file('ready');
    const [server, stray, application] = [
      spawn('/bin/sh', ['-c', `trap '' TERM; echo $$ > ${ready}; sleep 600`], { stdio: 'ignore', detached: true })
        .pid ?? 0,
      marked('sleep', ['600']),
      marked('sleep', ['600'], { GIO_LAUNCHED_DESKTOP_FILE: '/usr/share/applications/browser.desktop' }),
    ];
    marked(opener, []);
    await eventually(() => pidsIn(pids).length === 1, 'the browser');
    await eventually(() => pidsIn(ready).length === 1, 'the server');
    const kept = [application, ...pidsIn(pids)];
    const reaper = new Reaper(process.platform, mark);
    reaper.watch(server);
    reaper.dispose();
    await eventually(() => ![server, stray].some(isAlive), 'the server and its stray to go', 5000);
    assert.deepEqual(kept.filter(isAlive), kept);
    for (const pid of kept) process.kill(pid, 'SIGKILL');
    await eventually(() => !kept.some(isAlive), 'the rest to go');
  });

  describe('and of a session that crashed, the next start ends', () => {
    const ledgerOf = (name: string): { folder: string; registry: ProcessRegistry } => {
      const path = folder.file(name);
      mkdirSync(path, { recursive: true });
      return { folder: path, registry: new ProcessRegistry(path, process.platform, systemClock, randomUUID()) };
    };
    const record = (path: string, owner: object, processes: readonly unknown[], hostMark?: string): void =>
      writeFileSync(join(path, 'x.json'), JSON.stringify({ owner, processes, hostMark }));

    it('what is left of an owner that is gone', async () => {
      const { folder: path, registry } = ledgerOf('gone');
      const left = sleeper();
      record(path, { pid: 4_000_000, start: 'long ago' }, [(await identify(left.pid, process.platform)) ?? {}]);
      await registry.sweep();
      assert.ok(!isAlive(left.pid));
      assert.deepEqual(readdirSync(path), []);
    });

    it('what has left its process group, whatever became of its server', async () => {
      const { folder: path, registry } = ledgerOf('escaped');
      const hostMark = randomUUID();
      const env = { [MARK_VARIABLE]: `${hostMark}.3` };
      // What started it is gone: a process that a crashed session left is no child of this one.
      const left = folder.file('left');
      const escaped = `trap '' TERM; echo $$ > ${left}; sleep 600; sleep 600`;
      const parent = spawn('/bin/sh', ['-c', '/bin/sh -c "$1" &', 'sh', escaped], {
        stdio: 'ignore',
        detached: true,
        env,
      });
      await once(parent, 'exit');
      await eventually(() => pidsIn(left).length === 1, 'it to run');
      const other = sleeper();
      record(path, { pid: 4_000_000, start: 'long ago' }, [], hostMark);
      await registry.sweep();
      await eventually(() => !pidsIn(left).some(isAlive), 'it to go', 2000);
      assert.ok(isAlive(other.pid));
      other.kill('SIGKILL');
    });

    it("not another window's servers", async () => {
      const { folder: path, registry } = ledgerOf('window');
      const [owner, server] = [sleeper(), sleeper()];
      record(path, (await identify(owner.pid, process.platform)) ?? {}, [
        (await identify(server.pid, process.platform)) ?? {},
      ]);
      await registry.sweep();
      assert.ok(isAlive(server.pid));
      assert.deepEqual(readdirSync(path), ['x.json']);
      for (const child of [owner, server]) child.kill('SIGKILL');
    });

    it('not a process that has got the pid since, and nothing for a record that is none', async () => {
      const { folder: path, registry } = ledgerOf('reused');
      const other = sleeper();
      record(path, { pid: 4_000_000, start: 'x' }, [
        { pid: other.pid, start: 'another time' },
        { pid: 1, start: 'x' },
        7,
      ]);
      writeFileSync(join(path, 'broken.json'), '{');
      await registry.sweep();
      assert.ok(isAlive(other.pid));
      assert.deepEqual(readdirSync(path), []);
      other.kill('SIGKILL');
    });

    it('not a record that can’t be read now: it may be that of a window that runs', async () => {
      const { folder: path, registry } = ledgerOf('unreadable');
      const owner = sleeper();
      record(path, (await identify(owner.pid, process.platform)) ?? {}, []);
      const stat = mock.method(fs, 'stat', async () => {
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      });
      await registry.sweep();
      stat.mock.restore();
      assert.deepEqual(readdirSync(path), ['x.json']);
      await registry.sweep();
      assert.deepEqual(readdirSync(path), ['x.json']);
      owner.kill('SIGKILL');
      await eventually(() => !isAlive(owner.pid), 'the owner’s end');
      await registry.sweep();
      assert.deepEqual(readdirSync(path), []);
    });

    it('of what it wrote down while the servers ran', async () => {
      const state = folder.file('written');
      const harness = new PoolHarness({}, { stateDir: state });
      const { session } = await harness.connect(fixture('faulty'));
      const files = (): string[] => (existsSync(join(state, 'processes')) ? readdirSync(join(state, 'processes')) : []);
      await eventually(() => files().length === 1, 'the record');
      assert.match(readText(join(state, 'processes', files()[0] ?? '')), new RegExp(`"pid":${session?.info.pid},`));
      await harness.pool.disconnect('server');
      assert.deepEqual(files(), []);
      await harness.end();
    });
  });
});

describe('a server that required a sign-in lately', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('is not asked again by a start, but by the user', async () => {
    const server = await scriptedHttp((_request, response) => (json(response, 401, {}), true));
    const stateDir = folder.file('state');
    const start = async (): Promise<PoolHarness> => {
      const harness = new PoolHarness({}, { stateDir });
      harness.pool.reconcile([target('server', remote('http', server.url))]);
      assert.equal(harness.server().state.kind, 'connecting');
      await harness.until('needs-auth');
      return harness;
    };
    const first = await start();
    // The probe for the protocol may be refused alone, so there is a second request.
    assert.equal(server.seen.length, 2);
    await eventually(() => readText(join(stateDir, 'needs-auth.json')).includes('401'), 'the note');
    await first.end();
    const second = await start();
    assert.equal(server.seen.length, 2);
    await second.pool.connect('server');
    assert.equal(server.seen.length, 4);
    await second.end();
    await server.close();
  });

  it('is remembered for 15 minutes, by many writers at once', async () => {
    const file = folder.file('many.json');
    let now = Date.now();
    const clock = { ...systemClock, now: () => now };
    const memories = [1, 2, 3].map(
      () => new NeedsAuthMemory(file, clock, process.platform, () => DEFAULT_TIMINGS.needsAuthMemoryMs),
    );
    await Promise.all(memories.flatMap((memory, window) => [1, 2, 3].map((n) => memory.note(`${window}-${n}`, 'no'))));
    const [memory] = memories;
    const { version, ...entries } = JSON.parse(readText(file)) as Record<string, unknown>;
    assert.deepEqual([version, Object.keys(entries).length], [1, 9]);
    assert.equal(await memory?.recall('0-1'), 'no');
    await memory?.forget('0-1');
    assert.equal(await memory?.recall('0-1'), undefined);
    now += 15 * 60_000;
    assert.equal(await memory?.recall('1-1'), undefined);
  });
});
