import assert from 'node:assert/strict';
import { installFault } from '../../../../src/connection/installing/installFault.ts';
import { fetcherOf, startsInstalling } from '../../../../src/connection/installing/processRole.ts';
import { startStep, type StartStep } from '../../../../src/connection/installing/startStep.ts';
import { StartTime } from '../../../../src/connection/installing/startTime.ts';
import { StartWatch } from '../../../../src/connection/installing/startWatch.ts';
import {
  parseCim,
  parseCommands,
  descendants,
  type StartedProcess,
} from '../../../../src/connection/process/startedTree.ts';
import { ManualClock } from '../manualClock.ts';
import { eventually } from '../harness.ts';

/** Each below the one before it, unless it begins with another's number. */
function chain(...commands: readonly (string | Partial<StartedProcess>)[]): readonly StartedProcess[] {
  return commands.map((command, index) => ({
    pid: index + 1,
    parent: index,
    words: typeof command === 'string' ? command.split(' ') : [],
    ...(typeof command === 'string' ? {} : command),
  }));
}
const step = (tree: readonly StartedProcess[], lines: readonly string[] = [], silentMs = 0): StartStep =>
  startStep({ tree, lines, silentMs });
const installing = (tool: string, what?: string, progress?: string): StartStep => ({
  kind: 'installing',
  tool,
  ...(what === undefined ? {} : { what }),
  ...(progress === undefined ? {} : { progress }),
});
const script = (words: string, name: string, event = 'install'): Partial<StartedProcess> => ({
  words: words.split(' '),
  script: event,
  package: name,
});

