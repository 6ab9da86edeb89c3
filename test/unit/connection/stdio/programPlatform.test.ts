import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtFor } from '../../../../src/connection/stdio/programPlatform.ts';
import { spawnServer } from '../../../../src/connection/stdio/spawnServer.ts';
import { onWindowsPath, windowsLaunch } from '../../../../src/connection/stdio/windowsCommand.ts';
import { PoolHarness, target, temporaryFolder } from '../harness.ts';

/** The beginning of a program, as linkers write it. */
const elf = (machine: number): Buffer => {
  const head = Buffer.alloc(64);
  head.write('\u007fELF', 'latin1');
  head.set([2, 1, 1], 4);
  head.writeUInt16LE(machine, 18);
  return head;
};
const mach = (type: number): Buffer => {
  const head = Buffer.alloc(64);
  head.writeUInt32BE(0xcffaedfe);
  head.writeUInt32LE(type, 4);
  return head;
};

describe('what a program is built for', () => {
  it('by its first bytes', () => {
    assert.deepEqual(builtFor(elf(0xb7)), { platform: 'linux', arch: 'arm64' });
    assert.deepEqual(builtFor(elf(0x3e)), { platform: 'linux', arch: 'x64' });
    assert.deepEqual(builtFor(mach(0x0100000c)), { platform: 'darwin', arch: 'arm64' });
    assert.deepEqual(builtFor(Buffer.from('MZ'.padEnd(64, '\0'))), { platform: 'win32' });
    assert.equal(builtFor(Buffer.from('#!/usr/bin/env node\nconsole.log(1);')), undefined);
    assert.equal(builtFor(Buffer.alloc(0)), undefined);
  });

  it('this very Node is built for this machine', () =>
    assert.deepEqual(builtFor(readFileSync(process.execPath).subarray(0, 64)), {
      platform: process.platform,
      arch: process.arch,
    }));
});

describe('a command that this machine can’t run', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  let harness: PoolHarness;
  beforeEach(() => (harness = new PoolHarness()));
  afterEach(() => harness.end());
  after(() => folder.remove());

  const failureOf = async (command: string): Promise<string> => {
    harness.pool.reconcile([target('server', { type: 'stdio', command, args: [], env: {} })]);
    await harness.pool.connect('server');
    const { state } = harness.server();
    assert.ok(state.kind === 'failed' || state.kind === 'pending');
    return `${state.failure.message} ${state.failure.remedy ?? ''}`;
  };
  const program = (name: string, content: string | Buffer): string => {
    const file = folder.file(name);
    writeFileSync(file, content);
    chmodSync(file, 0o755);
    return file;
  };

  it('is built for another processor', async () => {
    const [machine, arch] = process.arch === 'x64' ? [0xb7, 'arm64'] : [0x3e, 'x64'];
    const text = await failureOf(program('other-processor', elf(machine)));
    assert.match(text, new RegExp(`built for Linux ${arch}, and this is \\w+ ${process.arch}`));
    assert.match(text, /Install the build for this system and processor/);
  });

  it('is built for macOS', async () =>
    assert.match(await failureOf(program('of-macos', mach(0x0100000c))), /built for macOS arm64, and this is/));

  it('is a folder', async () => {
    mkdirSync(folder.file('dir'));
    assert.match(await failureOf(folder.file('dir')), /is a folder\. Name a program in it\./);
  });

  it('has a path of another system', async () => {
    assert.match(
      await failureOf('C:\\Program Files\\nodejs\\node.exe'),
      /a path of Windows, and this isn't Windows\..*\/mnt\/c\/Program Files\/nodejs\/node\.exe/,
    );
    await assert.rejects(
      spawnServer({ command: '/usr/bin/node-of-nowhere', args: [], env: {}, cwd: folder.path }, 'win32'),
      /path of Linux or macOS, and this is Windows/,
    );
  });
});

describe('PowerShell scripts on Windows', () => {
  const environment = { Path: 'C:\\one;C:\\two', PATHEXT: '.EXE;.CMD' };
  const on =
    (...files: string[]): ((file: string) => Promise<boolean>) =>
    async (file) =>
      files.includes(file);

  it('are found by their names, behind what runs by itself', async () => {
    assert.equal(await onWindowsPath('tool', environment, on('C:\\two\\tool.ps1')), 'C:\\two\\tool.ps1');
    assert.equal(await onWindowsPath('tool.ps1', environment, on('C:\\two\\tool.ps1')), 'C:\\two\\tool.ps1');
    const both = on('C:\\one\\npx.ps1', 'C:\\one\\npx.CMD');
    assert.equal(await onWindowsPath('npx', environment, both), 'C:\\one\\npx.CMD');
  });

  it('are run by PowerShell, which Windows doesn’t do by itself', () => {
    assert.deepEqual(windowsLaunch('C:\\two\\tool.ps1', ['-a', 'b c']), [
      ...['powershell.exe', ['-NoProfile', '-NonInteractive', '-File', 'C:\\two\\tool.ps1', '-a', 'b c']],
    ]);
    assert.deepEqual(windowsLaunch('C:\\one\\npx.CMD', ['x']), ['C:\\one\\npx.CMD', ['x']]);
  });
});
