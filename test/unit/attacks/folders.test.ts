import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { readSourceFile } from '../../../src/config/sources/readSourceFile.ts';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { buildEnvironment } from '../../../src/connection/start/serverEnvironment.ts';
import { onWindowsPath } from '../../../src/connection/stdio/windowsCommand.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost } from '../../support/testHost.ts';
import { useRepository } from './useRepository.ts';

/** Rules 1 and 2 of docs/security.md: an opened folder that nobody trusts. */
describe('attacks: folders', function () {
  this.timeout(60_000);
  let root: string;
  let repo: string;

  useRepository((made) => ({ root, repo } = made));

  const write = (file: string, text: string, mode = 0o644): void => {
    const full = path.join(repo, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
    chmodSync(full, mode);
  };

  /** Opens the untrusted folder with servers of the user, and says where each stands once none is starting. */
  const open = async (
    servers: object,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: string; readonly state: string }[]> => {
    const file = path.join(root, 'user.json');
    writeFileSync(file, JSON.stringify({ mcpServers: servers }));
    const user: ConfigSource = { id: 'user:file', scope: 'user', format: 'mcp', label: 'user.json', file };
    const rig = new TestHost({
      folder: repo,
      trusted: false,
      ports: {
        config: new NodeConfigPorts([user]),
        homeDir: path.join(root, 'home'),
        stateDir: path.join(root, 'state'),
        environment: { ...process.env, SHELL: '', ...environment },
      },
      settings: { handshakeTimeoutMs: 4_000 },
    });
    try {
      await rig.host.start();
      await rig.until(() =>
        rig.host.pool.all.every(({ state }) => ['connected', 'failed', 'pending'].includes(state.kind)),
      );
      return rig.host.views.map(({ definition, state }) => ({
        status: definition.status.kind === 'blocked' ? definition.status.by : definition.status.kind,
        state: state.kind === 'failed' ? state.failure.message : state.kind,
      }));
    } finally {
      await rig.stop();
    }
  };

  it('A module of the folder that a user’s python server imports', async () => {
    write('json/__init__.py', '');
    write('json/tool.py', `open(${JSON.stringify(path.join(repo, 'PWNED'))}, 'w').write('x')\n`);
    await open({ a: { command: 'python3', args: ['-m', 'json.tool'] } });
    assert.ok(!existsSync(path.join(repo, 'PWNED')));
  });

  it('A package in the folder’s node_modules that a user’s npx server runs', async () => {
    const code = `#!/usr/bin/env node\nrequire('fs').writeFileSync(${JSON.stringify(path.join(repo, 'PWNED'))}, 'x');\n`;
    write('package.json', '{"name":"x","version":"1.0.0"}');
    write('node_modules/evil/package.json', '{"name":"evil","version":"1.0.0","bin":{"evil":"b.js"}}');
    write('node_modules/evil/b.js', code, 0o755);
    write('node_modules/.bin/evil', code, 0o755);
    await open({ a: { command: 'npx', args: ['-y', '--offline', 'evil'] } });
    assert.ok(!existsSync(path.join(repo, 'PWNED')));
  });

  it('A user’s server that names the open folder', async () => {
    symlinkSync(repo, path.join(root, 'link'));
    const node = process.execPath;
    const states = await open({
      variable: { command: node, args: ['${workspaceFolder}/x.js'] },
      inDefault: { command: node, args: ['${NONE:-${workspaceFolder}}'] },
      relative: { command: node, cwd: 'sub' },
      envFile: { command: node, envFile: '.env' },
      path: { command: node, args: [`--dir=${repo}/x`] },
      helper: { url: 'http://127.0.0.1:9/', headersHelper: `${repo}/token.sh` },
      link: { command: node, cwd: path.join(root, 'link') },
    });
    const link = states.pop();
    assert.deepEqual(
      states.map(({ status }) => status),
      Array.from(states, () => 'untrusted-workspace'),
    );
    assert.match(link?.state ?? '', /The workspace isn’t trusted: `cwd` of link leads into its folder/);
  });

  it('A command for headers of a user’s server that picks up the folder or the editor’s environment', async () => {
    const seen = path.join(root, 'seen.json');
    const script = path.join(root, 'helper.mjs');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs';
      const { VSCODE_IPC_HOOK, ELECTRON_RUN_AS_NODE, LEADS_HERE, PATH, OWN } = process.env;
      const env = { VSCODE_IPC_HOOK, ELECTRON_RUN_AS_NODE, LEADS_HERE, PATH, OWN };
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ cwd: process.cwd(), env }));
      console.log('{}');`,
    );
    await open(
      { a: { url: 'http://127.0.0.1:9/', headersHelper: `"${process.execPath}" "${script}"` } },
      {
        ...{ VSCODE_IPC_HOOK: 'of-the-editor', LEADS_HERE: `${repo}/x`, OWN: 'kept' },
        PATH: `${repo}/node_modules/.bin:.:${process.env['PATH']}`,
      },
    );
    const { cwd, env } = JSON.parse(readFileSync(seen, 'utf8')) as { cwd: string; env: Record<string, string> };
    assert.ok(cwd.startsWith(path.join(root, 'state')), cwd);
    assert.ok(!`${env['PATH']}`.includes(repo) && !`${env['PATH']}`.split(':').includes('.'), env['PATH']);
    assert.deepEqual({ ...env, PATH: '' }, { OWN: 'kept', PATH: '' });
  });

  it('A relative entry in PATH, PYTHONPATH or NODE_PATH', () => {
    const host = { PATH: '.:/usr/bin::node_modules/.bin', NODE_PATH: 'lib', PYTHONPATH: ':/opt/py', INIT_CWD: repo };
    const env = buildEnvironment({ scope: 'user', platform: 'linux', host, entry: {} });
    assert.deepEqual(env, { PATH: '/usr/bin', NODE_PATH: '', PYTHONPATH: '/opt/py' });
  });

  it('An environment of the editor that leads into the opened folder', async () => {
    const pwned = path.join(repo, 'PWNED');
    const writes = `require('fs').writeFileSync(${JSON.stringify(pwned)}, 'x')`;
    write('bin/a-tool', `#!${process.execPath}\n${writes}\n`, 0o755);
    write('lib/a-module/index.js', writes);
    write('env.sh', `touch ${pwned}\n`);
    symlinkSync(path.join(repo, 'bin'), path.join(root, 'link'));
    const inherited = {
      NODE_PATH: path.join(repo, 'lib'),
      BASH_ENV: path.join(repo, 'env.sh'),
    };
    const servers = {
      program: { command: 'a-tool' },
      module: { command: process.execPath, args: ['-e', 'require("a-module")'] },
      ...(process.platform === 'win32' ? {} : { shell: { command: 'bash', args: ['-c', ':'] } }),
    };
    const rest = process.env['PATH'] ?? '';
    for (const folder of [path.join(repo, 'bin'), path.join(root, 'link')]) {
      await open(servers, { ...inherited, PATH: [folder, rest].join(path.delimiter) });
      assert.ok(!existsSync(pwned), folder);
    }
    const env = { PATH: [path.join(root, 'link'), rest].join(path.delimiter) };
    const [own] = await open({ own: { command: 'a-tool', env } });
    assert.match(own?.state ?? '', /The workspace isn’t trusted: `env\.PATH` of own leads into its folder/);
    assert.ok(!existsSync(pwned));
  });

  it('A program beside the files of the folder, on Windows', async () => {
    const files = ['C:\\repo\\npx.cmd', 'C:\\node\\npx.cmd', 'npx.cmd'];
    // Windows doesn't tell the case of names apart.
    const isFile = async (file: string): Promise<boolean> => files.includes(file.replace('.CMD', '.cmd'));
    const environment = { Path: '.;;C:\\node', PATHEXT: '.EXE;.CMD' };
    assert.equal(await onWindowsPath('npx', environment, isFile), 'C:\\node\\npx.CMD');
    assert.equal(await onWindowsPath('npx', { Path: '.' }, isFile), undefined);
    const env = buildEnvironment({ scope: 'project', platform: 'win32', host: {}, entry: {} });
    assert.equal(env['NoDefaultCurrentDirectoryInExePath'], '1');
  });

  const sourceOf = (file: string): ConfigSource => ({
    id: `project:${file}`,
    scope: 'project',
    format: 'mcp',
    label: file,
    file: path.join(repo, file),
    folder: { name: 'repo', path: repo },
  });

  it('A configuration file that is a link to a device or out of the folder', async () => {
    for (const target of ['/dev/zero', '/dev/ptmx', '/proc/self/environ', '/etc/hostname', '/nowhere/x', root]) {
      const name = `link${target.replaceAll('/', '-')}`;
      symlinkSync(target, path.join(repo, name));
      await assert.rejects(readSourceFile(sourceOf(name), process.platform), /it is a link to/, target);
    }
    for (const file of ['/dev/zero', '/dev/ptmx']) {
      const own: ConfigSource = { id: file, scope: 'user', format: 'mcp', label: file, file };
      await assert.rejects(readSourceFile(own, process.platform), /it is a device/);
    }
    assert.ok((await stat('/')).isDirectory());
  });

  it('A configuration file that is too large or takes too long to read', async () => {
    write('large.json', `{"mcpServers":{}}${' '.repeat(1024 * 1024)}`);
    await assert.rejects(readSourceFile(sourceOf('large.json'), process.platform), /larger than 1 MB/);
    const dense = {
      servers: '"s":{"command":"x"},',
      sections: '"mcpServers":{},',
      floods: '"s":{"command":"${a}"},',
      blanks: ' ',
    };
    for (const [shape, part] of Object.entries(dense)) {
      const text = `{"mcpServers":{${part.repeat(1_000_000 / part.length)}}}`;
      const { problems, entries } = parseSource(sourceOf('.mcp.json'), text);
      assert.deepEqual([problems.map(({ code }) => code), entries.length], [['too-large'], 0], shape);
    }
  });
});
