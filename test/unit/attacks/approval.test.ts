import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toDisposable, type Disposable } from '../../../src/base/disposable.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { envFileSource, parseEnvFile } from '../../../src/config/sources/envFile.ts';
import type { ServerEntry, SourceResult } from '../../../src/config/configTypes.ts';
import { definitionId, mergeServers } from '../../../src/servers/merge/mergeServers.ts';
import { fingerprintOf } from '../../../src/servers/trust/fingerprint.ts';
import { filesOfHook } from '../../../src/servers/trust/folderFiles.ts';
import { describeLaunch } from '../../../src/servers/trust/summary/launchSummary.ts';
import { ServerValues, type KnownAnswer } from '../../../src/servers/inputAnswers.ts';
import { withEnvFile } from '../../../src/servers/applyEnvFile.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost, type TestHostOptions } from '../../support/testHost.ts';
import { sourceOf } from '../config/sources.ts';
import { decisionsOf, lineOf, resultOf } from '../servers/support.ts';
import { useRepository } from './useRepository.ts';

const FAULTY = path.join(import.meta.dirname, '../../fixtures/servers/faulty.ts');

/** Files whose changes nobody reports, as on some network drives. */
class Unwatched extends NodeConfigPorts {
  override watch(): Disposable {
    return toDisposable(() => undefined);
  }
}

