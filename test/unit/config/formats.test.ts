import assert from 'node:assert/strict';
import { clientOf } from '../../../src/config/clients/clientConventions.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { readToml } from '../../../src/config/syntax/readToml.ts';
import type { ConfigSource, ServerEntry, TextEdit } from '../../../src/config/configTypes.ts';
import { sourceOf } from './sources.ts';

const read = (file: string, text: string, options: Partial<ConfigSource> = {}): ReturnType<typeof parseSource> =>
  parseSource({ ...sourceOf({ file }), ...options }, text, readToml);

const entriesOf = (file: string, value: object, options: Partial<ConfigSource> = {}): readonly ServerEntry[] =>
  read(file, JSON.stringify(value), options).entries;

/** Applies the edit of the only problem with this code. */
const fixed = (text: string, code: string, file = '/w/.mcp.json'): string => {
  const edit = read(file, text).problems.find((problem) => problem.code === code)?.edit;
  assert.ok(edit, `no edit for ${code}`);
  return apply(text, edit);
};
const apply = (text: string, edit: TextEdit): string =>
  text.slice(0, edit.offset) + edit.text + text.slice(edit.offset + edit.length);

describe('config/formats: TOML', () => {
  const text = `# Codex
model = "o"

[mcp_servers.docs]
command = "npx" # runner
args = ["-y", "docs"]
startup_timeout_sec = 20
tool_timeout_sec = 1.5
enabled_tools = ["search"]

[mcp_servers.docs.env]
KEY = "\${KEY}"

[mcp_servers."odd name"]
url = "https://h/mcp"
bearer_token_env_var = "TOKEN"
env_http_headers = { "X-Org" = "ORG" }

[mcp_servers.bad]
command = 'x'
args = ["a", 1]
`;

  it('reads the servers of Codex', () => {
    const { entries, broken, problems, parsed } = read('/h/.codex/config.toml', text, { format: 'settings' });
    assert.equal(parsed, true);
    assert.deepEqual(
      entries.map(({ name, range }) => [name, range.line, range.column, range.length]),
      [
        ['docs', 4, 14, 4],
        ['odd name', 14, 14, 10],
      ],
    );
    assert.deepEqual(entries[0]?.transport, {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'docs'],
      env: { KEY: '${KEY}' },
    });
    assert.deepEqual([entries[0]?.handshakeTimeoutMs, entries[0]?.callTimeoutMs], [20_000, 1500]);
    assert.deepEqual(entries[0]?.tools, { enabled: ['search'] });
    assert.deepEqual(entries[1]?.transport, {
      type: 'url',
      url: 'https://h/mcp',
      headers: { 'X-Org': '${env:ORG}', Authorization: 'Bearer ${env:TOKEN}' },
    });
    assert.deepEqual(
      broken.map(({ name, problem }) => [name, problem.code, problem.range.line]),
      [['bad', 'invalid-args', 21]],
    );
    assert.equal(problems.length, 1);
  });

  it('an error costs the entry that it stands in, and is told there', () => {
    const { parsed, entries, broken, problems } = read(
      '/c.toml',
      `${text}\n[mcp_servers.last]\ncommand = \nargs = []\n`,
    );
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['docs', 'odd name'],
    );
    assert.deepEqual([parsed, broken.map(({ name }) => name)], [true, ['bad', 'last']]);
    const fault = problems.find(({ code }) => code === 'invalid-toml');
    assert.deepEqual([fault?.severity, fault?.serverName, fault?.range.line], ['error', 'last', 24]);
  });

  const SPOILED: Readonly<Record<string, string>> = {
    'a backslash in double quotes': '[mcp_servers.a]\ncommand = "F:\\deep"',
    'the same in a list of several lines': '[mcp_servers.a]\ncommand = "x"\nargs = [\n  "C:\\y",\n  "z",\n]',
    'the same in a table below': '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nK = "C:\\q"',
    'the same in a value on one line': '[mcp_servers]\na = { command = "C:\\q" }',
    'a string without its end': '[mcp_servers.a]\ncommand = "npx',
    'a string of several lines without its end': '[mcp_servers.a]\ncommand = """npx',
    'a list without its end': '[mcp_servers.a]\ncommand = "x"\nargs = ["y"',
    'a header without its bracket': '[mcp_servers.a\ncommand = "x"',
    'a key given twice': '[mcp_servers.a]\ncommand = "x"\ncommand = "y"',
    'a table given twice': '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a]\ncommand = "y"',
    'a key of two words': '[mcp_servers.a]\ncommand = "x"\nfoo bar = 1',
    'a value without quotes': '[mcp_servers.a]\ncommand = npx',
    'typographic quotes': '[mcp_servers.a]\ncommand = “npx”',
  };
  for (const [what, spoiled] of Object.entries(SPOILED))
    it(`${what} costs that server alone`, () => {
      const before = spoiled.startsWith('[mcp_servers]') ? '' : '[mcp_servers.first]\ncommand = "1"\n';
      const after = '\n[mcp_servers.z]\ncommand = "z"\n[mcp_servers.z.env]\nK = "v"\n';
      const { parsed, entries, broken, problems } = read('/c.toml', before + spoiled + after);
      assert.deepEqual(
        [parsed, entries.map(({ name }) => name), broken.map(({ name }) => name)],
        [true, before === '' ? ['z'] : ['first', 'z'], ['a']],
      );
      assert.deepEqual(entries.at(-1)?.transport, { type: 'stdio', command: 'z', args: [], env: { K: 'v' } });
      assert.deepEqual(
        problems.map(({ code, serverName }) => [code, serverName]),
        [['invalid-toml', 'a']],
      );
    });

  it('an error in a key that is no server’s costs no server', () => {
    const { parsed, entries, problems } = read('/c.toml', 'notify = ["C:\\x"]\n[mcp_servers.a]\ncommand = "x"\n');
    assert.deepEqual([parsed, entries.map(({ name }) => name)], [true, ['a']]);
    assert.deepEqual([problems[0]?.code, problems[0]?.range.line], ['invalid-toml', 1]);
  });

  it('keeps the tables before an error that stands in none', () => {
    const { parsed, entries } = read('/c.toml', '= 1\n[mcp_servers.a]\ncommand = "x"\n');
    assert.deepEqual([parsed, entries], [false, []]);
  });

  it('places keys behind multi-line values', () => {
    const odd =
      'a = """\n[mcp_servers.fake]\n"""\nb = [\n  "]", # ]\n]\nc = { d = "}" }\n[mcp_servers]\nx.command = "x"\n';
    const { entries } = read('/c.toml', odd);
    assert.deepEqual(
      entries.map(({ name, range }) => [name, range.line]),
      [['x', 9]],
    );
  });
});

