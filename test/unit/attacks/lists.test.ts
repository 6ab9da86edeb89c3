import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import { readHooks } from '../../../src/calls/hooks/hookSettings.ts';
import type { HookFailure, HookVerdict } from '../../../src/calls/hooks/hookTypes.ts';
import { readRuleLists } from '../../../src/config/rules/serverRules.ts';
import type { TransportSpec } from '../../../src/config/configTypes.ts';
import { commandLinesIn } from '../../../src/servers/trust/commandLinesIn.ts';
import { isAllowedByOrganisation, lineVerdict, policyVerdict } from '../../../src/servers/trust/policyVerdict.ts';
import { editorPolicies, type ServerPolicy } from '../../../src/servers/trust/serverPolicy.ts';
import { TestHost } from '../../support/testHost.ts';

const lists = (allowed: unknown, denied: unknown = []): ServerPolicy[] => [
  { label: 'test', isOrganisation: false, ...readRuleLists(allowed, denied, { emptyAllows: true }) },
];
const run = (command: string, ...args: string[]): TransportSpec => ({ type: 'stdio', command, args, env: {} });
const runOf = ([command = '', ...args]: readonly string[]): TransportSpec => run(command, ...args);
const reach = (headersHelper: string): TransportSpec => ({
  type: 'http',
  url: 'https://h',
  headers: {},
  headersHelper,
});
const runs = (
  transport: TransportSpec,
  policies: readonly ServerPolicy[],
  platform: NodeJS.Platform = 'linux',
  name = 's',
): boolean => policyVerdict({ name, transport }, policies, platform) === undefined;

