import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { LoginShell, mergePaths } from '../../../../src/connection/start/loginShell.ts';
import { eventually, readText, temporaryFolder } from '../harness.ts';
import { ManualClock } from '../manualClock.ts';

describe('the PATH of the login shell', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());
  const ask = (
    hostEnvironment: NodeJS.ProcessEnv,
    more: Partial<ConstructorParameters<typeof LoginShell>[0]> = {},
  ): Promise<string | undefined> =>
    new LoginShell({
      platform: 'linux',
      hostEnvironment,
      homeDir: folder.path,
      clock: systemClock,
      databaseShell: () => undefined,
      folders: async () => [],
      ...more,
    }).path();
  /** A shell whose start-up files are `script`; it runs the last of its arguments. */
  const shell = (script: string): string => {
    const file = folder.file(`shell-${Math.random()}`);
    writeFileSync(file, `#!/bin/sh\n${script}\nfor last; do :; done\neval "$last"\n`);
    chmodSync(file, 0o755);
    return file;
  };

  it('comes before what only the host has', async () => {
    const SHELL = shell('echo hello; PATH=/login:/usr/bin; export PATH');
    assert.equal(await ask({ SHELL, PATH: '/usr/bin:/host' }), '/login:/usr/bin:/host');
  });

  it('is not asked for on Windows, without a shell, or where the editor comes from a terminal', async () => {
    const SHELL = shell('PATH=/login; export PATH');
    assert.equal(await ask({ SHELL, Path: 'C:\\x' }, { platform: 'win32' }), 'C:\\x');
    assert.equal(await ask({ PATH: '/x' }), '/x');
    assert.equal(await ask({ SHELL, PATH: '/x', VSCODE_CLI: '1' }), '/x');
  });

  it("is the host's where the shell fails", async () => {
    assert.equal(await ask({ SHELL: '/no/such/shell', PATH: '/x' }), '/x');
    assert.equal(await ask({ SHELL: shell('exit 3'), PATH: '/x' }), '/x');
  });

  it('is of the shell in the user database where SHELL is unset, or nobody’s shell', async () => {
    const own = shell('PATH=/login; export PATH');
    const databaseShell = (): string => own;
    assert.equal(await ask({ PATH: '/x' }, { databaseShell }), '/login:/x');
    assert.equal(await ask({ PATH: '/x', SHELL: '/usr/sbin/nologin' }, { databaseShell }), '/login:/x');
    assert.equal(await ask({ PATH: '/x' }, { databaseShell: () => '/bin/false' }), '/x');
  });

  it('ends with the folders of installers, each folder once', async () => {
    const folders = async (): Promise<readonly string[]> => ['/opt/homebrew/bin', '/x'];
    assert.equal(await ask({ PATH: '/x' }, { folders }), '/x:/opt/homebrew/bin');
  });

  it('is asked for once', async () => {
    const count = folder.file('count');
    const login = new LoginShell({
      platform: 'linux',
      hostEnvironment: { SHELL: shell(`printf . >> '${count}'`), PATH: '/usr/bin' },
      homeDir: folder.path,
      clock: systemClock,
    });
    await Promise.all([login.path(), login.path()]);
    assert.equal(readText(count), '.');
  });

  for (const [what, script] of [
    ['a line that looks like the path', 'echo PATH=/none; echo __switchboard_path__'],
    ['a prompt without an end of line', 'printf "prompt> "'],
    ['a title for the terminal', 'printf "\\033]0;title\\007"'],
    ['a variable with a path on its second line', 'X="a\nPATH=/none"; export X'],
    ['the command that it runs', 'for last; do :; done; echo "$last"'],
    ['the command twice in a line, as in a title', 'for last; do :; done; printf "\\033]0;%s\\007%s" "$last" "$last"'],
    [
      'the command in quotes',
      `printf '%s' '"__switchboard_path__\\\${PATH}__switchboard_path__\\" __switchboard_path__'`,
    ],
    ['a question that nobody answers', 'read answer'],
    ['a process that goes on and holds the output', 'sleep 60 &'],
    ['no end of its own', 'trap "sleep 60" EXIT'],
  ] as const)
    it(`is found behind ${what}`, async () => {
      const SHELL = shell(`${script}\nPATH=/login:/usr/bin; export PATH`);
      // Its time-out never comes; a moment after the path, what goes on is killed.
      const clock: Clock = {
        ...systemClock,
        schedule: (ms, call) => systemClock.schedule(ms > 1000 ? 600_000 : ms, call),
      };
      assert.equal(await ask({ SHELL, PATH: '/usr/bin:/host' }, { clock }), '/login:/usr/bin:/host');
    });

  for (const first of ['node_modules/.bin', '~/bin', '.', '', '$HOME/bin', '..'])
    it(`is found where it begins with “${first}”`, async () => {
      const SHELL = shell(`trap "sleep 60" EXIT\nPATH='${first}:/login:/usr/bin:/bin'; export PATH`);
      const schedule: Clock['schedule'] = (ms, call) => systemClock.schedule(ms > 1000 ? 600_000 : ms, call);
      const found = await ask({ SHELL, PATH: '/usr/bin:/host' }, { clock: { ...systemClock, schedule } });
      assert.equal(found, '/login:/usr/bin:/bin:/host');
    });

  it('is given up without leaving the lock of a version manager behind', async () => {
    const lock = folder.file('lock');
    const manager = shell(`trap "rm -f '${lock}'; exit" TERM; : > '${lock}'; sleep 60 & wait`);
    const clock = new ManualClock();
    const asked = ask({ SHELL: shell(manager), PATH: '/usr/bin:/bin' }, { clock });
    await eventually(() => existsSync(lock), 'the lock');
    clock.advance(10_000);
    await eventually(() => !existsSync(lock), 'the lock to be gone');
    // What it was just starting when it was told to end goes after the grace.
    clock.advance(1_000);
    assert.equal(await asked, '/usr/bin:/bin');
  });

  it('is that of a start-up file that starts another shell unless the editor asks', async () => {
    const other = shell('PATH=/other; export PATH; exit');
    const SHELL = shell(`[ -n "$VSCODE_RESOLVING_ENVIRONMENT" ] || exec ${other}\nPATH=/login; export PATH`);
    assert.equal(await ask({ SHELL, PATH: '/x' }), '/login:/x');
  });

  for (const SHELL of ['/bin/sh', '/bin/bash', '/bin/zsh'].filter((file) => existsSync(file)))
    it(`is what the start-up files of ${SHELL} make of it`, async () => {
      for (const name of ['.profile', '.zprofile']) writeFileSync(folder.file(name), 'PATH=/of-profile:$PATH\n');
      const found = await ask({ SHELL, HOME: folder.path, PATH: '/usr/bin:/bin:/host' });
      assert.ok(found !== undefined && found.startsWith('/of-profile:'), found);
      assert.ok(found.split(':').includes('/host'), found);
    });

  it('has each folder once', () => {
    assert.equal(mergePaths(['/a:/b', '/b::/c'], 'linux'), '/a:/b:/c');
  });
});