describe('config/formats: other clients', () => {
  for (const [file, client] of [
    ['/w/.vscode/mcp.json', 'vscode'],
    ['/w/.mcp.json', 'claude-code'],
    ['C:\\w\\.roo\\mcp.json', 'roo'],
    ['/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', 'cline'],
    ['/h/.codeium/windsurf/mcp_config.json', 'windsurf'],
    ['/h/.gemini/settings.json', 'gemini'],
    ['/h/.config/zed/settings.json', 'zed'],
    ['/h/.config/opencode/opencode.json', 'opencode'],
    ['/w/other.json', undefined],
  ] as const)
    it(`${file} is ${client ?? 'nobody’s'}`, () => assert.equal(clientOf(sourceOf({ file })), client));

  it('units of timeout', () => {
    const timeoutIn = (file: string, timeout: unknown): unknown => {
      const [entry] = entriesOf(file, { mcpServers: { a: { command: 'x', timeout } } });
      return [entry?.handshakeTimeoutMs, entry?.callTimeoutMs];
    };
    assert.deepEqual(timeoutIn('/w/.roo/mcp.json', 300), [undefined, 300_000]);
    assert.deepEqual(timeoutIn('/w/cline_mcp_settings.json', 60), [undefined, 60_000]);
    assert.deepEqual(timeoutIn('/w/.mcp.json', 60_000), [undefined, 60_000]);
    assert.deepEqual(timeoutIn('/w/.mcp.json', 60), [undefined, undefined]);
    assert.deepEqual(timeoutIn('/w/.mcp.json', 1e15), [undefined, 2_147_483_647]);
    assert.deepEqual(timeoutIn('/w/opencode.json', { startup: 5000, execution: 9000 }), [5000, 9000]);
    assert.equal(
      fixed('{"mcpServers":{"a":{"command":"x","timeout":60}}}', 'short-timeout'),
      '{"mcpServers":{"a":{"command":"x","timeout":60000}}}',
    );
  });

  it('opencode: mcp, array command, environment, {env:VAR}', () => {
    const [entry] = entriesOf(
      '/w/opencode.json',
      {
        mcp: { a: { type: 'local', command: ['npx', 'x'], environment: { K: '{env:KEY}' }, enabled: false } },
      },
      { format: 'settings' },
    );
    assert.deepEqual(entry?.transport, { type: 'stdio', command: 'npx', args: ['x'], env: { K: '${env:KEY}' } });
    assert.equal(entry?.disabled, true);
  });

  it('Gemini: httpUrl, $VAR, tool lists', () => {
    const [entry] = entriesOf(
      '/w/.gemini/settings.json',
      {
        mcpServers: {
          a: { httpUrl: 'https://h', headers: { K: '$KEY ${KEY} $env:KEY' }, includeTools: ['a'], excludeTools: ['b'] },
        },
      },
      { format: 'settings' },
    );
    assert.deepEqual(entry?.transport, {
      type: 'http',
      url: 'https://h',
      headers: { K: '${env:KEY:-$KEY} ${KEY} ${env:KEY}' },
    });
    assert.deepEqual(entry?.tools, { enabled: ['a'], disabled: ['b'] });
  });

  it('Zed: a command that is an object, and servers of extensions', () => {
    const { entries, problems } = read(
      '/h/.config/zed/settings.json',
      JSON.stringify({
        context_servers: {
          a: { command: { path: 'x', args: ['--y'], env: { K: '${K}' } }, settings: {} },
          b: { source: 'extension', settings: { token: 't' } },
          c: { command: { args: [] } },
        },
      }),
      { format: 'settings' },
    );
    assert.deepEqual(
      entries.map(({ name, transport }) => [name, transport]),
      [['a', { type: 'stdio', command: 'x', args: ['--y'], env: { K: '${K}' } }]],
    );
    assert.deepEqual(
      entries[0]?.variables?.map(({ field }) => field),
      ['env.K'],
    );
    assert.deepEqual(
      problems.map(({ code, severity }) => [code, severity]),
      [
        ['of-an-extension', 'hint'],
        ['invalid-command', 'error'],
      ],
    );
  });

  it('alwaysAllow, autoApprove, disabledTools, `tools: ["*"]`', () => {
    const [one, two] = entriesOf('/w/x.json', {
      a: { command: 'x', alwaysAllow: ['r'], disabledTools: ['w'], tools: ['*'] },
      b: { command: 'x', autoApprove: ['s'] },
    });
    assert.deepEqual([one?.autoApprove, one?.tools, two?.autoApprove], [['r'], { disabled: ['w'] }, ['s']]);
  });

  it('a part of a file: workspace settings, dev containers, a project of Claude Code', () => {
    const servers = { a: { command: 'x' } };
    const settings = { format: 'settings' } as const;
    const names = (value: object, ...within: string[]): string[] =>
      entriesOf('/w/x.json', value, { ...settings, within }).map(({ name }) => name);
    assert.deepEqual(names({ folders: [], settings: { mcp: { servers } } }, 'settings'), ['a']);
    assert.deepEqual(names({ folders: [], settings: { 'mcp.servers': servers } }, 'settings'), ['a']);
    assert.deepEqual(names({ customizations: { vscode: { mcp: { servers } } } }, 'customizations', 'vscode'), ['a']);
    assert.deepEqual(names({ projects: { 'C:/w': { mcpServers: servers } } }, 'projects', 'C:\\w'), ['a']);
    assert.deepEqual(names({ mcpServers: servers }, 'projects', '/w'), []);
  });
});

