import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseCimUse, parsePsUse, readProcessUse } from '../../../../src/connection/process/processUsage.ts';

const MB = 1024 * 1024;

describe('connection/processUsage', () => {
  it('measures a process and what it started', async function () {
    if (process.platform === 'win32') this.timeout(20_000);
    const inner = "setInterval(() => {}, 1000); process.stdout.write('x')";
    const outer = `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}]);
      c.stdout.on('data', () => { while (process.cpuUsage().user < 150_000); process.stdout.write('ready'); });
      process.on('SIGTERM', () => { c.kill(); process.exit(); });`;
    const child = spawn(process.execPath, ['-e', outer], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      const use = await readProcessUse(child.pid ?? 0, process.platform);
      assert.ok(use);
      assert.equal(use.processes, 2);
      assert.ok(use.memoryBytes > 20 * MB && use.memoryBytes < 1_000 * MB, String(use.memoryBytes));
      assert.ok(use.cpuMs >= 140 && use.cpuMs < 30_000, String(use.cpuMs));
    } finally {
      child.kill();
      await once(child, 'exit');
    }
    assert.equal(await readProcessUse(child.pid ?? 0, process.platform), undefined);
  });

  it('adds up what ps of macOS prints', async () => {
    const text =
      '    1     0   9000   0:10.00\n  500     1  20480   0:01.50\n  501   500  10240  1:02:03.25\n  502   501   1024 2-00:00:01.00\n';
    assert.deepEqual(
      parsePsUse(text).map(({ cpuMs }) => cpuMs),
      [10_000, 1_500, 3_723_250, 172_801_000],
    );
    const asked: string[] = [];
    const use = await readProcessUse(500, 'darwin', async (file, args) => {
      asked.push([file, ...args].join(' '));
      return text;
    });
    assert.deepEqual(asked, ['/bin/ps -axo pid=,ppid=,rss=,time=']);
    assert.deepEqual(use, { memoryBytes: 31 * MB, cpuMs: 1_500 + 3_723_250 + 172_801_000, processes: 3 });
  });

  it('adds up what PowerShell prints', async () => {
    const text = '4 0 100 200\r\n500 4 20971520 15000000\r\n501 500 1048576 5000000\r\nnoise\r\n';
    assert.equal(parseCimUse(text).length, 3);
    const use = await readProcessUse(500, 'win32', async (file, args) => {
      assert.match(file, /powershell\.exe$/);
      assert.ok(args.includes('-NoProfile') && args.includes('-NonInteractive'));
      return text;
    });
    assert.deepEqual(use, { memoryBytes: 21 * MB, cpuMs: 2_000, processes: 2 });
  });

  it('is silent where nothing can be measured', async () => {
    const fails = async (): Promise<string> => Promise.reject(new Error('no such program'));
    assert.equal(await readProcessUse(1, 'darwin', fails), undefined);
    assert.equal(await readProcessUse(1, 'win32', fails), undefined);
    assert.equal(await readProcessUse(1, 'freebsd', fails), undefined);
  });
});
