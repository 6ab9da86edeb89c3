import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { parsePs, readProcessTable, type ProcessRow } from '../../../../src/connection/process/processTable.ts';
import { findEscaped } from '../../../../src/connection/process/escapedProcesses.ts';
import { eventually as until } from '../../../support/eventually.ts';
import { eventually, fixture, isAlive, pidsIn, PoolHarness, SHORT_GRACE, temporaryFolder } from '../harness.ts';

const row = (pid: number, parent: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent,
  group: pid,
  session: pid,
  start: String(pid),
  name: 'node',
  isApplication: false,
  ...more,
});
const pidsOf = (rows: readonly ProcessRow[]): number[] => rows.map(({ pid }) => pid);
const isMark = (mark: string): boolean => mark === 'host.1';

describe('a process that left the process group of its server', () => {
  const leader = 100;

  it('is found by its ancestors, by its mark, and because it was found before', () => {
    const rows = [
      row(leader, 7),
      row(101, leader, { group: leader }),
      row(102, 101),
      row(103, 102),
      row(104, 1, { mark: 'host.1' }),
      row(105, 1, { mark: 'host.2' }),
      row(106, 1),
      row(107, 1, { start: 'later' }),
    ];
    const known = [row(106, 102), row(107, 102)];
    assert.deepEqual(pidsOf(findEscaped(rows, { leader, isMark, known })), [102, 103, 104, 106]);
  });

  it('is not what was opened for the user, nor this process, nor the first one', () => {
    const rows = [
      row(leader, 7),
      row(101, leader, { name: 'xdg-open' }),
      row(102, 101, { session: 101, mark: 'host.1' }),
      row(103, 102, { session: 101 }),
      row(104, leader, { isApplication: true, mark: 'host.1' }),
      row(1, leader, { mark: 'host.1' }),
      row(process.pid, leader, { mark: 'host.1' }),
    ];
    assert.deepEqual(findEscaped(rows, { leader, isMark }), []);
  });

  it('is told by what it inherited, which nobody reads of this process’s own children', async () => {
    const mark = 'told.1';
    const shell = spawn('/bin/sh', ['-c', 'sleep 60 & wait'], {
      env: { MCP_SWITCHBOARD_SERVER: mark },
      detached: true,
    });
    const pid = shell.pid ?? 0;
    try {
      const marks = async (): Promise<readonly (string | undefined)[]> => {
        const rows = await readProcessTable(process.platform, 'younger');
        return rows.filter(({ group }) => group === pid).map((each) => each.mark);
      };
      await until('both run', async () => (await marks()).length === 2);
      const ofChild = process.platform === 'linux' ? undefined : mark;
      assert.deepEqual(new Set(await marks()), new Set([ofChild, mark]));
    } finally {
      process.kill(-pid, 'SIGKILL');
    }
  });

  it('is nothing where parents go round in a circle', () => {
    assert.deepEqual(findEscaped([row(5, 6), row(6, 5)], { leader, isMark }), []);
  });

  it('is seen in what ps of macOS prints', () => {
    const text = `
    1     0     1 Sat Nov 28 01:00:00 2026     /sbin/launchd
  812   811   811 Sat Nov 28 01:02:03 2026     node server.js HOME=/Users/ada MCP_SWITCHBOARD_SERVER=host.1 LANG=en
  900     1   900 Sat Nov  7 11:02:03 2026     /usr/bin/python3 -m thing MCP_SWITCHBOARD_SERVER=host.10
  901     1   901 Sat Nov  7 11:02:04 2026     (sleep)
nonsense
`;
    const rows = parsePs(text);
    assert.deepEqual(
      rows.map(({ pid, parent, group, start, mark }) => [pid, parent, group, start, mark]),
      [
        [1, 0, 1, 'Sat Nov 28 01:00:00 2026', undefined],
        [812, 811, 811, 'Sat Nov 28 01:02:03 2026', 'host.1'],
        [900, 1, 900, 'Sat Nov  7 11:02:03 2026', 'host.10'],
        [901, 1, 901, 'Sat Nov  7 11:02:04 2026', undefined],
      ],
    );
    assert.deepEqual(pidsOf(findEscaped(rows, { isMark })), [812]);
  });

  it('is not looked for on Windows', async () => {
    assert.deepEqual(await readProcessTable('win32', 'all'), []);
  });
});

describe('a browser that a server opened', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('stays open when the server stops', async () => {
    const opener = folder.file('xdg-open');
    const file = folder.file('pid');
    writeFileSync(opener, `#!/bin/sh\nsh -c 'echo $$ > ${file}; exec sleep 600'\n`);
    chmodSync(opener, 0o755);
    const harness = new PoolHarness();
    const server = await harness.connect(fixture('faulty', 'opens-browser', opener));
    await eventually(() => pidsIn(file).length === 1, 'the browser');
    const [browser = 0] = pidsIn(file);
    await harness.end(SHORT_GRACE);
    assert.equal(server.state.kind, 'disconnected');
    assert.ok(isAlive(browser));
    process.kill(browser, 'SIGKILL');
  });
});