describe('config/formats: inputs', () => {
  it('belong to the entries that name them', () => {
    const inputs = [
      { id: 'key', type: 'promptString', description: 'd', password: true },
      { id: 'pick', type: 'pickString', options: ['a', { label: 'B', value: 'b' }], default: 'a' },
      { id: 'run', type: 'command', command: 'do.it', args: { a: [1, null] } },
      { id: 'unused', type: 'promptString' },
    ];
    const server = { command: 'x', args: ['${input:pick}', '${input:run}'], env: { K: '${input:key}' } };
    const [entry] = entriesOf('/w/.vscode/mcp.json', { inputs, servers: { a: server } });
    assert.deepEqual(entry?.inputs, [
      {
        id: 'pick',
        type: 'pickString',
        options: [
          { label: 'a', value: 'a' },
          { label: 'B', value: 'b' },
        ],
        default: 'a',
      },
      { id: 'run', type: 'command', command: 'do.it', args: { a: [1, null] } },
      { id: 'key', description: 'd', type: 'promptString', password: true },
    ]);
  });
  it('may stand beside the servers in `mcp`', () => {
    const mcp = { inputs: [{ id: 'k', type: 'promptString' }], servers: { a: { command: 'x', args: ['${input:k}'] } } };
    const [entry] = entriesOf('/w/.vscode/settings.json', { mcp }, { format: 'settings' });
    assert.equal(entry?.inputs?.length, 1);
  });
  it('that make no sense are warnings', () => {
    const inputs = [
      { type: 'promptString' },
      { id: 'a' },
      { id: 'b', type: 'pickString' },
      { id: 'c', type: 'command' },
      1,
    ];
    const { problems } = read('/w/.vscode/mcp.json', JSON.stringify({ inputs, servers: {} }));
    assert.deepEqual(
      problems.map(({ code }) => code),
      Array(5).fill('invalid-input'),
    );
  });
});

