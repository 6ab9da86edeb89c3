import assert from 'node:assert/strict';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import type { ConfigProblem, ServerEntry } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const parse = (text: string, file: string = '/w/mcp.json'): ReturnType<typeof parseSource> =>
  parseSource(sourceOf({ file, format: /settings|\.codex/.test(file) ? 'settings' : 'mcp' }), text, readToml);
const servers = (map: object): string => JSON.stringify({ mcpServers: map });
const problemsOf = (entry: object, file?: string): readonly ConfigProblem[] =>
  parse(servers({ a: entry }), file).problems;
const entryOf = (entry: object, file?: string): ServerEntry => {
  const [found] = parse(servers({ a: entry }), file).entries;
  assert.ok(found);
  return found;
};
const applied = (text: string, { edit }: ConfigProblem): string => {
  assert.ok(edit);
  return text.slice(0, edit.offset) + edit.text + text.slice(edit.offset + edit.length);
};

describe('config/values: Windows paths whose backslashes are escapes', () => {
  for (const literal of [
    String.raw`"c:\temp\bvb"`,
    String.raw`"D:\\ok\new\x"`,
    String.raw`"--dir=C:\repo\test"`,
    String.raw`".\tools\run.js"`,
    String.raw`"%USERPROFILE%\notes"`,
    String.raw`"\bin"`,
  ])
    it(`a warning at ${literal}, and an edit that doubles them`, () => {
      const text = `{"mcpServers":{"a":{"command":"x","args":[${literal.replace(String.raw`\x`, 'x')}]}}}`;
      const { problems } = parse(text);
      assert.deepEqual(
        problems.map(({ code, severity }) => `${severity} ${code}`),
        ['warning path-escape'],
      );
      const [problem] = problems;
      assert.ok(problem);
      const fixed = parse(applied(text, problem));
      assert.deepEqual(fixed.problems, []);
      const [entry] = fixed.entries;
      assert.ok(entry?.transport.type === 'stdio');
      assert.doesNotMatch(entry.transport.args.join(), /[\b\f\n\r\t]/);
    });

  for (const value of ['C:\\temp\\new', 'one\ttwo\nthree', 'Say:\n- yes', 'https://h/\n'])
    it(`none for ${JSON.stringify(value)}, which says what it means`, () =>
      assert.deepEqual(problemsOf({ command: 'x', args: [value] }), []));

  it('of an escape that is none says which, and nothing of a command line', () => {
    const text = String.raw`{"mcpServers":{"a":{"command":"C:\users\new\run.exe"}}}`;
    const { problems, broken } = parse(text);
    assert.deepEqual(
      problems.map(({ code, message }) => [code, message]),
      [['invalid-escape', '`\\u` must be followed by four hexadecimal digits.']],
    );
    assert.equal(broken[0]?.problem.code, 'invalid-escape');
    const [fixed] = parse(applied(text, problems[0] ?? assert.fail())).entries;
    assert.equal(fixed?.transport.type === 'stdio' && fixed.transport.command, String.raw`C:\users\new\run.exe`);
  });

  it('in TOML, too, where a list has no places of its own', () => {
    const { problems } = parse('[mcp_servers.a]\ncommand = "x"\nargs = ["c:\\temp"]\n', '/w/mcp.toml');
    assert.deepEqual(
      problems.map(({ code, range }) => `${code}@${range.line}`),
      ['path-escape@3'],
    );
    const [broken] = parse('[mcp_servers.a]\ncommand = "C:\\Tools\\x"\n', '/w/mcp.toml').problems;
    assert.match(broken?.fix ?? '', /single quotes/);
  });
});