/** Rules 4 and 8 of docs/security.md: what was approved is what runs, and nothing else is touched by it. */
describe('attacks: approval', function () {
  this.timeout(60_000);
  let root: string;
  let repo: string;

  useRepository((made) => ({ root, repo } = made));

  const write = (file: string, text: string): void => writeFileSync(path.join(repo, file), text);
  /** An entry of a project whose process writes its environment into `seen`. */
  const withEnv = (envFile: string): object => ({
    command: process.execPath,
    args: [FAULTY, 'environment', path.join(repo, 'seen')],
    envFile,
  });
  const host = async (servers: object, ports: TestHostOptions['ports'] = {}): Promise<TestHost> => {
    write('.mcp.json', JSON.stringify({ mcpServers: servers }));
    const rig = new TestHost({ folder: repo, ports });
    await rig.host.start();
    return rig;
  };
  const statusOf = (rig: TestHost): string => {
    const [view] = rig.host.views;
    return view ? lineOf(view.definition) : '';
  };

  it('A file that an entry names as `envFile` changes after the approval', async () => {
    write('.env', 'GREETING=hello\nTOKEN=s3cret\n');
    const rig = await host({ s: withEnv('.env') });
    try {
      await rig.approveAll();
      assert.equal(statusOf(rig), 'project s: ready');
      const seen = JSON.parse(readFileSync(path.join(repo, 'seen'), 'utf8')) as Record<string, string>;
      assert.deepEqual([seen['GREETING'], seen['TOKEN']], ['hello', 's3cret']);
      const before = describeLaunch(rig.host.views[0]!.definition.entry);
      // The same variables: nothing to ask.
      write('.env', '# why\nexport TOKEN="s3cret"\nGREETING=hello\n');
      await rig.host.config.reload();
      assert.equal(statusOf(rig), 'project s: ready');
      write('.env', 'GREETING=hello\nTOKEN=other\nNODE_OPTIONS=--require=/x.cjs\n');
      await rig.until(() => statusOf(rig) === 'project s: needs-approval changed');
      const after = describeLaunch(rig.host.views[0]!.definition.entry);
      const changed = after.filter((line) => !before.includes(line)).map((line) => /file: (\w+)=/.exec(line)?.[1]);
      assert.deepEqual(changed, ['NODE_OPTIONS', 'TOKEN']);
      assert.ok(![...before, ...after].some((line) => /hello|s3cret|other|x\.cjs/.test(line)));
    } finally {
      await rig.stop();
    }
  });

  it('An `envFile` that changes unseen, between the approval and the start', async () => {
    write('.env', 'A=1\n');
    const folder = { name: 'demo', path: repo };
    const config = new Unwatched([sourceOf({ scope: 'project', file: path.join(repo, '.mcp.json'), folder })]);
    const rig = await host({ s: withEnv('.env'), later: withEnv('${command:path}') }, { config });
    try {
      const [entry, later] = rig.host.views.map(({ definition }) => definition.entry);
      const start = (of: ServerEntry): Promise<object> => {
        const spec = { type: 'stdio', command: 'x', args: [], env: {}, envFile: path.join(repo, '.env') } as const;
        return withEnvFile(of, spec, [folder], process.platform);
      };
      assert.deepEqual(await start(entry!), { type: 'stdio', command: 'x', args: [], env: { A: '1' } });
      // Nobody could be shown what a file sets that is named only at the start.
      await assert.rejects(start(later!), /what its envFile sets could not be shown/);
      write('.env', 'A=1\nNODE_OPTIONS=--require=/x.cjs\n');
      await assert.rejects(start(entry!), /its envFile changed since you approved it \(NODE_OPTIONS\)/);
      await rig.host.servers.approve([rig.host.views[0]!.definition.id]);
      await rig.until(() => statusOf(rig) === 'project s: needs-approval changed');
      assert.ok(!existsSync(path.join(repo, 'seen')));
    } finally {
      await rig.stop();
    }
  });

  it('An `envFile` that is a link out of the folder', async () => {
    writeFileSync(path.join(root, 'outside'), 'STOLEN=1\n');
    symlinkSync(path.join(root, 'outside'), path.join(repo, '.env'));
    mkdirSync(path.join(root, 'elsewhere'));
    writeFileSync(path.join(root, 'elsewhere', '.env'), 'STOLEN=1\n');
    symlinkSync(path.join(root, 'elsewhere'), path.join(repo, 'sub'));
    const rig = await host({ link: withEnv('.env'), folder: withEnv('${workspaceFolder}/sub/.env') });
    try {
      await rig.approveAll();
      const messages = rig.host.pool.all.map(({ state }) => (state.kind === 'failed' ? state.failure.message : ''));
      for (const message of messages) assert.match(message, /can't be read: it is a link to .*outside of the folder/);
      assert.equal(messages.length, 2);
      assert.ok(!existsSync(path.join(repo, 'seen')));
    } finally {
      await rig.stop();
    }
  });

  it('An `envFile` of another computer, which would be signed in to before the approval', () => {
    const context = { env: {}, platform: 'win32', userHome: 'C:\\u', workspaceFolders: [] } as const;
    for (const [file, isRead] of [
      ['\\\\evil.example\\share\\.env', false],
      ['//evil.example/share/.env', false],
      ['C:\\x\\.env', true],
    ] as const)
      assert.equal(envFileSource(entryOf({ command: 'x', envFile: file }), context) !== undefined, isRead, file);
  });

  it('An `envFile` that takes for ever to read, or sets more than anybody reviews', () => {
    const blanks = `A=x${' '.repeat(500_000)}y\n`;
    assert.equal(parseEnvFile(blanks)['A']?.length, 500_002);
    assert.throws(() => parseEnvFile('A=1\n'.repeat(1_001)), /more than 1000 variables/);
  });

  const entryOf = (
    server: object,
    inputs: readonly object[] = [],
    scope: 'project' | 'user' = 'project',
  ): ServerEntry => {
    const folder = { name: 'repo', path: '/w' };
    const source = sourceOf({ scope, file: '/w/.mcp.json', ...(scope === 'project' ? { folder } : {}) });
    return parseSource(source, JSON.stringify({ inputs, mcpServers: { s: server } })).entries[0]!;
  };
  const differ = (one: ServerEntry, other: ServerEntry): void => {
    assert.notEqual(fingerprintOf(one), fingerprintOf(other));
    assert.notDeepEqual(describeLaunch(one), describeLaunch(other));
  };

  it('The options, the default or the question of an input change after the approval', () => {
    const server = { command: 'node', args: ['${input:mode}', 's.js'] };
    const pick = (value: string, more: object = {}): ServerEntry =>
      entryOf(server, [{ id: 'mode', type: 'pickString', options: [{ label: 'safe', value }, 'fast'], ...more }]);
    const prompt = (more: object): ServerEntry => entryOf(server, [{ id: 'mode', type: 'promptString', ...more }]);
    differ(pick('--no-warnings'), pick('--require=./evil.js'));
    differ(pick('--no-warnings'), pick('--no-warnings', { default: 'fast' }));
    differ(prompt({ default: '--no-warnings' }), prompt({ default: '--require=./evil.js' }));
    differ(prompt({ description: 'Mode' }), prompt({ description: 'Your GitHub token' }));
    differ(prompt({}), prompt({ password: true }));
    assert.ok(
      describeLaunch(pick('--require=./evil.js')).some((line) => line.includes('"safe" → "--require=./evil.js"')),
    );
  });

  it('What a sign-in asks for changes after the approval', () => {
    const oauth = { clientId: 'a', scopes: ['read'] };
    const entry = (more: object): ServerEntry => entryOf({ url: 'https://h/', oauth: { ...oauth, ...more } });
    for (const more of [
      { scopes: ['read', 'admin'] },
      { callbackPort: 4_000 },
      { issuer: 'https://evil.example' },
      { clientSecret: '${AWS_SECRET}' },
    ])
      differ(entry({}), entry(more));
    differ(entry({}), entryOf({ url: 'https://h/', oauth: false }));
  });

  it('The tools that an approved entry leaves out are fewer', () => {
    const server = { command: 'node', args: ['s.js'] };
    differ(entryOf({ ...server, disabledTools: ['delete_all'] }), entryOf(server));
    differ(
      entryOf({ ...server, enabledTools: ['read'] }),
      entryOf({ ...server, enabledTools: ['read', 'delete_all'] }),
    );
    // What the user writes needs no approval, and is no other server for that.
    const own = [{ disabledTools: ['delete_all'] }, {}].map((more) => entryOf({ ...server, ...more }, [], 'user'));
    assert.equal(fingerprintOf(own[0]!), fingerprintOf(own[1]!));
  });

  it('The rules for calls of an approved entry, or the command for its headers, change', () => {
    const local = { command: 'node', args: ['s.js'] };
    const remote = { url: 'https://h/', headersHelper: 'helper a' };
    const rules = (action: string): object => ({ permissions: { rules: [{ tool: 'wipe', action }] } });
    differ(entryOf({ ...local, ...rules('deny') }), entryOf(local));
    differ(entryOf({ ...local, ...rules('deny') }), entryOf({ ...local, ...rules('ask') }));
    differ(entryOf(remote), entryOf({ ...remote, headersHelper: 'helper b' }));
    differ(entryOf(remote), entryOf({ url: 'https://h/' }));
    const hidden = { toolOverrides: { wipe: { hidden: true } } };
    differ(entryOf({ ...local, ...hidden }), entryOf(local));
  });

  it('A script of the folder that an approved server or hook runs', async () => {
    const make = (...files: string[]): void => {
      for (const file of files) {
        mkdirSync(path.dirname(path.join(repo, file)), { recursive: true });
        write(file, '');
      }
    };
    make(
      'server.js',
      'lib/index.js',
      'tools/mod.py',
      'pkg/__main__.py',
      'package.json',
      'hook.cjs',
      'a b.sh',
      'data.txt',
    );
    symlinkSync(path.join(repo, 'server.js'), path.join(root, 'outside.js'));
    const servers = {
      script: { command: 'node', args: ['server.js'] },
      path: { command: './server.js' },
      noEnding: { command: '/opt/node', args: ['lib'] },
      flag: { command: 'tool', args: ['--require=./hook.cjs'] },
      options: { command: 'tool', env: { NODE_OPTIONS: '--require ./hook.cjs' } },
      variable: { command: 'tool', args: ['${workspaceFolder}/data.txt'] },
      inside: { command: 'sh', args: ['-c', 'cd /tmp; "./a b.sh" && node ./server'] },
      module: { command: 'python3.12', args: ['-m', 'tools.mod'] },
      runner: { command: 'npx', args: ['-y', 'some-package'] },
      cwd: { command: 'python3', args: ['-m', 'pkg'], cwd: '${workspaceFolder}' },
      link: { command: 'tool', args: [path.join(root, 'outside.js')] },
      helper: {
        type: 'http',
        url: 'https://h',
        headersHelper: '${workspaceFolder}/a\\ b.sh; node ${workspaceFolder}/hook.cjs',
      },
      none: { command: 'tool', args: ['--name', 'server', '/etc/hostname', '.', '..'] },
    };
    const rig = await host(servers);
    try {
      const found = await Promise.all(
        rig.host.views.map(async ({ definition: { name, entry } }) => [name, await rig.host.filesOf(entry)] as const),
      );
      assert.deepEqual(Object.fromEntries(found), {
        script: ['package.json', 'server.js'],
        path: ['server.js'],
        noEnding: ['lib/', 'lib/index.js', 'package.json'],
        flag: ['hook.cjs'],
        options: ['hook.cjs'],
        variable: ['data.txt'],
        inside: ['a b.sh', 'package.json', 'server.js'],
        module: ['package.json', 'tools/mod.py'],
        runner: ['package.json'],
        cwd: ['package.json', 'pkg/', 'pkg/__main__.py'],
        link: ['server.js'],
        helper: ['a b.sh', 'hook.cjs'],
        none: [],
      });
      const hook = 'FOO=1 node "$CLAUDE_PROJECT_DIR"/hook.cjs --x';
      assert.deepEqual(await filesOfHook(hook, repo), ['hook.cjs', 'package.json']);
    } finally {
      await rig.stop();
    }
  });

  it('A folder where an approved server looks for programs, or a file behind an option, a variable or a pattern', async () => {
    for (const file of ['bin/tool', 'lib/evil.js', 'sub/run.sh', 'evil.mjs', 'r.sh', 'a;b.sh', '.envrc']) {
      mkdirSync(path.dirname(path.join(repo, file)), { recursive: true });
      write(file, '');
    }
    write('.env.x', 'NODE_OPTIONS=--require ./lib/evil.js\nPATH=/usr/bin\n');
    const servers = {
      path: { command: 'tool', env: { PATH: './bin:/usr/bin' } },
      folder: { command: 'tool', env: { PATH: '${workspaceFolder}/bin:/usr/bin' } },
      here: { command: 'tool', env: { PATH: '.:/usr/bin' } },
      modules: { command: 'tool', env: { PYTHONPATH: 'lib' } },
      cd: { command: 'sh', args: ['-c', 'cd sub && ./run.sh'] },
      volume: { command: 'tool', args: ['-v', './sub:/w'] },
      url: { command: 'tool', args: ['--import', `file://${repo}/evil.mjs`] },
      variable: { command: 'sh', args: ['-c', '"$PWD/r.sh"'] },
      option: { command: 'tool', args: ['-r./evil.mjs'] },
      pattern: { command: 'sh', args: ['-c', 'sh ./r.?h'] },
      escaped: { command: 'sh', args: ['-c', './a\\;b.sh; sh ./r"."sh'] },
      direnv: { command: 'direnv', args: ['exec', '.', 'x'] },
      envFile: { command: 'tool', envFile: '.env.x' },
    };
    const rig = await host(servers);
    try {
      const found = await Promise.all(
        rig.host.views.map(async ({ definition: { name, entry } }) => [name, await rig.host.filesOf(entry)] as const),
      );
      assert.deepEqual(Object.fromEntries(found), {
        path: ['bin/'],
        folder: ['bin/'],
        here: ['./'],
        modules: ['lib/'],
        cd: ['sub/'],
        volume: ['sub/'],
        url: ['evil.mjs'],
        variable: ['r.sh'],
        option: ['evil.mjs'],
        pattern: ['./'],
        escaped: ['a;b.sh', 'r.sh'],
        direnv: ['.envrc'],
        envFile: ['.env.x', 'lib/evil.js'],
      });
    } finally {
      await rig.stop();
    }
  });

  it('A kept answer to an input, for a server that is defined otherwise now', async () => {
    const inputs = [{ id: 'key', type: 'promptString', password: true }];
    const entry = (url: string, name = 's', scope: 'project' | 'user' = 'project'): ServerEntry => ({
      ...entryOf({ type: 'http', url, headers: { A: '${input:key}' } }, inputs, scope),
      name,
    });
    const asked: (KnownAnswer | undefined)[] = [];
    const kept = new Map<string, string>();
    const secrets = {
      get: async (key: string) => kept.get(key),
      set: async (key: string, value: string | undefined) =>
        void (value === undefined ? kept.delete(key) : kept.set(key, value)),
    };
    const ask = async (_input: unknown, _server: string, known?: KnownAnswer): Promise<string> => {
      asked.push(known);
      return `answer ${asked.length}`;
    };
    const session = (): ServerValues => new ServerValues({ ask, secrets, runCommand: async () => undefined });
    const [good, evil] = [entry('https://good.example'), entry('https://evil.example')];
    const value = (values: ServerValues, of: ServerEntry): Promise<string | undefined> =>
      values.input(of, of.inputs![0]!);
    const first = session();
    assert.equal(await value(first, good), 'answer 1');
    // It is suggested, and asked about, also in another session.
    assert.equal(await value(first, evil), 'answer 2');
    assert.equal(await value(session(), good), 'answer 3');
    assert.equal(await value(session(), good), 'answer 3');
    assert.deepEqual(
      asked.map((known) => known?.value),
      [undefined, 'answer 1', 'answer 2'],
    );
    assert.equal(await value(session(), entry('https://good.example', 'other')), 'answer 4');
    // The user's own files, too: an install link adds servers to them.
    const mine = session();
    assert.equal(await value(mine, entry('https://good.example', 's', 'user')), 'answer 5');
    assert.equal(await value(mine, entry('https://evil.example', 'new', 'user')), 'answer 6');
    await session().forget([
      ...[good, entry('https://good.example', 'other')],
      ...['s', 'new'].map((name) => entry('https://good.example', name, 'user')),
    ]);
    assert.equal(kept.size, 0);
  });

  const folderA = { name: 'a', path: '/w/a' };
  const folderB = { name: 'b', path: '/w/b' };
  const project = (servers: Record<string, unknown>, folder = folderA): SourceResult =>
    resultOf(sourceOf({ scope: 'project', file: `${folder.path}/.mcp.json`, folder }), servers);

  it('An unapproved entry hides, disables or renames a server of the user’s', () => {
    const user = resultOf(sourceOf({ scope: 'user' }), { s: 'mine', t: 'mine' });
    const local = resultOf(sourceOf({ scope: 'local', folder: folderA }), { s: 'mine' });
    const own = (results: SourceResult[], options: Parameters<typeof decisionsOf>[0] = {}): string[] =>
      mergeServers({ results }, decisionsOf(options))
        .filter(({ entry }) => entry.scope === 'user' || entry.scope === 'local')
        .map(lineOf);
    const mine = ['user s: ready', 'user t: ready'];
    assert.deepEqual(own([project({ s: { command: 'x', disabled: true } }), user]), mine);
    assert.deepEqual(own([project({ s: { disabled: true } }), user]), mine);
    assert.deepEqual(own([project({ other: { command: 'mine', disabled: true } }), user]), mine);
    const byUser = { isDisabled: (id: string) => id.startsWith('project:') };
    assert.deepEqual(own([project({ s: 'x' }), user], byUser), mine);
    const byEditor = { hosting: 'editor', editorHosts: ({ scope }: ServerEntry) => scope === 'project' } as const;
    assert.deepEqual(own([project({ s: 'x', other: 'mine' }), user], byEditor), mine);
    assert.deepEqual(own([local, project({ s: 'x' }, folderB)]), ['local s: ready']);
    assert.deepEqual(
      mergeServers({ results: [local, project({ s: 'x' }, folderB)] }, decisionsOf()).map(({ name }) => name),
      ['s', 's (b)'],
    );
    // Of what was approved before, an edit that isn't approved disables nothing either.
    const approved = project({ s: 'x' });
    const { entry, id } = { entry: approved.entries[0]!, id: definitionId(approved.source, 's') };
    const approval = (of: string): { fingerprint: string; verdict: 'approved' } | undefined =>
      of === id ? { fingerprint: fingerprintOf(entry), verdict: 'approved' } : undefined;
    assert.deepEqual(own([approved, user], { approval })[0], 'user s: shadowed by project');
    assert.deepEqual(own([project({ s: { command: 'y', disabled: true } }), user], { approval }), mine);
  });
});