describe('config/formats: variables in entries', () => {
  it('have a field and a place', () => {
    const text = '{"mcpServers":{"a":{"url":"https://${HOST:-h}/x","headers":{"A":"Bearer ${env:TOKEN}"}}}}';
    const [entry] = read('/w/.mcp.json', text).entries;
    assert.deepEqual(
      entry?.variables?.map(({ variable, field, range }) => [
        variable,
        field,
        text.slice(range.offset, range.offset + range.length),
      ]),
      [
        ['HOST', 'url', '${HOST'],
        ['env:TOKEN', 'headers.A', '${env:TOKEN}'],
      ],
    );
  });
});

describe('config/formats: problems with fixes', () => {
  it('a whole command line in command', () => {
    assert.equal(
      fixed('{"mcpServers":{"a":{"command":"npx -y \\"a b\\""}}}', 'command-with-arguments'),
      '{"mcpServers":{"a":{"command":"npx", "args": ["-y", "a b"]}}}',
    );
    assert.equal(
      fixed('{"mcpServers":{"a":{"command":"npx -y x", "args": ["--z"]}}}', 'command-with-arguments'),
      '{"mcpServers":{"a":{"command":"npx", "args": ["-y", "x", "--z"]}}}',
    );
    assert.equal(
      fixed('{"mcpServers":{"a":{"args": [], "command":"npx x"}}}', 'command-with-arguments'),
      '{"mcpServers":{"a":{"args": ["x"], "command":"npx"}}}',
    );
  });
  for (const command of [
    'C:\\Program Files\\nodejs\\node.exe',
    '/Applications/My App/bin/x',
    '${HOME}/my app/x',
    'npx',
  ])
    it(`${command} is no command line`, () =>
      assert.deepEqual(read('/w/.mcp.json', JSON.stringify({ a: { command } })).problems, []));

  it('servers and mcpServers confused', () => {
    const entry = '{"a":{"command":"x"}}';
    assert.equal(fixed(`{"servers":${entry}}`, 'other-section'), `{"mcpServers":${entry}}`);
    assert.equal(fixed(`{"mcpServers":${entry}}`, 'other-section', '/w/.vscode/mcp.json'), `{"servers":${entry}}`);
    assert.equal(fixed(`{"mcpServer":${entry}}`, 'unread-section'), `{"mcpServers":${entry}}`);
    assert.equal(fixed(`{"mcp-servers":${entry}}`, 'unread-section', '/w/.vscode/mcp.json'), `{"servers":${entry}}`);
    assert.deepEqual(
      read('/w/x.json', '{"tools":{"a":1}}').problems.map(({ code }) => code),
      ['no-servers'],
    );
  });
  it('a wrong type', () => {
    assert.equal(
      fixed('{"a":{"type":"streamable","url":"https://h"}}', 'unknown-type'),
      '{"a":{"type":"http","url":"https://h"}}',
    );
    assert.equal(fixed('{"a":{"type":"http","command":"x"}}', 'type-mismatch'), '{"a":{"type":"stdio","command":"x"}}');
  });
});