describe('config/values: lines for a shell', () => {
  for (const [command, program] of [
    ['cd /a/b && nix-shell', 'sh'],
    ['source .venv/bin/activate; python -m server', 'sh'],
    ['KEY=x npx -y foo', 'sh'],
    ['/opt/tool | tee log', 'sh'],
    ['npx -y foo > log.txt', 'sh'],
    ['cd /d C:\\work && npx foo', 'cmd'],
    ['set A=1 && node x', 'cmd'],
  ] as const)
    it(`${command} → ${program}`, () => {
      const text = servers({ a: { command } });
      const { problems } = parse(text);
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['shell-line'],
      );
      const [fixed] = parse(applied(text, problems[0] ?? assert.fail())).entries;
      assert.ok(fixed?.transport.type === 'stdio');
      assert.equal(fixed.transport.command, program);
      assert.equal(fixed.transport.args.at(-1), command);
    });

  it('with arguments of its own there is no edit, since they would be lost', () =>
    assert.equal(problemsOf({ command: 'cd x && y', args: ['z'] })[0]?.edit, undefined));

  it('a program with blanks in its path is no line', () =>
    assert.deepEqual(problemsOf({ command: 'C:\\Program Files (x86)\\R&D\\x.exe' }), []));

  for (const [entry, field] of [
    [{ command: 'npx', args: ['-y', 'x', '&&', 'y'] }, 'args[2]'],
    [{ command: 'uvx', args: ['--dir', '$(pwd)'] }, 'args[1]'],
    [{ command: 'x', env: { TOKEN: '`op read key`' } }, 'env.TOKEN'],
  ] as const)
    it(`no shell reads ${field} of ${JSON.stringify(entry)}`, () => {
      const [problem] = problemsOf(entry);
      assert.equal(problem?.code, 'no-shell');
      assert.match(problem.message, new RegExp(field.replaceAll(/[[\].]/g, '\\$&')));
    });

  for (const entry of [
    { command: 'bash', args: ['-c', 'cd $(git rev-parse --show-toplevel) && npx x'] },
    { command: 'docker', args: ['run', '-i', 'image', 'sh', '-c', 'a && b'] },
    { command: 'cmd', args: ['/c', 'a', '&&', 'b'] },
  ])
    it(`a shell reads ${JSON.stringify(entry.args)}`, () => assert.deepEqual(problemsOf(entry), []));
});

describe('config/values: placeholders', () => {
  for (const value of [
    ...['<API_KEY>', '{{token}}', 'your-api-key', 'your_github_token_here', 'YOUR_TOKEN_HERE', 'YOUR_BRAVE_API_KEY'],
    ...['Bearer <token>', 'xxxxxxxx', 'sk-xxxxxxxx', 'sk-...', 'changeme', 'REPLACE_ME', 'API_KEY_HERE', '[your key]'],
    ...['insert your api key', 'your api key'],
  ])
    it(`${value} is one`, () => {
      const [problem] = problemsOf({ command: 'x', env: { KEY: value } });
      assert.equal(problem?.code, 'placeholder');
      assert.ok(problem.message.includes(value.replace('Bearer ', '')));
    });

  it('a variable whose `$` was left out, unless other clients have it so', () => {
    const [problem] = problemsOf({ command: 'x', args: ['{workspaceFolder}/dist/server.js'] });
    assert.equal(problem?.code, 'placeholder');
    assert.equal(problem.edit?.text, '${workspaceFolder}');
    for (const value of ['{env:TOKEN}', '${workspaceFolder}', '{{workspaceFolder}}', '{"userHome":1}', '{workspace}'])
      assert.ok(!problemsOf({ command: 'x', args: [value] }).some(({ edit }) => edit?.text.startsWith('${')), value);
  });

  it('in arguments, addresses and folders', () => {
    const codes = [
      { command: 'x', args: ['--dir=/path/to/project'] },
      { command: 'x', cwd: '<folder>' },
      { url: 'https://<env-name>.example.com/mcp' },
      { url: 'https://h/?key=YOUR_API_KEY' },
      { url: 'https://h', headers: { Authorization: 'Bearer YOUR_TOKEN' } },
    ].map((entry) => problemsOf(entry).map(({ code }) => code));
    assert.deepEqual(
      codes,
      codes.map(() => ['placeholder']),
    );
  });

  it('`$input:x` and a shell’s `$HOME` can be put right', () => {
    for (const [written, meant] of [
      ['$input:token', '${input:token}'],
      ['$HOME/x', '${HOME}/x'],
    ] as const) {
      const text = servers({ a: { command: 'x', env: { KEY: written } } });
      const [problem] = parse(text).problems;
      assert.ok(problem);
      assert.equal(problem.code, 'placeholder');
      assert.ok(applied(text, problem).includes(JSON.stringify(meant)));
    }
  });

  for (const value of [
    ...['${input:key}', 'Manage your tasks here', 'a<b', 'pa$$word', 'yourself', 'over-here-we-go', '/srv/path/tools'],
    ...['SELECT * FROM t WHERE a < 3 AND b > 4', '$5', 'sk-9f8e7d6c5b4a'],
  ])
    it(`${value} is none`, () => assert.deepEqual(problemsOf({ command: 'x', env: { KEY: value } }), []));

  it('of a disabled server only a hint', () =>
    assert.equal(problemsOf({ command: 'x', env: { K: '<API_KEY>' }, disabled: true })[0]?.severity, 'hint'));
});

