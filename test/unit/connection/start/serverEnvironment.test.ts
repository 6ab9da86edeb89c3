import assert from 'node:assert/strict';
import { buildEnvironment, searchPathOf } from '../../../../src/connection/start/serverEnvironment.ts';

const host = {
  HOME: '/home/me',
  PATH: '/usr/bin',
  LC_ALL: 'de_DE.UTF-8',
  https_proxy: 'http://proxy:3128',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  SECRET_TOKEN: 'hush',
  VSCODE_IPC_HOOK: '/tmp/sock',
  ELECTRON_RUN_AS_NODE: '1',
  NODE_OPTIONS: '--inspect',
  NODE_CHANNEL_FD: '3',
  SHELLSHOCK: '() { :; }',
};

describe('environment of a server', () => {
  it("of the user's own scope is the host's without what is the editor's", () => {
    const env = buildEnvironment({ scope: 'user', platform: 'linux', host, entry: { A: '1' } });
    assert.deepEqual(Object.keys(env).sort(), [
      'A',
      'HOME',
      'LC_ALL',
      'NODE_EXTRA_CA_CERTS',
      'PATH',
      'SECRET_TOKEN',
      'https_proxy',
    ]);
  });

  for (const scope of ['project', 'workspace', 'cloud', 'dynamic', 'enterprise', 'local'] as const) {
    it(`of the ${scope} scope is a short safe list`, () => {
      const env = buildEnvironment({ scope, platform: 'linux', host, entry: {} });
      assert.deepEqual(Object.keys(env).sort(), ['HOME', 'LC_ALL', 'NODE_EXTRA_CA_CERTS', 'PATH', 'https_proxy']);
    });
  }

  it('follows the setting where that says the one or the other for all scopes', () => {
    const wide = buildEnvironment({ scope: 'project', inheritance: 'inherit', platform: 'linux', host, entry: {} });
    assert.equal(wide['SECRET_TOKEN'], 'hush');
    assert.equal(wide['VSCODE_IPC_HOOK'], undefined);
    const narrow = buildEnvironment({ scope: 'user', inheritance: 'minimal', platform: 'linux', host, entry: {} });
    assert.equal(narrow['SECRET_TOKEN'], undefined);
  });

  it("puts the entry's on top", () => {
    const env = buildEnvironment({
      scope: 'project',
      platform: 'linux',
      host,
      entry: { PATH: '/opt', NODE_OPTIONS: '--x' },
      loginPath: '/login',
    });
    assert.equal(env['PATH'], '/opt');
    assert.equal(env['NODE_OPTIONS'], '--x');
  });

  it("takes the login shell's PATH, but not on Windows", () => {
    const of = (platform: NodeJS.Platform): string | undefined =>
      buildEnvironment({ scope: 'user', platform, host, entry: {}, loginPath: '/login' })['PATH'];
    assert.equal(of('darwin'), '/login');
    assert.equal(of('win32'), '/usr/bin');
  });

  it('ignores case on Windows', () => {
    const env = buildEnvironment({
      scope: 'project',
      platform: 'win32',
      host: { Path: 'C:\\Windows', SystemRoot: 'C:\\Windows', Secret: 'x' },
      entry: { PATH: 'D:\\tools' },
    });
    assert.deepEqual(env, {
      SystemRoot: 'C:\\Windows',
      PATH: 'D:\\tools',
      NoDefaultCurrentDirectoryInExePath: '1',
    });
    assert.equal(searchPathOf({ Path: 'C:\\' }, 'win32'), 'C:\\');
  });
});
