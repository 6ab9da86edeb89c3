import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../support/eventually.ts';
import { TaskServer, textResult } from '../../../support/taskServer.ts';

interface Line {
  readonly id?: string;
  readonly handle?: string;
  readonly status?: string;
  readonly text?: string;
  readonly error?: string;
}

/** The core in a process of its own, and what it says. */
class TaskHost {
  readonly lines: Line[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;

  constructor(...args: readonly string[]) {
    const fixture = fileURLToPath(new URL('../../../fixtures/taskHost.ts', import.meta.url));
    this.child = spawn(process.execPath, [fixture, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = once(this.child, 'close');
    if (this.child.stdout)
      createInterface({ input: this.child.stdout }).on('line', (line) => this.lines.push(JSON.parse(line) as Line));
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

describe('a host that is killed in the middle of 200 tasks', function () {
  this.timeout(120_000);
  const server = new TaskServer();
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'killed-')));
  const file = path.join(folder, 'servers.json');
  const hosts: TaskHost[] = [];
  const host = (...args: readonly string[]): TaskHost => {
    const started = new TaskHost(folder, file, ...args);
    hosts.push(started);
    return started;
  };

  /** How many tasks have ended, the newest first, as they are asked for; and those that the server has said so of. */
  let released = 0;
  const fetched = new Set<string>();
  const release = (count: number): void => void (released = count);
  server.behaviour = ({ taskId, args }) => {
    if ([...server.tasks.keys()].reverse().indexOf(taskId) >= released) return { status: 'working' };
    fetched.add(taskId);
    return { status: 'completed', result: textResult(`done ${String(args['id'])}`) };
  };

  before(async () => {
    // 200 tasks are asked for, by as many hosts as there are.
    server.pollMs = 1_000;
    await server.start();
    const mcpServers = Object.fromEntries(
      (['core', 'extension'] as const).map((form) => [form, { type: 'http', url: server.url(form) }]),
    );
    writeFileSync(file, JSON.stringify({ mcpServers }));
  });
  after(async () => {
    for (const each of hosts) await each.kill();
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('and again while the next one fetches their results: every result is there once, and no call was made twice', async () => {
    const first = host('100');
    await eventually('all are handed over', () => first.lines.length === 200, 60_000);
    assert.deepEqual(
      first.lines.filter(({ handle }) => handle === undefined),
      [],
    );
    release(70);
    await eventually('some results are fetched', () => fetched.size >= 35, 60_000);
    await first.kill();
    const second = host();
    release(140);
    await eventually('some results are given', () => second.lines.length >= 60, 60_000);
    await second.kill();
    const third = host();
    release(200);
    await third.ended;
    const given = [...second.lines, ...third.lines].filter(({ text }) => text !== undefined);
    const idOf = new Map(first.lines.map(({ id, handle }) => [handle, id]));
    const expected = [...idOf].map(([handle, id]) => `${handle}: done ${id}`).sort();
    const texts = given.map(({ handle, text }) => `${handle}: ${text}`).sort();
    // The one that was given when its host was killed may not have come through; it can be asked for again.
    const missing = expected.filter((each) => !texts.includes(each));
    assert.ok(missing.length <= 1, missing.join('\n'));
    assert.deepEqual(
      texts,
      expected.filter((each) => !missing.includes(each)),
    );
    assert.deepEqual(
      third.lines.filter(({ status }) => status !== 'completed'),
      [],
    );
    assert.equal(third.lines.length, 200, 'also those that were given are still there');
    assert.equal(new Set(server.calls).size, 200);
    assert.equal(server.calls.length, 200);
  });
});
