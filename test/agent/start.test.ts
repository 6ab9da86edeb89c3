import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { launchBrowser, newPage, openWorkbench, sendChat, waitForModel } from '../../scripts/lib/browser.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { ProcessTree } from '../../scripts/lib/process-tree.mjs';
import { eventually } from '../support/eventually.ts';
import { repositoryCopy } from '../support/repositoryCopy.ts';

describe('npm start', () => {
  let copy: ReturnType<typeof repositoryCopy>;
  let scratch: string;
  let started: Started | undefined;
  /** `npm start`, which builds, in a copy. */
  const start = (args: readonly string[], path: string): Started => (started = new Started(copy.path, args, path));

  before(() => {
    copy = repositoryCopy();
  });

  after(() => copy.remove());

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'npm-start-'));
  });

  afterEach(async () => {
    await started?.interrupt();
    started = undefined;
    rmSync(scratch, { recursive: true, force: true });
  });

  it('opens the demo in desktop VS Code where `code` is on the PATH', async () => {
    const record = join(scratch, 'arguments');
    const fake = join(scratch, 'code');
    writeFileSync(fake, `#!/bin/sh\nfor argument; do echo "$argument"; done > "${record}"\n`);
    chmodSync(fake, 0o755);
    const npm = start([], `${scratch}${delimiter}${pathWithoutCode()}`);

    const output = await npm.printed(/Ctrl-C ends this script/);
    assert.match(output, /Opened .*demo in desktop VS Code/);
    assert.deepEqual(readFileSync(record, 'utf8').trim().split('\n'), [
      '--new-window',
      `--extensionDevelopmentPath=${copy.path}`,
      `--extensionDevelopmentPath=${join(copy.path, 'scripts', 'demo-model')}`,
      join(copy.path, 'demo'),
    ]);
    assert.equal(npm.isRunning, true);
    assert.deepEqual(await npm.interrupt(), []);
  });

  it('serves the demo to a browser otherwise, with a chat that answers, and leaves nothing behind', async () => {
    const npm = start([], pathWithoutCode());
    const output = await npm.printed(/http:\/\/127\.0\.0\.1:\d+\/\S+/);
    const address = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(output)?.[0] ?? '';
    // Others on this machine, and pages in a browser, don't know the token: they could run programs by the editor.
    const withoutToken = address.replace(/tkn=\w+&/, '');
    assert.notEqual(withoutToken, address);
    assert.equal((await fetch(withoutToken)).status, 403);
    assert.equal((await fetch(address, { redirect: 'manual' })).status, 302);

    const browser = await launchBrowser();
    try {
      const page = await newPage(browser);
      await openWorkbench(page, address);
      await waitForModel(page);
      await sendChat(page, 'hello');
      const answer = page.locator('.interactive-session .interactive-response:visible', {
        hasText: 'scripted demo model',
      });
      mkdirSync(join(root, 'out', 'screenshots'), { recursive: true });
      try {
        await answer.first().waitFor();
      } finally {
        await page.screenshot({ path: join(root, 'out', 'screenshots', 'npm-start.png') });
      }
    } finally {
      await browser.close();
    }
    assert.deepEqual(await npm.interrupt(), []);
    await assert.rejects(fetch(address));
  });

  it('says so when an option is unknown', async () => {
    const npm = start(['--prot', '1'], pathWithoutCode());
    assert.match(await npm.printed(/Unknown option/), /Unknown option '--prot'/);
  });
});

/** A PATH as on a machine without desktop VS Code: folders that have a `code` are replaced by nothing. */
function pathWithoutCode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !exists(join(folder, 'code'))).join(delimiter);
}

function exists(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

/** `npm start` as in a terminal: a group of its own, which gets the Ctrl-C as a whole. */
class Started {
  readonly #child: ChildProcess;
  readonly #tree: ProcessTree;
  #output = '';

  constructor(folder: string, args: readonly string[], path: string) {
    this.#child = spawn('npm', ['start', '--', ...args], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path },
    });
    this.#child.stdout?.on('data', (chunk) => (this.#output += String(chunk)));
    this.#child.stderr?.on('data', (chunk) => (this.#output += String(chunk)));
    this.#tree = new ProcessTree(this.#child.pid);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async printed(pattern: RegExp, timeoutMs = 240_000): Promise<string> {
    await eventually(
      `npm start prints ${pattern}`,
      () => {
        const isPrinted = pattern.test(this.#output);
        assert.ok(isPrinted || this.isRunning, `npm start ended:\n${this.#output}`);
        return isPrinted;
      },
      timeoutMs,
    );
    return this.#output;
  }

  /** Ctrl-C. Gives the processes that were still there half a minute later, and ends them. */
  async interrupt(): Promise<string[]> {
    if (this.isRunning && this.#child.pid) process.kill(-this.#child.pid, 'SIGINT');
    const left = await this.#tree.ended(30_000);
    this.#tree.kill();
    return left.map(({ command }) => command);
  }
}