describe('where a start is', () => {
  const started: StartStep = { kind: 'started' };
  for (const [what, tree, expected] of [
    ['npx by itself', chain('node /usr/bin/npx -y pkg@1'), installing('npx', 'pkg@1')],
    [
      'npm under its title',
      chain({ words: ['npm exec @a/pkg@1.0.9 /tmp/x.db'] }),
      installing('npm exec', '@a/pkg@1.0.9'),
    ],
    ['npx that has begun', chain('npm exec pkg', 'sh -c pkg', 'node /root/.npm/_npx/1/node_modules/.bin/pkg'), started],
    [
      'a script of a package',
      chain(
        'npm exec mcp-sqlite',
        script('sh -c prebuild-install || node-gyp rebuild', 'sqlite3'),
        script('node-gyp', 'sqlite3'),
      ),
      installing('npm exec', 'mcp-sqlite', 'sqlite3: prebuild-install'),
    ],
    [
      'a server that npx runs as a script of its own',
      chain('npm exec pkg', script('node server.js', 'pkg', 'npx')),
      started,
    ],
    ['a shim of a version manager', chain('bash /home/me/.asdf/shims/npx -y pkg'), installing('npx', 'pkg')],
    ['a server behind a script', chain('sh run.sh', 'node server.js'), started],
    ['a shell by itself', chain('bash server.sh'), started],
    ['a script that installs first', chain('sh run.sh', 'npm ci'), installing('npm')],
    ['a script that builds first', chain('sh run.sh', 'cargo build --release', 'rustc x.rs'), installing('cargo')],
    ['uvx', chain('uvx --from pkg server --port 1'), installing('uvx', 'pkg')],
    [
      'uvx that asks Python what it is',
      chain('uvx pkg', '/usr/bin/python3 -I -B -c import get_interpreter_info'),
      installing('uvx', 'pkg', 'python3'),
    ],
    [
      'uvx that builds',
      chain('uvx pkg', '/root/.cache/uv/builds-v0/.tmp1/bin/python -c x'),
      installing('uvx', 'pkg', 'python'),
    ],
    ['uvx that has begun', chain('uvx pkg', '/root/.cache/uv/archive-v0/1/bin/python /x/bin/pkg'), started],
    ['uv run', chain('uv run server.py'), installing('uv run')],
    ['uv tool run', chain('uv tool run pkg'), installing('uv tool', 'pkg')],
    [
      'pipx',
      chain('python3 /usr/bin/pipx run pkg', 'python3 -m pip install pkg'),
      installing('pipx run', 'pkg', 'pip'),
    ],
    [
      'pipx that became the server',
      chain('/root/.local/pipx/.cache/1/bin/python /root/.local/pipx/.cache/1/bin/pkg'),
      started,
    ],
    ['bunx that adds', chain('bunx pkg', 'bun add pkg --no-summary'), installing('bunx', 'pkg', 'bun')],
    ['bun', chain('bun run server.ts'), started],
    ['pnpm dlx', chain('node /usr/bin/pnpm.cjs dlx pkg'), installing('pnpm dlx', 'pkg')],
    ['dnx', chain('dnx Pkg@1.0.0 --yes'), installing('dnx', 'Pkg@1.0.0')],
    ['go run', chain('go run .', 'compile -o x'), installing('go run', undefined, 'compile')],
    ['docker that runs', chain('docker run -i --rm -e KEY=secret image'), started],
    ['an argument that may be a secret', chain('npx --token abc pkg'), installing('npx')],
    ['an address with a password', chain('npx -y https://me:pw@host/pkg.tgz'), installing('npx')],
    ['node', chain('node server.js'), started],
    ['nothing that can be seen', [], { kind: 'unknown' }],
  ] as const satisfies readonly (readonly [string, readonly StartedProcess[], StartStep])[]) {
    it(what, () => assert.deepEqual(step(tree), expected));
  }

  it('what the output says of an image, until it is there', () => {
    const tree = chain('docker run -i mcp/git');
    const lines = [
      "Unable to find image 'mcp/git:latest' locally",
      'latest: Pulling from mcp/git',
      'aaaaaaaaaaaa: Pulling fs layer',
    ];
    assert.deepEqual(step(tree, lines), installing('docker', 'mcp/git:latest', '0 of 1 layers'));
    const done = [...lines, 'aaaaaaaaaaaa: Pull complete', 'Status: Downloaded newer image for mcp/git:latest'];
    assert.deepEqual(step(tree, done), started);
    assert.deepEqual(
      step(chain('podman run x'), ['Trying to pull docker.io/x:1...']),
      installing('podman', 'docker.io/x:1', 'Trying to pull docker.io/x:1...'),
    );
  });

  it('what Deno fetches in the process of the server, as long as it says something', () => {
    const lines = ['Download https://jsr.io/@a/b/mod.ts'];
    assert.equal(step(chain('deno run mod.ts'), lines, 1000).kind, 'installing');
    assert.equal(step(chain('deno run mod.ts'), lines, 20_000).kind, 'started');
  });

  it('the package that npm names, without sequences for a terminal and what hides', () => {
    const lines = [
      'npm warn exec The following package was not found and will be installed: pkg@1.2.3',
      '\u001b[2K\u001b[1A⠙ fetch\u202e',
    ];
    assert.deepEqual(
      step(chain('npm exec pkg'), lines),
      installing('npm exec', 'pkg@1.2.3', String.raw`⠙ fetch\u{202e}`),
    );
  });

  for (const [command, args, expected] of [
    ['npx', ['-y', 'pkg'], true],
    ['C:\\nodejs\\npx.cmd', ['pkg'], true],
    ['cmd', ['/c', 'npx', '-y', 'pkg'], true],
    ['sh', ['-c', 'npx -y pkg'], true],
    ['pnpm', ['dlx', 'pkg'], true],
    ['docker', ['run', '-i', 'image'], false],
    ['node', ['npx'], true],
    ['node', ['server.js'], false],
    ['pnpm', ['run', 'dlx'], false],
  ] as const) {
    it(`${[command, ...args].join(' ')} ${expected ? 'begins' : "doesn't begin"} with an install`, () =>
      assert.equal(startsInstalling({ type: 'stdio', command, args, env: {} }), expected));
  }
  it('docker may fetch, node doesn’t', () => {
    assert.deepEqual(fetcherOf('docker', ['run', 'x']), { tool: 'docker' });
    assert.equal(fetcherOf('node', ['x']), undefined);
  });
});

