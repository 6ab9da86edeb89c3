import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describeExit } from '../../../../src/connection/stdio/describeExit.ts';

describe('how a process ended, in words', () => {
  for (const [code, command, said] of [
    [0, 'x', 'exited with code 0'],
    [3, 'x', 'exited with code 3'],
    [9, '/usr/bin/node', 'exited with code 9 (Node.js: an option is unknown, or lacks its value)'],
    [9, 'sh', 'exited with code 9'],
    [125, 'docker', 'exited with code 125 (the container could not be run)'],
    [126, 'sh', 'exited with code 126 (a command was found, but could not be executed)'],
    [127, 'sh', 'exited with code 127 (a command was not found)'],
    [137, 'docker', 'exited with code 137 (SIGKILL, often for want of memory)'],
    [139, 'x', 'exited with code 139 (SIGSEGV, it crashed)'],
    [143, 'x', 'exited with code 143 (SIGTERM)'],
    [9009, 'cmd.exe', 'exited with code 9009 (a command was not found)'],
    [3221225781, 'x.exe', 'exited with code 0xC0000135 (a DLL that it needs was not found)'],
    [-1073741515, 'x.exe', 'exited with code 0xC0000135 (a DLL that it needs was not found)'],
    [3221225477, 'x.exe', 'exited with code 0xC0000005 (it crashed: access violation)'],
    [3221225595, 'x.exe', 'exited with code 0xC000007B (a program or DLL is for another processor)'],
    [3221225999, 'x.exe', 'exited with code 0xC000020F'],
  ] as const)
    it(`${command}, ${code}`, () => assert.equal(describeExit({ code, signal: null }, command), said));

  it('signals', () => {
    assert.equal(describeExit({ code: null, signal: 'SIGKILL' }), 'was ended by SIGKILL (often for want of memory)');
    assert.equal(describeExit({ code: null, signal: 'SIGTERM' }), 'was ended by SIGTERM');
  });

  it('as real processes end', () => {
    const ended = (command: string, ...args: string[]): string => {
      const { status, signal } = spawnSync(command, args, { stdio: 'ignore' });
      return describeExit({ code: status, signal }, command);
    };
    assert.match(ended('sh', '-c', 'no-such-command-here'), /127 \(a command was not found\)/);
    assert.match(ended('sh', '-c', '/'), /126 \(a command was found/);
    assert.match(ended(process.execPath, '--no-such-option'), /9 \(Node\.js/);
    assert.match(ended('sh', '-c', 'kill -9 $$'), /SIGKILL \(/);
  });
});
