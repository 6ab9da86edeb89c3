import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { LaunchFolders } from '../../../src/config/sources/launchFolders.ts';
import { buildEnvironment } from '../../../src/connection/start/serverEnvironment.ts';
import { onWindowsPath, windowsLaunch } from '../../../src/connection/stdio/windowsCommand.ts';
import { fixture, isAlive, PoolHarness, readText, SHORT_GRACE, temporaryFolder } from './harness.ts';
import type { ServerEntry, SourceResult } from '../../../src/config/configTypes.ts';
import { sourceOf } from '../config/sources.ts';

/** A server in Linux, started on Windows through `wsl`: here a script of that name, which passes on what WSL passes on. */
describe('a server that `wsl` starts', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  const bin = folder.file('bin');
  const wsl = join(bin, 'wsl');
  const asked = folder.file('asked');
  const path = process.env['PATH'];

  before(() => {
    mkdirSync(bin);
    const program = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    program(
      'wsl',
      String.raw`[ "$2" = Ubuntu ] || {
  [ "$WSL_UTF8" = 1 ] && encode=cat || encode="iconv -t UTF-16LE"
  printf 'There is no distribution with the supplied name.\r\nError code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\r\n' | $encode
  exit 255
}
pwd > ${folder.file('cwd')}
echo "$WSLENV" > ${folder.file('wslenv')}
shift 2
set -- PATH="$PATH" "$@"
for name in $(echo "$WSLENV" | sed 's#/[a-z]*##g; s#:# #g'); do
  eval "set -- \"$name=\$$name\" \"\$@\""
done
exec env -i "$@"`,
    );
    program('taskkill', `echo "$@" >> ${asked}; kill -KILL "$2"`);
    process.env['PATH'] = `${bin}${delimiter}${path}`;
  });
  beforeEach(() => writeFileSync(asked, ''));
  after(() => {
    process.env['PATH'] = path;
    folder.remove();
  });

  const inUbuntu = (more: readonly string[] = []): ReturnType<typeof fixture> => {
    const { command, args } = fixture('faulty', ...more);
    return { type: 'stdio', command: wsl, args: ['-d', 'Ubuntu', command, ...args], env: {} };
  };
  const onWindows = (hostEnvironment: NodeJS.ProcessEnv = process.env): PoolHarness =>
    new PoolHarness({ reconnect: { maxAttempts: 0 } }, { platform: 'win32', hostEnvironment });

  it('connects, in its folder, and gets the variables of its definition', async () => {
    const harness = onWindows({ ...process.env, WSLENV: 'EDITOR/p' });
    const spec = { ...inUbuntu(), cwd: `~/${basename(folder.path)}`, env: { API_KEY: 'a b', 'odd name': 'x' } };
    const server = await harness.connect(spec);
    assert.equal(server.state.kind, 'connected');
    assert.equal(readText(folder.file('cwd')).trim(), folder.path);
    assert.equal(readText(folder.file('wslenv')).trim(), 'EDITOR/p:API_KEY/u');
    const pid = server.session?.info.pid ?? 0;
    assert.match(readText(`/proc/${pid}/environ`), /(?:^|\0)API_KEY=a b\0/);
    await harness.end();
    assert.ok(!isAlive(pid));
    assert.equal(readText(asked), '', 'the end of its input was enough');
  });

  it('is ended by Windows with all that it started where its input isn’t enough', async () => {
    const harness = onWindows();
    const server = await harness.connect(inUbuntu(['ignore-eof']));
    const pid = server.session?.info.pid ?? 0;
    await harness.end(SHORT_GRACE);
    assert.ok(!isAlive(pid));
    assert.equal(readText(asked), `/pid ${pid} /T /F\n`);
  });

  for (const utf8 of ['1', '0'])
    it(`says that there is no such distribution, which it writes on stdout (WSL_UTF8=${utf8})`, async () => {
      const harness = onWindows();
      const server = await harness.connect({ ...inUbuntu(), args: ['-d', 'Nope', 'node'], env: { WSL_UTF8: utf8 } });
      const { state } = server;
      assert.ok(state.kind === 'failed');
      assert.match(
        state.failure.message,
        /code 255 before it was ready: There is no distribution with the supplied name\.$/,
      );
      assert.equal(state.failure.remedy, 'Name a distribution that `wsl --list` shows.');
      await harness.end();
    });

  it('isn’t started in a folder of Linux, and is told of before anybody starts it', async () => {
    const cwd = '/home/me/app';
    const remedy = '`cwd` is a folder of Windows. Remove it, and write "--cd", "/home/me/app" first in "args".';
    const harness = onWindows();
    const { state } = await harness.connect({ ...inUbuntu(), cwd });
    assert.ok(state.kind === 'failed' && state.failure.code === 'cwd-not-found');
    assert.equal(state.failure.remedy, remedy);
    await harness.end();
    const source = sourceOf({ file: '/w/mcp.json' });
    const entry = {
      ...{ name: 'a', scope: 'user', source, disabled: false },
      range: { sourceId: source.id, line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, length: 0 },
      transport: { type: 'stdio', command: 'wsl.exe', args: [], env: {}, cwd },
    } as unknown as ServerEntry;
    const result: SourceResult = { source, status: 'found', entries: [entry], problems: [], stale: false };
    const context = { platform: 'win32', env: {}, userHome: 'C:\\Users\\me', workspaceFolders: [] } as const;
    const folders = new LaunchFolders(
      { watch: () => ({ dispose: () => undefined }) },
      () => context,
      () => undefined,
    );
    const [added] = await folders.addTo([result]);
    folders.dispose();
    assert.deepEqual(
      added?.problems.map(({ code, fix }) => [code, fix]),
      [['cwd-not-found', remedy]],
    );
  });

  it('is found as Windows finds it', async () => {
    const system = 'C:\\Windows\\System32';
    const environment = { Path: `C:\\tools;${system}`, PATHEXT: '.COM;.EXE' };
    const isFile = async (file: string): Promise<boolean> => file.toLowerCase() === `${system}\\wsl.exe`.toLowerCase();
    for (const command of ['wsl', 'wsl.exe']) {
      const found = await onWindowsPath(command, environment, isFile);
      assert.equal(found?.toLowerCase(), `${system}\\wsl.exe`.toLowerCase());
      assert.deepEqual(windowsLaunch(found ?? '', ['-d', 'Ubuntu', 'node']), [found, ['-d', 'Ubuntu', 'node']]);
    }
  });

  it('what its definition says of WSLENV counts, and no other command gets it', () => {
    const of = (command: string, entry: Record<string, string>): Record<string, string> =>
      buildEnvironment({ scope: 'project', platform: 'win32', host: {}, entry, command });
    assert.equal(of('C:\\Windows\\System32\\wsl.exe', { KEY: '1', WslEnv: 'KEY/p' })['WslEnv'], 'KEY/p');
    assert.equal(of('wsl', { KEY: '1', OTHER: '2' })['WSLENV'], 'KEY/u:OTHER/u');
    assert.equal(of('node', { KEY: '1' })['WSLENV'], undefined);
    const posix = buildEnvironment({ scope: 'user', platform: 'linux', host: {}, entry: { A: '1' }, command: 'wsl' });
    assert.deepEqual(posix, { A: '1' });
  });

  it('elsewhere says that there is none', async () => {
    const harness = new PoolHarness();
    const { state } = await harness.connect({ type: 'stdio', command: 'wsl.exe', args: ['node'], env: {} });
    assert.ok(state.kind === 'failed');
    assert.match(state.failure.message, /starts programs of Linux on Windows, and this isn't Windows/);
    await harness.end();
  });
});
