import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { node24, root } from '../../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../../src/base/clock.ts';
import { GrantStore } from '../../../../src/connection/auth/grants/grantStore.ts';

const storeModule = pathToFileURL(join(root, 'src/connection/auth/grants/grantStore.ts')).href;
const clockModule = pathToFileURL(join(root, 'src/base/clock.ts')).href;

/** Nothing is kept. */
const secrets = `{
  get: async () => undefined, set: async () => undefined, delete: async () => undefined,
  onDidChange: () => ({ dispose: () => undefined }),
}`;

/** Another window, which runs `body` with a store of its own. */
function otherWindow(folder: string, body: string): ReturnType<typeof spawn> {
  const script = `
    import { GrantStore } from ${JSON.stringify(storeModule)};
    import { systemClock } from ${JSON.stringify(clockModule)};
    const options = { folder: ${JSON.stringify(folder)}, clock: systemClock, platform: process.platform };
    const store = new GrantStore({ ...options, secrets: ${secrets} });
    // The clock's timers keep no process alive.
    const alive = setInterval(() => undefined, 1000);
    ${body}
    clearInterval(alive);`;
  return spawn(node24, ['--input-type=module-typescript', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('what is kept of a sign-in is changed by one window at a time', () => {
  let folder = '';
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-lock-')))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const options = (): ConstructorParameters<typeof GrantStore>[0] => ({
    folder,
    clock: systemClock,
    platform: process.platform,
    secrets: {
      get: async () => undefined,
      set: async () => undefined,
      delete: async () => undefined,
      onDidChange: () => ({ dispose: () => undefined }),
    },
  });
  const window = (): GrantStore => new GrantStore(options());

  it('within a window, and over two of them in one process', async () => {
    const order: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    const [one, other] = [window(), window()];
    await Promise.all([
      one.exclusively('x', work('a')),
      one.exclusively('x', work('b')),
      other.exclusively('x', work('c')),
    ]);
    for (let at = 0; at < order.length; at += 2)
      assert.equal(order[at + 1], order[at]?.replace('begins', 'ends'), order.join(', '));
    assert.deepEqual(readdirSync(folder), ['machine']);
  });

  it('under one name, also where another window has made the file of the name and not yet written it', async () => {
    writeFileSync(join(folder, 'machine'), '');
    const key = await window().keyOf('x');
    assert.equal(await window().keyOf('x'), key);
    assert.notEqual(readFileSync(join(folder, 'machine'), 'utf8'), '');
  });

  it('under a name that could not be made once, and is made when it can be', async () => {
    mkdirSync(join(folder, 'machine'));
    const store = window();
    await assert.rejects(store.keyOf('x'), { code: 'unreachable', message: /can't be kept: .*machine/ });
    rmdirSync(join(folder, 'machine'));
    assert.equal(await store.keyOf('x'), await window().keyOf('x'));
  });

  it('under a name that stays where it can’t be read: what was kept under it would be lost', async () => {
    await window().keyOf('x');
    const before = readFileSync(join(folder, 'machine'), 'utf8');
    const stat = mock.method(fs, 'stat', async () => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    });
    await assert.rejects(window().keyOf('x'), { code: 'unreachable', message: /EMFILE/ });
    stat.mock.restore();
    assert.equal(readFileSync(join(folder, 'machine'), 'utf8'), before);
  });

  it('in no folder, which is said at once', async () => {
    writeFileSync(join(folder, 'file'), '');
    const nowhere = new GrantStore({ ...options(), folder: join(folder, 'file') });
    await assert.rejects(nowhere.keyOf('x'), { code: 'unreachable', message: /can't be kept/ });
  });

  it('in two processes at once: each of 40 changes counts', async () => {
    const body = `
      import { readFileSync, writeFileSync } from 'node:fs';
      const file = ${JSON.stringify(join(folder, 'count'))};
      for (let n = 0; n < 20; n++)
        await store.exclusively('x', async () => {
          let count = 0;
          try { count = Number(readFileSync(file, 'utf8')); } catch {}
          await new Promise((resolve) => setTimeout(resolve, 1));
          writeFileSync(file, String(count + 1));
        });
      console.log(readFileSync(file, 'utf8'));`;
    const counts = await Promise.all([otherWindow(folder, body), otherWindow(folder, body)].map(outputOf));
    assert.equal(Math.max(...counts.map(Number)), 40);
  });

  it('kill -9 during the work: the next one doesn’t wait', async () => {
    const child = otherWindow(
      folder,
      `await store.exclusively('x', async () => { console.log('holds'); await new Promise((r) => setTimeout(r, 60_000)); });`,
    );
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    assert.equal(await window().exclusively('x', async () => 'done'), 'done');
    assert.equal(await window().exclusively('x', async () => 'again'), 'again');
  });

  it('work that fails lets go', async () => {
    const one = window();
    await assert.rejects(one.exclusively('x', async () => Promise.reject(new Error('no'))));
    assert.equal(await window().exclusively('x', async () => 'done'), 'done');
  });
});

async function outputOf(child: ReturnType<typeof spawn>): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  await new Promise((resolve) => child.once('close', resolve));
  return text.trim();
}
