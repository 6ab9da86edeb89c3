import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { deferred } from '../../../../src/base/async.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { FileLockError, withFileLock } from '../../../../src/connection/process/fileLock.ts';
import { eventually } from '../../../support/eventually.ts';

const source = (file: string): string => pathToFileURL(join(import.meta.dirname, '../../../../src', file)).href;

describe('a lock across processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-lock-'));
  const here = { clock: systemClock, platform: process.platform };
  let count = 0;
  const newFile = (): string => join(folder, `${++count}`, 'the.lock');
  after(() => rmSync(folder, { recursive: true }));

  /** A process that adds one to the number in a file `times` times, each under the lock, or holds the lock for ever. */
  const other = (file: string, options: { readonly staleMs: number; readonly times?: number }): ChildProcess => {
    const work =
      options.times === undefined
        ? `await new Promise((resolve) => setTimeout(resolve, 1e6))`
        : `const n = Number(readFileSync(file + '.n')); await pause(1); writeFileSync(file + '.n', String(n + 1))`;
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { setTimeout as pause } from 'node:timers/promises';
      const { withFileLock } = await import('${source('connection/process/fileLock.ts')}');
      const { systemClock: clock } = await import('${source('base/clock.ts')}');
      const file = ${JSON.stringify(file)};
      setInterval(() => undefined, 1e6);
      for (let i = 0; i < ${options.times ?? 1}; i++)
        await withFileLock(file, { clock, platform: process.platform, waitMs: 60_000, staleMs: ${options.staleMs} }, async () => { ${work} });
      process.exit();
    `;
    return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  };

  it('is one task’s at a time, and gone after the last', async () => {
    const file = newFile();
    let inside = 0;
    let ran = 0;
    const task = async (): Promise<number> => {
      assert.equal(++inside, 1);
      await pause(1);
      inside--;
      return ++ran;
    };
    const results = await Promise.all(
      Array.from({ length: 20 }, () => withFileLock(file, { ...here, waitMs: 20_000 }, task)),
    );
    assert.deepEqual(
      results.map((result) => result?.value).toSorted((a, b) => Number(a) - Number(b)),
      [...Array.from({ length: 20 }, (_, index) => index + 1)],
    );
    assert.ok(!existsSync(file));
  });

  it('is one process’s at a time', async () => {
    const file = newFile();
    await withFileLock(file, { ...here, waitMs: 0 }, async () => writeFileSync(`${file}.n`, '0'));
    const processes = [1, 2, 3].map(() => other(file, { staleMs: 10_000, times: 20 }));
    await Promise.all(processes.map((each) => once(each, 'exit')));
    assert.equal(readFileSync(`${file}.n`, 'utf8'), '60');
  });

  it('is given back by a task that throws', async () => {
    const file = newFile();
    const failing = withFileLock(file, { ...here, waitMs: 0 }, async () => {
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.ok(!existsSync(file));
  });

  it('is waited for no longer than said, or until the signal aborts', async () => {
    const file = newFile();
    const held = await withFileLock(file, { ...here, waitMs: 0 }, async () => {
      const inVain = await withFileLock(file, { ...here, waitMs: 30 }, async () => assert.fail('it is held'));
      const abort = new AbortController();
      const waiting = withFileLock(file, { ...here, waitMs: 1e9, signal: abort.signal }, async () =>
        assert.fail('held'),
      );
      abort.abort();
      return [inVain, await waiting];
    });
    assert.deepEqual(held?.value, [undefined, undefined]);
  });

  it('of a process that was killed is taken over at once', async () => {
    const file = newFile();
    const killed = other(file, { staleMs: 10_000 });
    // It says whose it is a moment after it is there.
    await eventually('it is held', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const taken = await withFileLock(file, { ...here, waitMs: 0 }, async () => 'mine');
    assert.equal(taken?.value, 'mine');
  });

  it('of another process that got the same pid is told apart, except on Windows', async () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      if (platform !== 'win32' && platform !== process.platform) continue;
      const file = newFile();
      await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined);
      writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'before', token: '' }));
      const taken = await withFileLock(file, { ...here, platform, waitMs: 0 }, async () => 'mine');
      assert.equal(taken?.value, platform === 'win32' ? undefined : 'mine');
    }
  });

  it('of a text that names no process counts no longer once nobody has renewed it', async () => {
    const file = newFile();
    await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined);
    writeFileSync(file, '');
    assert.equal(await withFileLock(file, { ...here, waitMs: 0 }, async () => 'mine'), undefined);
    const taken = await withFileLock(file, { ...here, waitMs: 20_000, staleMs: 300 }, async () => 'mine');
    assert.equal(taken?.value, 'mine');
  });

  it('is told to end, and is no longer kept, when its limit is over', async () => {
    const file = newFile();
    const end = deferred<void>();
    let reason: unknown;
    const options = { ...here, waitMs: 20_000, staleMs: 200 };
    const hanging = withFileLock(file, { ...options, limitMs: 50 }, async (signal) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      await end.promise;
    });
    await eventually('it is held', () => existsSync(file));
    const next = await withFileLock(file, options, async () => reason);
    assert.match(String(next?.value), /took too long/);
    end.resolve();
    await hanging;
  });

  it('without a file is nobody else’s, and has the limit', async () => {
    const done = withFileLock(undefined, { ...here, waitMs: 0, limitMs: 1 }, async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'told';
    });
    assert.equal((await done)?.value, 'told');
  });

  it('is given back on a drive that knows no real paths', async () => {
    const file = newFile();
    const realpath = mock.method(fs, 'realpath', async () => {
      throw Object.assign(new Error('EISDIR: illegal operation on a directory, realpath'), { code: 'EISDIR' });
    });
    try {
      for (let time = 0; time < 2; time += 1)
        assert.ok(await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined));
      assert.ok(!existsSync(file));
    } finally {
      realpath.mock.restore();
    }
  });

  it('that can’t be read is taken over once it is stale', async () => {
    const file = newFile();
    await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined);
    // Larger than any lock of ours.
    writeFileSync(file, 'x'.repeat(100 * 1024));
    utimesSync(file, 0, 0);
    assert.ok(await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined));
  });

  it('that nobody can make is said at once, and is no other’s', async () => {
    const file = newFile();
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    const inFile = withFileLock(join(file, 'sub', 'the.lock'), { ...here, waitMs: 60_000 }, async () => undefined);
    await assert.rejects(inFile, FileLockError);
  });

  it('with a folder in its place is refused, and the folder stays', async () => {
    const file = newFile();
    mkdirSync(file, { recursive: true });
    utimesSync(file, 0, 0);
    assert.equal(await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined), undefined);
    assert.ok(existsSync(file));
  });

  it('left by a process that is gone goes to one of those that wait at a time', async () => {
    const file = newFile();
    await withFileLock(file, { ...here, waitMs: 0 }, async () => undefined);
    writeFileSync(file, 'gone');
    utimesSync(file, 0, 0);
    let inside = 0;
    const task = async (): Promise<void> => {
      assert.equal(++inside, 1);
      await pause(2);
      inside--;
    };
    const all = Array.from({ length: 20 }, () => withFileLock(file, { ...here, waitMs: 20_000 }, task));
    assert.ok((await Promise.all(all)).every((result) => result !== undefined));
  });

  it('is kept by a task that takes longer than a lock that nobody renews', async () => {
    const file = newFile();
    const staleMs = 400;
    let isOver = false;
    const long = withFileLock(file, { ...here, waitMs: 0, staleMs }, async () => {
      await pause(staleMs * 3);
      isOver = true;
    });
    await eventually('it is held', () => existsSync(file));
    const next = await withFileLock(file, { ...here, waitMs: 20_000, staleMs }, async () => isOver);
    assert.equal(next?.value, true);
    await long;
  });

  it('that another process has taken over is not removed by the one that lost it', async () => {
    const file = newFile();
    await withFileLock(file, { ...here, waitMs: 0 }, async () => writeFileSync(file, 'another'));
    assert.equal(readFileSync(file, 'utf8'), 'another');
  });
});