describe('config/values: variables as each client has them', () => {
  it('a script keeps PowerShell’s own, an argument gets ours', () => {
    const argsOf = (command: string, ...args: string[]): readonly string[] => {
      const { transport } = entryOf({ command, args });
      return transport.type === 'stdio' ? transport.args : [];
    };
    assert.deepEqual(argsOf('pwsh', '-NoProfile', '-Command', '$env:A', '$env:B'), [
      ...['-NoProfile', '-Command', '$env:A', '$env:B'],
    ]);
    assert.deepEqual(argsOf('powershell.exe', '-c', '$env:KEY = "x"; npx y'), ['-c', '$env:KEY = "x"; npx y']);
    assert.deepEqual(argsOf('x', '$env:KEY = 1; y', '$env:KEY=1', "'$env:KEY'"), [
      ...['$env:KEY = 1; y', '$env:KEY=1', "'$env:KEY'"],
    ]);
    assert.deepEqual(argsOf('x', '$env:KEY', '--key=$env:KEY', '$env:A/b'), [
      ...['${env:KEY}', '--key=${env:KEY}', '${env:A}/b'],
    ]);
    const { transport } = entryOf({ url: 'https://h', headersHelper: 'echo $env:A', headers: { A: 'Bearer $env:A' } });
    assert.deepEqual(transport, {
      ...{ type: 'url', url: 'https://h', headersHelper: 'echo $env:A', headers: { A: 'Bearer ${env:A}' } },
    });
  });

  it('opencode’s', () => {
    const { transport } = entryOf(
      { command: 'x', env: { A: '{env:A}', B: '{file:~/.key}', C: '${env:C}' } },
      '/w/opencode.json',
    );
    assert.deepEqual(transport.type === 'stdio' && transport.env, {
      A: '${env:A}',
      B: '${file:~/.key}',
      C: '${env:C}',
    });
  });
});

describe('config/values: what other products have and isn’t read', () => {
  const sections = (text: string, file?: string): string[] =>
    parse(text, file).problems.map(
      ({ code, severity, message }) => `${severity} ${code} ${/`([^`]+)`/.exec(message)?.[1]}`,
    );
  const a = '"mcpServers":{"a":{"command":"x"}}';

  for (const [section, said] of [
    ['"permissions":{"deny":["x"]}', 'warning unread-restriction permissions'],
    ['"hooks":{"PreToolUse":[{}]}', 'warning unread-restriction hooks'],
    ['"security":{"mode":"strict"}', 'warning unread-restriction security'],
    ['"enabledTools":["x"]', 'warning unread-restriction enabledTools'],
    ['"security":{"blockedServers":["x"]}', 'warning unread-restriction security.blockedServers'],
    ['"mcp_server_denylist":["x"]', 'warning unread-restriction mcp_server_denylist'],
    ['"allowedServers":[]', 'warning unread-restriction allowedServers'],
    ['"deniedTools":[]', 'hint unread-key deniedTools'],
    ['"settings":{"requireApproval":true}', 'warning unread-restriction settings.requireApproval'],
    ['"lazyLoading":true', 'hint unread-key lazyLoading'],
    ['"autoConnect":false', 'warning unread-restriction autoConnect'],
    ['"autoConnect":true', 'hint unread-key autoConnect'],
    ['"autoApprove":["x"]', 'hint unread-key autoApprove'],
  ] as const)
    it(section, () => assert.deepEqual(sections(`{${a},${section}}`), [said]));

  it('beside servers in a flat map, and in TOML', () => {
    assert.deepEqual(sections('{"a":{"command":"x"},"permissions":{"deny":["b"]},"autoConnect":true}'), [
      ...['warning unread-restriction permissions', 'hint unread-key autoConnect'],
    ]);
    const toml = '[mcp_servers.a]\ncommand = "x"\n[security]\nmcp_server_denylist = ["b"]\n';
    assert.deepEqual(sections(toml, '/w/.codex/config.toml'), [
      'warning unread-restriction security.mcp_server_denylist',
    ]);
  });

  it('of a settings file only what restricts servers', () => {
    const gemini = `{${a},"theme":"x","security":{"auth":{"selectedType":"oauth"}},"mcp":{"excluded":["b"]}}`;
    assert.deepEqual(sections(gemini, '/w/.gemini/settings.json'), ['warning unread-restriction mcp.excluded']);
    assert.deepEqual(sections(`{${a},"security.workspace.trust.enabled":true}`, '/w/.vscode/settings.json'), []);
  });

  it('in an entry', () => {
    const codes = (entry: object): string[] =>
      problemsOf(entry).map(({ code, severity, message }) => `${severity} ${code} ${/`([^`]+)`/.exec(message)?.[1]}`);
    assert.deepEqual(
      codes({ url: 'https://h', apiKey: 'k', readOnly: true, color: 'red', sandbox: { network: false } }),
      [
        'warning unread-credential apiKey',
        'warning unread-restriction readOnly',
        'hint unknown-field color',
        'warning unread-restriction sandbox',
      ],
    );
  });

  it('acts on the names that others give what is known here', () => {
    const headers = { Authorization: 'Bearer ${T}' };
    for (const entry of [{ requestInit: { headers } }, { requestOptions: { headers } }, { headers }]) {
      assert.deepEqual(problemsOf({ url: 'https://h', ...entry }), []);
      const { transport, variables } = entryOf({ url: 'https://h', ...entry });
      assert.deepEqual(transport, { type: 'url', url: 'https://h', headers });
      assert.deepEqual(
        variables?.map(({ variable, field }) => `${variable} ${field}`),
        ['T headers.Authorization'],
      );
    }
    const tools = entryOf({ command: 'x', allowedTools: ['a'], disallowedTools: ['b'] }).tools;
    assert.deepEqual(tools, { enabled: ['a'], disabled: ['b'] });
  });
});