describe('the processes of a start', () => {
  it('on macOS, where the environment follows the arguments', () => {
    const rows = parseCommands(
      [
        '  501   1 /sbin/launchd',
        '  600 501 npm exec pkg PATH=/usr/bin npm_config_x=1',
        '  601 600 sh -c node-gyp rebuild PATH=/usr/bin npm_lifecycle_event=install npm_package_name=sqlite3',
        'no row',
      ].join('\n'),
    );
    assert.deepEqual(descendants(rows, 600), [
      { pid: 600, parent: 501, words: ['npm', 'exec', 'pkg'] },
      { pid: 601, parent: 600, words: ['sh', '-c', 'node-gyp', 'rebuild'], script: 'install', package: 'sqlite3' },
    ]);
    assert.deepEqual(step(descendants(rows, 600)), installing('npm exec', 'pkg', 'sqlite3: node-gyp'));
  });

  it('on Windows, without a process whose parent’s id is that of another', () => {
    const text = [
      String.raw`100 4 638000000000000100 C:\Windows\system32\cmd.exe /d /s /c "npx.cmd -y pkg"`,
      String.raw`101 100 638000000000000200 "C:\Program Files\nodejs\node.exe" "C:\Program Files\nodejs\node_modules\npm\bin\npx-cli.js" -y pkg`,
      String.raw`102 101 638000000000000300 C:\Windows\system32\cmd.exe /d /s /c node-gyp rebuild`,
      String.raw`103 102 638000000000000400 node.exe "C:\cache\node_modules\node-gyp\bin\node-gyp.js" rebuild`,
      String.raw`104 101 638000000000000050 C:\old\server.exe`,
      '105 1 0 ',
    ].join('\r\n');
    const tree = descendants(parseCim(text), 100);
    assert.deepEqual(
      tree.map(({ pid }) => pid),
      [100, 101, 102, 103],
    );
    assert.deepEqual(step(tree), installing('npx', 'pkg', 'node-gyp'));
    const begun = descendants(
      parseCim(text.replace('node-gyp.js" rebuild', 'server.js"').replace('node-gyp\\bin', 'pkg\\bin')),
      100,
    );
    assert.equal(step(begun).kind, 'started');
  });
});

describe('why an install failed', () => {
  const npx = { tool: 'npx', what: 'pkg' };
  for (const [what, lines, code, says] of [
    [
      'npm',
      ['npm error code ETARGET', 'npm error notarget No matching version found for pkg@9.'],
      'install-failed',
      /No matching version found for pkg@9/,
    ],
    [
      'npm without a network',
      ['npm error code ENOTFOUND', 'npm error request to https://r failed'],
      'unreachable',
      /request to https/,
    ],
    [
      'uv',
      [
        '  × No solution found when resolving tool dependencies:',
        '  ╰─▶ Because pkg was not found in the package registry',
      ],
      'install-failed',
      /not found/,
    ],
    ['pip', ['ERROR: No matching distribution found for pkg'], 'install-failed', /No matching distribution/],
    [
      'docker',
      ['docker: Error response from daemon: pull access denied for x, repository does not exist'],
      'install-failed',
      /pull access denied/,
    ],
    [
      'node-gyp',
      ['gyp ERR! build error', 'gyp ERR! stack Error: `make` failed with exit code: 2'],
      'install-failed',
      /make/,
    ],
  ] as const) {
    it(what, () => {
      const fault = installFault(npx, lines, undefined);
      assert.equal(fault?.code, code);
      assert.match(fault.message, /^npx couldn't install pkg: /);
      assert.match(fault.message, says);
    });
  }
  it('not where the server itself ended', () => {
    assert.equal(installFault(npx, ['Error: no key'], undefined), undefined);
    assert.equal(installFault(npx, ['Installed 12 packages in 3ms', 'error: No key'], undefined), undefined);
    assert.equal(
      installFault(npx, ['docker: Error response from daemon: port is already allocated.'], undefined),
      undefined,
    );
    assert.equal(installFault(undefined, ['npm error code E404'], undefined), undefined);
  });
});

describe('watching a start', () => {
  it('looks only while it is pending, and rarely where a look is costly', async () => {
    for (const [isCostly, everyMs] of [
      [false, 1000],
      [true, 4000],
    ] as const) {
      const clock = new ManualClock();
      const time = new StartTime(clock, 'installing', { installing: 600_000, handshake: 15_000 });
      let looks = 0;
      const watch = new StartWatch({
        clock,
        time,
        isCostly,
        command: ['npx', 'pkg'],
        slowStartMs: 5000,
        readTree: async () => (looks++, chain('npm exec pkg')),
        pid: () => 1,
        lines: () => [],
        onStep: () => undefined,
      });
      clock.advance(everyMs - 1);
      assert.equal(looks, 0);
      clock.advance(1);
      await eventually(() => watch.installing?.tool === 'npx' && clock.pending === 2, 'the first look');
      clock.advance(everyMs);
      assert.equal(looks, 2);
      watch.dispose();
      time.dispose();
      assert.equal(clock.pending, 0);
    }
  });

  it('a limit counts only in its phase', () => {
    const clock = new ManualClock();
    const time = new StartTime(clock, 'handshake', { installing: 1000, handshake: 100 });
    clock.advance(60);
    time.enter('installing');
    clock.advance(900);
    time.enter('handshake');
    clock.advance(39);
    assert.equal(time.isOver, false);
    clock.advance(1);
    assert.equal(time.isOver, true);
    time.dispose();
  });
});
