import assert from 'node:assert/strict';
import { buildEnvironment, searchPathOf, withheldFrom } from '../../../../src/connection/start/serverEnvironment.ts';

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

  it("takes the login shell's search path on every system", () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const env = buildEnvironment({ scope: 'user', platform, host, entry: {}, loginPath: '/login' });
      assert.equal(searchPathOf(env, platform), '/login');
    }
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

  it('of several spellings gives a process on Windows one, the last', () => {
    const entry = { Path: 'C:\\a', Token: '1', PATH: 'C:\\b', TOKEN: '2' };
    const env = buildEnvironment({ scope: 'user', platform: 'win32', host: { path: 'C:\\' }, entry });
    assert.deepEqual(env, { NoDefaultCurrentDirectoryInExePath: '1', PATH: 'C:\\b', TOKEN: '2' });
    const posix = buildEnvironment({ scope: 'user', platform: 'linux', host: {}, entry });
    assert.deepEqual(posix, entry);
  });
});

describe('environment of a server that others define', () => {
  const of = (command: string, names: readonly string[], platform: NodeJS.Platform = 'linux'): readonly string[] => {
    const everything = Object.fromEntries(names.map((name) => [name, 'x']));
    return Object.keys(buildEnvironment({ scope: 'project', platform, host: everything, entry: {}, command }));
  };
  const places = [
    ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'JAVA_HOME', 'NVM_DIR'],
    ...['ASDF_DIR', 'VOLTA_HOME', 'FNM_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'HOMEBREW_PREFIX'],
  ];
  const access = [
    ...['SSH_AUTH_SOCK', 'DOCKER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'AWS_PROFILE', 'KUBECONFIG', 'GITHUB_TOKEN'],
    ...['GPG_AGENT_INFO', 'GOOGLE_APPLICATION_CREDENTIALS', 'npm_config__authToken'],
  ];

  it('has what says where something is', () => assert.deepEqual(of('node', places), places));

  it('has nothing that lends access', () => assert.deepEqual(of('node', access), []));

  it('has what the program that is its command is reached with', () => {
    assert.deepEqual(of('/usr/bin/docker', access), ['DOCKER_HOST']);
    assert.deepEqual(of('ssh', access), ['SSH_AUTH_SOCK']);
  });

  it('knows what was withheld, the editor’s own left aside', () => {
    const from = { HOME: '/h', Secret: 'x', VSCODE_PID: '1', NODE_OPTIONS: 'x', PWD: '/w', AWS_PROFILE: 'x' };
    assert.deepEqual(withheldFrom({ HOME: '/h', SECRET: 'x' }, from), ['AWS_PROFILE']);
  });
});