describe('config/values: variables that Codex forwards', () => {
  const text = '[mcp_servers.a]\ncommand = "x"\nenv_vars = ["TOKEN", { name = "OTHER", source = "local" }, "a b", 5]\n';
  const envOf = (scope: 'workspace' | 'user'): unknown => {
    const source = {
      ...sourceOf({ file: '/w/.codex/config.toml', format: 'settings' }),
      scope,
      client: 'codex',
    } as const;
    const { entries, problems } = parseSource(source, `${text}[mcp_servers.a.env]\nOTHER = "own"\n`, readToml);
    assert.deepEqual(problems, []);
    return entries[0]?.transport.type === 'stdio' ? entries[0].transport.env : undefined;
  };

  it('reach the server of a folder, and are shown before it is approved', () =>
    assert.deepEqual(envOf('workspace'), { TOKEN: '${env:TOKEN:-}', OTHER: 'own' }));

  it('are no concern of a server that has them anyway', () => assert.deepEqual(envOf('user'), { OTHER: 'own' }));
});

describe('config/values: two spellings of one variable', () => {
  const read = (entry: object, platform: NodeJS.Platform): ReturnType<typeof parseSource> =>
    parseSource(sourceOf({ file: '/w/mcp.json' }), servers({ a: { command: 'x', ...entry } }), undefined, platform);
  const envOf = ({ entries: [found] }: ReturnType<typeof parseSource>): object | undefined =>
    found?.transport.type === 'stdio' ? found.transport.env : undefined;

  for (const [what, entry, env] of [
    [
      '`env` counts more than `environment`',
      { env: { Path: 'C:\\a' }, environment: { PATH: 'C:\\b' } },
      { Path: 'C:\\a' },
    ],
    [
      'whatever order they are in',
      { environment: { PATH: 'b', Path: 'c', OTHER: 'd' }, env: { PATH: 'a' } },
      { OTHER: 'd', PATH: 'a' },
    ],
    ['in one object, the last counts', { env: { api_key: '1', Api_Key: '2', API_KEY: '3' } }, { API_KEY: '3' }],
  ] as const)
    it(`on Windows are one value, and it is said: ${what}`, () => {
      const result = read(entry, 'win32');
      assert.deepEqual(envOf(result), env);
      const [kept] = Object.keys(env).slice(-1);
      assert.ok(result.problems.length > 0);
      for (const { code, severity, message } of result.problems) {
        assert.equal(`${severity} ${code}`, 'warning same-variable');
        assert.match(message, new RegExp(`only the value of \`${kept}\` is used`));
      }
    });

  it('elsewhere are two variables', () => {
    const result = read({ env: { http_proxy: 'a' }, environment: { HTTP_PROXY: 'b' } }, 'linux');
    assert.deepEqual(envOf(result), { HTTP_PROXY: 'b', http_proxy: 'a' });
    assert.deepEqual(result.problems, []);
  });
});