/** Rule 8 of docs/security.md: the lists of servers hold for every process. */
describe('attacks: lists', () => {
  const noDocker = lists([], [{ command: 'docker **' }]);

  it('A denied command in another spelling', () => {
    for (const command of ['/usr/bin/docker', '/usr/bin/../bin//docker', './docker', 'docker.sh'])
      assert.equal(runs(run(command, 'ps'), noDocker), command === 'docker.sh', command);
    for (const command of ['DOCKER', 'docker.exe', 'Docker.EXE.', 'docker. ', 'C:\\bin\\docker.cmd', 'C:/x/docker.ps1'])
      assert.ok(!runs(run(command, 'ps'), noDocker, 'win32'), command);
    assert.ok(!runs(run('Docker', 'ps'), noDocker, 'darwin'));
    assert.ok(runs(run('Docker', 'ps'), noDocker));
    assert.ok(!runs(run('docker', 'ps'), lists([], [{ command: 'docker.exe **' }]), 'win32'));
    assert.ok(!runs(run('c:/bin/tool.exe'), lists([], [{ command: 'C:\\bin\\tool' }]), 'win32'));
    const byName = lists([], ['evil']);
    for (const name of ['EVIL', ' evil ', 'ｅｖｉｌ']) assert.ok(!runs(run('x'), byName, 'linux', name), name);
  });

  it('A denied command behind a shell or another program that starts it', () => {
    for (const words of [
      ['sh', '-c', 'docker ps'],
      ['bash', '-lc', 'cd /tmp && docker ps'],
      ['/bin/sh', '-c', 'FOO=1 "docker" ps'],
      ['sh', '-c', 'do\\cker ps'],
      ['sh', '-c', 'docker${IFS}ps'],
      ['sh', '-c', 'd$()oc${x}ker$y ps'],
      ['sh', '-c', 'exec docker ps'],
      ['sh', '-c', 'cd x; nice -n 5 docker ps'],
      ['bash', '-lc', 'npm exec -- docker ps'],
      ['sh', '-c', 'echo $(docker ps)'],
      ['sh', '-c', 'if true; then docker ps; fi'],
      ['env', '-i', 'A=b', 'docker', 'ps'],
      ['/usr/bin/env', 'sh', '-c', 'docker ps'],
      ['env', '-S', 'docker ps'],
      ['sudo', '-n', 'nice', 'docker', 'ps'],
      ['timeout', '5', '/usr/bin/docker', 'ps'],
    ])
      assert.ok(!runs(runOf(words), noDocker), words.join(' '));
    for (const words of [
      ['cmd', '/c', 'docker', 'ps'],
      ['cmd.exe', '/d', '/c', 'C:\\bin\\Docker.exe ps'],
      ['PowerShell.exe', '-Command', '& "C:\\bin\\docker.exe" ps'],
      ['cmd', '/c', 'd^ocker ps'],
    ])
      assert.ok(!runs(runOf(words), noDocker, 'win32'), words.join(' '));
    assert.ok(!runs(run('sh', '-c', `${' '.repeat(30_000)}docker ps`), noDocker));
    assert.ok(!runs(run('sh', ...Array.from({ length: 90 }, () => 'sh'), 'docker', 'ps'), noDocker));
    for (const words of [
      ['sh', '-c', 'echo docker'],
      ['node', 'docker ps'],
      ['dockerd', 'ps'],
    ])
      assert.ok(runs(runOf(words), noDocker), words.join(' '));
  });

  it('A denied command that a shell puts together', () => {
    for (const line of [
      "$'\\x64ocker' ps",
      '/usr/bin/dock?r ps',
      'a=do;b=cker;$a$b ps',
      '$(printf dock)er ps',
      'echo ZG9ja2VyIHBz | base64 -d | sh',
      'eval "dock""er ps"',
      '{docker,ps}',
      'true; {dock,}er ps',
      'a=do;b=cker;exec $a$b ps',
      'sudo -n env A=b $x ps',
      'nice -n 5 $x ps',
      'timeout 1.5s $x ps',
    ])
      assert.ok(!runs(run('sh', '-c', line), noDocker), line);
    const encoded = Buffer.from('docker ps', 'utf16le').toString('base64');
    for (const words of [
      ['powershell', '-enc', encoded],
      ['pwsh', '-EncodedCommand', encoded],
      ['pwsh', '-c', "iex ('dock'+'er ps')"],
      ['pwsh', '-c', "& ('dock'+'er') ps"],
      ['cmd', '/c', 'set a=dock&call %a%er ps'],
    ])
      assert.ok(!runs(runOf(words), noDocker, 'win32'), words.join(' '));
    // What a shell doesn't put together runs.
    for (const line of [
      'exec "$0" "$@"',
      '"$0" "$@"',
      'cd "$HOME" && $HOME/bin/server --x=$(id -u)',
      'node x.js',
      '${workspaceFolder}/bin/server --x ${env:A}',
      '"${CLAUDE_PROJECT_DIR}"/check.sh',
      'g++ x',
      '{ node x.js; }',
    ])
      assert.ok(runs(run('sh', '-c', line), noDocker), line);
    for (const word of ['do\u200ccker', 'DOCKER', '/x/d\u200docker'])
      assert.ok(!runs(run(word, 'ps'), noDocker, 'darwin'), word);
    assert.ok(!runs(run('cafe\u0301'), lists([], [{ command: 'caf\u00e9' }]), 'darwin'));
  });

  it('A denied command behind any program that starts others', () => {
    for (const line of [
      ...['setpriv', 'unshare -r', 'flock /tmp/x', 'strace', 'ionice -c3', 'npm exec --', 'ssh localhost', 'ld.so'],
      ...['dbus-run-session --', 'systemd-run --user', 'parallel', 'sandbox-exec -p x', 'arch -x86_64', 'open -a'],
    ])
      assert.ok(!runs(runOf([...line.split(' '), '/usr/bin/docker', 'ps']), noDocker), line);
    for (const words of [
      ['script', '-qc', 'docker ps', '/dev/null'],
      ['npx', '-c', 'docker ps'],
      ['npx', '--call=docker ps'],
      ['env', '--split-string=docker ps'],
      ['mksh', '-c', 'docker ps'],
      ['su', '-c', 'docker ps'],
      ['watch', 'docker ps'],
      ['python3', '-c', 'import os; os.system("docker ps")'],
      ['node', '-e', 'require("child_process").execSync("docker ps")'],
      ['osascript', '-e', 'do shell script "docker ps"'],
      ['forfiles', '/c', 'cmd /c docker ps'],
      ['wsl', 'docker', 'ps'],
      ['wsl.exe', '-d', 'Ubuntu', '--', 'docker', 'ps'],
      ['wsl', '-d', 'Ubuntu', '-e', 'sh', '-c', 'docker ps'],
    ])
      assert.ok(!runs(runOf(words), noDocker), words.join(' '));
    assert.ok(!runs(run('x', ...Array.from({ length: 1_500 }, () => 'a')), noDocker));
    for (const words of [
      ['npx', '-y', 'docker-mcp'],
      ['node', 'server.js', '--title=the docker server'],
      ['python3', '-c', 'print("docker")'],
    ])
      assert.equal(runs(runOf(words), noDocker), !words.includes('-c'), words.join(' '));
  });

  it('A denied command that is joined to an option or a setting of another program', () => {
    for (const words of [
      ['tar', '--checkpoint-action=exec=docker ps', '-cf', 'x', 'y'],
      ['git', '-c', 'core.sshCommand=docker ps', 'fetch'],
      ['git', '-c', 'alias.x=!docker ps', 'x'],
      ['ssh', '-o', 'ProxyCommand=/usr/bin/docker ps', 'host'],
      ['ssh', '-oProxyCommand=docker ps', 'host'],
      ['rsync', '--rsh=docker', 'a', 'b'],
      ['ssh', '-o', 'ProxyCommand docker ps', 'host'],
      ['ssh', '-oProxyCommand docker ps', 'host'],
      ['tar', '--to-command', 'docker ps', '-xf', 'x'],
      ['env', '-Sdocker ps'],
      ['su', '-cdocker ps'],
      ['script', '-qcdocker ps', '/dev/null'],
      ['vim', '-c', '!docker ps'],
      ['less', '+!docker ps'],
      ['x', `${'a='.repeat(50)}docker ps`],
      ['sh', '-c', 'git -c core.pager=docker log'],
      ['sh', '-c', 'PAGER=docker git log'],
      ['sh', '-c', 'alias x=docker; x ps'],
      ['nice', 'git', '-c', 'core.pager=docker', 'log'],
      ['/usr/bin/rsync.exe', '-edocker', 'a', 'b'],
      ['env', '-Sdocker'],
      ['node', 's.js', '--pager=/usr/bin/docker'],
      ['node', 's.js', '--shell=docker'],
      ['x', '--on-error-exec=docker'],
      ['java', '-XX:OnOutOfMemoryError=docker', '-jar', 'x.jar'],
    ])
      assert.ok(!runs(runOf(words), noDocker), words.join(' '));
    for (const words of [
      ['cmd', '/cdocker', 'ps'],
      ['cmd', '/c"docker', 'ps"'],
      ['cmd.exe', '/Kcall docker ps'],
      ['env', 'cmd', '/cdocker ps'],
      ['start', 'cmd', '/cdocker /s x'],
      ['cross-env', 'A=1', 'cmd', '/cdocker', '/s', 'x'],
      ['cmd', '/d/cdocker /s x'],
      ['cmd', '/e:on/v:off/cdocker', 'ps'],
      ['cmd', '/s', '/R"C:\\bin\\docker.exe"'],
    ])
      assert.ok(!runs(runOf(words), noDocker, 'win32'), words.join(' '));
    for (const words of [
      ['node', 'server.js', '--docker', '-docker', '--for=a docker host', 'https://h/?q=the docker'],
      ['node', 'server.js', '--driver=docker', '-xdocker', 'RUNTIME=docker', '--backend=name=docker'],
      ['sh', '-c', 'node server.js --driver=docker --verbose'],
      ['cmd', '/c', 'npx', '-y', 'server', '--driver=docker'],
      ['cmd', '/c', 'npx -y server --driver=docker'],
      ['env', ...Array.from({ length: 60 }, (_, at) => `V${at}=${at}`), 'node', 'x.js'],
      ['x', ...Array.from({ length: 400 }, (_, at) => `--v${at}=a=${at}`)],
    ])
      assert.ok(runs(runOf(words), noDocker), words.join(' '));
  });

  it('A command line or an address that takes for ever to look into', () => {
    const allowed = lists([{ command: 'x **' }, { url: 'https://**' }]);
    const noAdmin = lists(undefined, [{ url: 'https://h.example/admin/*' }]);
    for (const unit of ['a=', 'on', "sh '", '{a,', '../', '\n', ' @', '/a:b', '-o a ', '&"', '$x', '`', 'é=']) {
      const text = unit.repeat(1_000_000 / unit.length);
      for (const words of [
        ['x', text],
        ['x', '-c', text],
        ['x', ...Array.from({ length: 900 }, () => text.slice(0, 1_111))],
      ]) {
        assert.ok(!runs(runOf(words), noDocker), unit);
        assert.ok(!runs(runOf(words), allowed), unit);
      }
      assert.ok(!runs(reach(text), noDocker), unit);
      // What is short enough to be looked at, and comes to very many lines.
      const [lines, characters] = [commandLinesIn(['sh', '-c', text.slice(0, 30_000)]), 30_000 * 5];
      assert.ok((lines ?? []).flat().join('').length < characters, unit);
    }
    assert.equal(commandLinesIn(['cross-env', 'cmd', ...Array.from({ length: 900 }, () => '/cx')]), undefined);
    for (const path of ['%25'.repeat(300_000), `%${'25'.repeat(4_000)}41`, 'a/'.repeat(500_000), ';'.repeat(9_000)]) {
      const transport: TransportSpec = { type: 'http', url: `https://h.example/${path}`, headers: {} };
      assert.ok(!runs(transport, noAdmin));
      assert.equal(runs(transport, allowed), path.length < 8_100);
    }
  });

  it('A rule for a program denies no value or option that happens to be its name', () => {
    for (const [command, ...words] of [
      ['python **', 'node', 's.js', '--runtime=python'],
      ['python **', 'npx', '-y', 'server', '--language=python', '--also=node=python'],
      ['rm **', 'node', 's.js', '-alarm'],
      ['rm **', 'uvx', 'server', '-Farm', '+rm'],
      ['docker **', 'mcp-server', '--driver=docker'],
    ] as const)
      assert.ok(runs(runOf(words), lists([], [{ command }])), words.join(' '));
    assert.equal(lineVerdict('node check.mjs --runtime=docker', noDocker, 'linux'), undefined);
  });

  it('A package or a file from elsewhere under a name that a list allows', () => {
    const corp = lists([{ command: 'npx -y @corp/*' }, { command: 'node /opt/tools/*' }]);
    for (const word of ['@corp/server', '@corp/server@1.2.3', '@corp/a/b'])
      assert.ok(runs(run('npx', '-y', word), corp), word);
    for (const from of ['npm:evil', 'https://evil.example/x.tgz', 'file:../evil', 'git+ssh://e/x', 'github:e/x'])
      for (const at of ['@', ' @ ']) assert.ok(!runs(run('npx', '-y', `@corp/x${at}${from}`), corp), from);
    assert.ok(!runs(run('npx', '-y', '@corp/../evil'), corp));
    assert.ok(runs(run('node', '/opt/tools/a.js'), corp));
    assert.ok(!runs(run('node', '/opt/tools/../../repo/evil.js'), corp));
  });

  it('An allowed command whose environment makes something else run', async () => {
    const corp = lists([{ command: 'npx **' }]);
    const withEnv = (env: Record<string, string>): TransportSpec => ({ type: 'stdio', command: 'npx', args: [], env });
    assert.ok(runs(withEnv({ API_KEY: 'x', ENV: 'production', MY_PATH: '/x', GIT_AUTHOR_NAME: 'x' }), corp));
    for (const name of [
      'PATH',
      'Path',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'BASH_ENV',
    ])
      assert.ok(!runs(withEnv({ [name]: '/repo' }), corp), name);
    for (const name of [
      'HOME',
      'XDG_CONFIG_HOME',
      'OPENSSL_CONF',
      'NODE_EXTRA_CA_CERTS',
      'DOTNET_STARTUP_HOOKS',
      'LUA_INIT',
    ])
      assert.ok(!runs(withEnv({ [name]: '/repo' }), corp), name);
    for (const name of ['npm_config_registry', 'GIT_SSH_COMMAND', 'JAVA_TOOL_OPTIONS', 'UV_INDEX_URL', 'PERL5OPT'])
      assert.ok(!runs(withEnv({ [name]: '/repo' }), corp), name);
    // A server that is allowed by its name may set what it likes.
    assert.ok(runs(withEnv({ PATH: '/x' }), lists(['s'])));
    // What its `envFile` sets is known at the start.
    const rig = new TestHost({ ports: { policies: () => lists([{ command: `${process.execPath} **` }]) } });
    try {
      writeFileSync(path.join(rig.folder, '.env'), 'NODE_OPTIONS=--no-warnings\n');
      const server = { command: process.execPath, args: ['-e', ''], envFile: '.env' };
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: { s: server } }));
      await rig.host.start();
      await rig.approveAll();
      const [connection] = rig.host.pool.all;
      assert.match(JSON.stringify(connection?.state), /its environment sets NODE_OPTIONS/);
    } finally {
      await rig.stop();
    }
  });

  it('A denied address in another notation', () => {
    const noAdmin = lists(undefined, [{ url: 'https://h.example/Admin/*' }]);
    for (const address of [
      ...['h.example/Admin/x', 'H.EXAMPLE./Admin/x', 'h.example:443/Admin/x', 'h.example/x/../Admin/x'],
      ...['h.example/ADMIN/x', 'h.example/%41dmin/x', 'h.example/%2541dmin/x', 'h.example/Admin%2fx'],
      ...['h.example//Admin/x', 'h.example/Admin;a=b/x', 'h.example/x%2f..%2fAdmin/x', 'h.example/x/%2e%2e/Admin/x'],
    ])
      assert.ok(!runs({ type: 'http', url: `https://${address}`, headers: {} }, noAdmin), address);
    for (const address of [
      'h.example/Administration/x',
      'h.example/x?/Admin/x',
      'h.example/%zz%25',
      'other.example/Admin/x',
    ])
      assert.ok(runs({ type: 'http', url: `https://${address}`, headers: {} }, noAdmin), address);
  });

  it('A command that is reached out of the folder that a list allows', () => {
    const corp = lists([{ command: '/opt/corp/* **' }]);
    assert.ok(runs(run('/opt/corp/bin/tool', 'x'), corp));
    assert.ok(!runs(run('/opt/corp/../../bin/sh', '-c', 'x'), corp));
    const onWindows = lists([{ command: 'C:\\Corp\\*.exe' }]);
    assert.ok(runs(run('c:\\corp\\TOOL.exe'), onWindows, 'win32'));
    assert.ok(!runs(run('C:\\Corp\\..\\Windows\\x.exe'), onWindows, 'win32'));
  });

  it('A `headersHelper` that runs what the lists deny', () => {
    for (const helper of ['docker ps', '/usr/bin/docker ps', 'true; docker ps', 'sh -c "docker ps"', 'A=b docker ps'])
      assert.ok(!runs(reach(helper), noDocker), helper);
    assert.ok(runs(reach('token --for h'), noDocker));
    const onlyToken = lists([{ url: 'https://*' }, { command: 'token **' }]);
    for (const helper of ['token', 'token --for "a b"', 'token --for ${HOST}'])
      assert.ok(runs(reach(helper), onlyToken), helper);
    for (const helper of ['curl x', 'token; curl x', 'token $(curl x)', 'token `curl x`', 'token | sh', 'token > /x'])
      assert.ok(!runs(reach(helper), onlyToken), helper);
    // Servers of one kind are allowed: the others need no rule.
    assert.ok(runs(reach('curl x'), lists([{ url: 'https://*' }])));
  });

  it('A hook that runs what the lists deny', async () => {
    const reason = lineVerdict('docker ps', noDocker, 'linux')?.reason ?? '';
    assert.match(reason, /^command denied by command docker \*\* \(test\)$/);
    assert.equal(lineVerdict('node check.mjs', noDocker, 'linux'), undefined);
    const seen = path.join(mkdtempSync(path.join(tmpdir(), 'switchboard-attack-')), 'seen');
    const command = `sh -c 'echo x > "${seen}"'`;
    const hooks = readHooks({ PreToolUse: [{ hooks: [{ type: 'command', command }] }] }, 'user');
    let policies: readonly ServerPolicy[] = [];
    let hookFailure: HookFailure = 'block';
    const settings = (): CallSettings => ({ ...DEFAULT_CALL_SETTINGS, hooks, hookFailure });
    const ports = { policies: () => policies, calls: { settings } };
    const rig = new TestHost({ ports });
    try {
      const shown = { name: 'b', inputSchema: {}, annotations: {} };
      const tool = { name: 'mcp__a__b', serverId: 'a', serverName: 'a', serverPart: 'a', tool: shown };
      const { signal } = new AbortController();
      const run = async (): Promise<HookVerdict> =>
        rig.host.calls.hooks.before({ tool, args: {}, known: undefined, signal });
      policies = lists([], [{ command: 'echo **' }]);
      for (hookFailure of ['block', 'ignore'] as const) {
        const { decision, reason } = await run();
        assert.deepEqual(decision, hookFailure === 'block' ? 'deny' : 'ask');
        assert.match(reason ?? '', /hook failed: command denied by command echo \*\*/);
        assert.ok(!existsSync(seen));
      }
      policies = [];
      assert.deepEqual(await run(), {});
      assert.ok(existsSync(seen));
    } finally {
      await rig.stop();
      rmSync(path.dirname(seen), { recursive: true });
    }
  });

  it('A workspace that sets the editor’s lists, to loosen those of the user', () => {
    const none = { access: undefined, allowed: undefined, denied: undefined };
    const blocks = (policies: readonly ServerPolicy[], name = 'evil'): boolean =>
      !runs(run('x'), policies, 'linux', name);
    const levels = (user: object, workspace: object): ServerPolicy[] =>
      editorPolicies(
        { ...none, ...user, ...workspace },
        { user: { ...none, ...user }, workspace: [{ ...none, ...workspace }] },
      );
    assert.ok(blocks(levels({ access: 'none' }, { access: 'all' })));
    assert.ok(blocks(levels({ access: 'registry' }, { access: 'all' })));
    assert.ok(blocks(levels({ denied: ['evil'] }, { denied: [] })));
    assert.ok(blocks(levels({ allowed: ['good'] }, { allowed: ['evil'] })));
    assert.ok(blocks(levels({}, { denied: ['evil'] })));
    // Only an organisation, or the user, lets a server from the cloud start a process.
    const subject = { name: 'evil', transport: run('x') };
    assert.ok(isAllowedByOrganisation(subject, levels({ allowed: ['evil'] }, {})));
    assert.ok(!isAllowedByOrganisation(subject, levels({}, { allowed: ['evil'] })));
  });
});