describe('config/formats: oddities', () => {
  it('an odd name is a hint', () => {
    const odd = { command: 'x' };
    const { entries, problems } = read(
      '/w/.mcp.json',
      JSON.stringify({ 'a b': odd, 'io.x/y': odd, 'é!': odd, ['n'.repeat(65)]: odd, '': odd }),
    );
    assert.equal(entries.length, 4);
    assert.deepEqual(
      problems.map(({ code, severity }) => `${code} ${severity}`),
      ['odd-name hint', 'odd-name hint', 'empty-name error'],
    );
  });
  it('duplicates are warnings; the last one counts', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y","args":[],"args":["z"]}}}';
    const { entries, problems } = read('/w/.mcp.json', text);
    assert.deepEqual(
      entries.map(({ transport }) => transport),
      [{ type: 'stdio', command: 'y', args: ['z'], env: {} }],
    );
    assert.deepEqual(
      problems.map(({ code, severity }) => `${code} ${severity}`),
      ['duplicate-key warning', 'duplicate-server warning'],
    );
  });
  it('a disabled entry that is broken is silent', () => {
    const { broken, problems } = read('/w/.mcp.json', '{"a":{"disabled":true,"command":""},"b":{"command":"x"}}');
    assert.deepEqual([broken[0]?.disabled, problems.map(({ severity }) => severity)], [true, ['hint']]);
  });
  it('sandboxEnabled', () =>
    assert.equal(entriesOf('/w/x.json', { a: { command: 'x', sandboxEnabled: true } })[0]?.sandboxed, true));
});

describe('config/formats: headers under two names', () => {
  it('of one in any case, the field that counts most is sent alone', () => {
    const [entry] = entriesOf('/w/.mcp.json', {
      mcpServers: {
        a: {
          url: 'https://x.example',
          http_headers: { authorization: 'Bearer old', 'X-One': '1' },
          headers: { Authorization: 'Bearer new' },
        },
      },
    });
    assert.ok(entry && 'headers' in entry.transport);
    assert.deepEqual(entry.transport.headers, { Authorization: 'Bearer new', 'X-One': '1' });
  });

  it('no quick fix makes an object of a list of headers, whose values can have the sign', () => {
    const { problems } = read(
      '/w/.mcp.json',
      '{ "mcpServers": { "a": { "url": "https://x.example", "headers": ["X-Key:abc=="] } } }',
    );
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.edit, undefined);
  });
});

describe('config/formats: lists of servers', () => {
  it('a rule that can’t be read is named, with what comes of it', () => {
    const text = JSON.stringify({
      allowedServers: ['a', { nmae: 'x' }],
      deniedServers: [{ name: 'a', url: 'https://b/*' }, 'b', ''],
    });
    const { rules, ...rest } = read('/etc/mcp-switchboard/managed-mcp.json', text, { scope: 'enterprise' });
    const problems = rest.problems.filter(({ code }) => code === 'invalid-rule');
    assert.deepEqual(
      problems.map(({ range }) => text.slice(range.offset, range.offset + range.length)),
      ['{"nmae":"x"}', '{"name":"a","url":"https://b/*"}', '""'],
    );
    assert.match(problems[0]?.message ?? '', /allows no server/);
    assert.match(problems[1]?.message ?? '', /no server can run/);
    assert.ok(rules?.denied.some((rule) => rule.kind === 'name' && rule.pattern === '*'));
  });

  it('of a managed file are read, so nothing says that they aren’t; the same in a folder’s file restricts nothing', () => {
    const lists = { allowedServers: ['a', 'b'], deniedMcpServers: ['b'] };
    for (const content of [lists, { mcpServers: { a: { command: 'x' } }, ...lists }]) {
      const managed = read('/etc/mcp-switchboard/managed-mcp.json', JSON.stringify(content), { scope: 'enterprise' });
      assert.deepEqual(managed.problems, []);
      assert.deepEqual([managed.rules?.allowed?.length, managed.rules?.denied.length], [2, 1]);
    }
    const { problems } = read('/w/.mcp.json', JSON.stringify({ mcpServers: { a: { command: 'x' } }, ...lists }));
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['unread-restriction', 'unread-restriction'],
    );
  });

  it('under both names: the one that isn’t read is told', () => {
    const text = JSON.stringify({ mcpServers: {}, deniedServers: ['a'], deniedMcpServers: ['b'] });
    const { problems } = read('/etc/mcp-switchboard/managed-mcp.json', text, { scope: 'enterprise' });
    assert.match(problems[0]?.message ?? '', /`deniedMcpServers` isn’t read here/);
  });
});
