import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseProcesses, stillRunning } from '../../../../src/connection/process/windowsWatchdog.ts';
import { eventually } from '../../../support/eventually.ts';
import { isAlive, temporaryFolder } from '../harness.ts';

/** A server that began at 100,000 and was noted 300 ms later. */
const NOTED = new Map([[10, 100_300]]);
const row = (pid: number, parent: number, startMs: number) => ({ pid, parent, startMs });

describe('the watchdog on Windows ends', () => {
  const cases: readonly [what: string, rows: readonly ReturnType<typeof row>[], left: readonly number[]][] = [
    ['a server', [row(1, 0, 0), row(10, 1, 100_000), row(11, 1, 100_000)], [10]],
    ['and all that it started', [row(30, 20, 102_000), row(10, 1, 100_000), row(20, 10, 101_000)], [10, 20, 30]],
    ['what a server left that has ended', [row(20, 10, 100_500), row(30, 20, 900_000)], [20, 30]],
    ['not a process that has got the id since', [row(10, 1, 200_000)], []],
    ['nor what that started', [row(10, 1, 200_000), row(20, 10, 200_500)], []],
    ['but what the server left, whoever has its id', [row(10, 1, 200_000), row(20, 10, 150_000)], [20]],
    ['not what is older than the server', [row(20, 10, 50_000)], []],
    ['not what was started by a process of its that is gone, as browsers are', [row(10, 1, 100_000), row(40, 30, 101_000)], [10]], // prettier-ignore
  ];
  for (const [what, rows, left] of cases)
    it(what, () => {
      const pids = stillRunning(rows, NOTED).map(({ pid }) => pid);
      assert.deepEqual(pids, left);
    });

  it('by a table whose lines may be of any kind', () => {
    assert.deepEqual(parseProcesses('0 0 1764460800000\r\n7 4 1764460800123 \r\nGet-CimInstance : Access denied\n\n'), [
      row(0, 0, 1_764_460_800_000),
      row(7, 4, 1_764_460_800_123),
    ]);
  });
});

/** With stand-ins for the two programs of Windows that it asks; the processes and their death are real. */
describe('the watchdog on Windows, as a process,', function () {
  this.timeout(90_000);
  const folder = temporaryFolder();
  const reaper = join(import.meta.dirname, '../../../../src/connection/process/killOnHostExit.ts');
  const bin = folder.file('bin');

  before(() => {
    mkdirSync(bin);
    const program = (name: string, text: string): void =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program(
      'powershell.exe',
      existsSync('/proc/self/stat')
        ? // proc(5): since when the machine runs, and hundredths of seconds from then on; a name can hold anything.
          `boot=$(awk '/^btime/ { print $2 }' /proc/stat)
cat /proc/[0-9]*/stat 2>/dev/null | sed -n 's/^\\([0-9]*\\) (.*) /\\1 /p' | awk -v boot="$boot" '{ printf "%d %d %.0f\\n", $1, $3, boot * 1000 + $21 * 10 }'`
        : `ps -axo pid=,ppid=,etimes= | awk -v now=$(date +%s) '{ printf "%d %d %.0f\\n", $1, $2, (now - $3) * 1000 }'`,
    );
    program('taskkill', 'for word in "$@"; do case $word in [0-9]*) kill -KILL "$word" ;; esac; done');
  });
  after(() => folder.remove());

  /** A host with a server that heeds nothing and has started a process; the pids of those two, and how the host is told to do something. */
  async function hostWithServer(more = '') {
    const script = `
      import { spawn, spawnSync } from 'node:child_process';
      import { Reaper } from ${JSON.stringify(reaper)};
      const reaper = new Reaper('win32', 'mark');
      const deaf = "trap '' TERM HUP; sleep 600 & echo $$ $!; wait; sleep 600";
      const server = spawn('/bin/sh', ['-c', deaf], { stdio: ['pipe', 'inherit', 'ignore'], detached: true });
      reaper.watch(server.pid);
      process.stdin.once('data', () => { ${more} });
    `;
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const host = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [said] = (await once(host.stdout, 'data')) as [Buffer];
    const pids = String(said).trim().split(' ').map(Number);
    assert.ok(pids.length === 2 && pids.every(isAlive));
    const hasWatchdog = (): boolean =>
      spawnSync('pgrep', ['-P', String(host.pid), '-f', 'windowsWatchdog']).status === 0;
    await eventually('the watchdog', hasWatchdog);
    return { host, pids };
  }

  it('ends a server with what it started when the host is killed', async () => {
    const { host, pids } = await hostWithServer();
    // What the watchdog was told is read before the end of its input.
    host.kill('SIGKILL');
    await eventually('the server and its process to go', () => !pids.some(isAlive), 15_000);
  });

  it('ends what a server left when the host says that it has ended, and the host goes on', async () => {
    const { host, pids } = await hostWithServer('reaper.release(server.pid);');
    host.stdin.write('go\n');
    await eventually('what is left to go', () => !pids.some(isAlive), 15_000);
    assert.ok(isAlive(host.pid ?? 0));
    host.kill('SIGKILL');
  });
});
