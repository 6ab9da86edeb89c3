import assert from 'node:assert/strict';
import { exportLink, LINK_KINDS } from '../../../../src/config/clients/exportLinks.ts';
import { exportServers } from '../../../../src/config/clients/exportServers.ts';
import { CLIENT_FORMS } from '../../../../src/config/clients/clientForms.ts';
import { entryAsJson } from '../../../../src/config/clients/importServers.ts';
import { CLIENTS, type ClientId, type ServerEntry, type TransportSpec } from '../../../../src/config/configTypes.ts';
import { readPasted } from '../../../../src/config/paste/readPasted.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../../src/config/syntax/readYaml.ts';
import { sourceOf } from '../sources.ts';

const FULL = {
  inputs: [{ id: 'key', type: 'promptString', description: 'The key', password: true }],
  mcpServers: {
    local: {
      command: 'npx',
      args: ['-y', 'notes server', '--flag=a "b"', 'ünï\\x'],
      env: { LEVEL: 'info', 'odd.name': 'x' },
      timeout: 90_000,
      disabledTools: ['delete_*'],
    },
    folder: { command: './run', cwd: 'src' },
    http: { type: 'http', url: 'https://mcp.example.com/a?b=c', headers: { 'X-Region': 'eu' }, timeout: 2_500 },
    sse: { type: 'sse', url: 'https://mcp.example.com/sse' },
    open: { url: 'https://mcp.example.com/mcp' },
    off: { command: 'off', disabled: true },
    only: { command: 'only', enabledTools: ['a', 'b'] },
    'a name': { command: 'x' },
  },
};

function entriesOf(client: ClientId, text: string, language: 'json' | 'toml'): readonly ServerEntry[] {
  const file = language === 'toml' ? '/h/.codex/config.toml' : '/h/some.json';
  const source = { ...sourceOf({ file, format: 'settings', scope: 'user' }), client, format: 'mcp' as const };
  const { entries, problems } = parseSource(source, text, readToml);
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error'),
    [],
  );
  return entries;
}

const given = parseSource(sourceOf(), JSON.stringify(FULL)).entries;

/** The parts of a definition that every client could keep. */
function core({ name, transport, disabled, callTimeoutMs, tools }: ServerEntry): object {
  return { name, transport, disabled, callTimeoutMs, tools };
}

/** What a client's files can't say, as its form says: types of addresses that are one, lists of tools, a server that is off. */
function expected(entry: ServerEntry, client: ClientId): object {
  const { type } = entry.transport;
  const form = CLIENT_FORMS[client];
  const typed = new Set<ClientId>(['vscode', 'claude-code', 'cline', 'roo', 'kilo', 'amazon-q', 'copilot']);
  const single = new Set<ClientId>(['codex', 'opencode', 'zed']);
  const transport: TransportSpec =
    type === 'stdio' || type === 'sdk'
      ? entry.transport
      : { ...entry.transport, type: single.has(client) ? 'url' : type === 'url' && typed.has(client) ? 'http' : type };
  const enabled = form.tools?.[0] === undefined ? undefined : entry.tools?.enabled;
  const disabled = form.tools?.[1] === undefined ? undefined : entry.tools?.disabled;
  const tools =
    enabled || disabled ? { ...(enabled ? { enabled } : {}), ...(disabled ? { disabled } : {}) } : undefined;
  return core({
    ...entry,
    transport,
    disabled: entry.disabled && form.off !== undefined,
    ...(tools ? { tools } : { tools: undefined as never }),
  });
}

describe('config/exportServers', () => {
  for (const client of CLIENTS)
    it(`gives ${client} the same definitions that are read back from its file`, () => {
      const { text, language } = exportServers(given, client);
      assert.equal(language, client === 'codex' ? 'toml' : 'json');
      assert.deepEqual(
        entriesOf(client, text, language).map(core),
        given.map((entry) => expected(entry, client)),
      );
    });

  for (const client of CLIENTS)
    it(`what ${client}’s form can’t hold is said`, () => {
      const { notes } = exportServers(given, client);
      const { off, tools } = CLIENT_FORMS[client];
      assert.equal(
        notes.some((note) => note.includes('turned off')),
        off === undefined,
      );
      assert.equal(
        notes.some((note) => note.includes('all tools of “only”')),
        tools?.[0] === undefined,
      );
    });

  const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const secrets = parseSource(
    sourceOf(),
    JSON.stringify({
      inputs: [{ id: 'pin', type: 'promptString', password: true, default: SECRET }],
      mcpServers: {
        env: {
          command: 'x',
          args: ['--token', SECRET, '-u', `me:${SECRET}`],
          env: { API_KEY: SECRET, P: '${input:pin}' },
        },
        fallback: { command: 'x', env: { GH: `\${GITHUB_TOKEN:-${SECRET}}` } },
        header: {
          type: 'http',
          url: `https://mcp.example.com/x?token=${SECRET}`,
          headers: { Authorization: `Bearer ${SECRET}` },
          headersHelper: `print --token ${SECRET}`,
          oauth: { clientId: 'id', clientSecret: SECRET },
        },
        shell: { command: 'sh', args: ['-c', `curl -H "Authorization: Bearer ${SECRET}" https://x | cat`] },
      },
    }),
  ).entries;

  it('the servers with secrets are read', () => assert.equal(secrets.length, 4));

  for (const client of CLIENTS)
    it(`gives ${client} no secret, and says what to do in its place`, () => {
      const { text, notes } = exportServers(secrets, client);
      assert.ok(!text.includes(SECRET), text);
      assert.ok(!notes.join().includes(SECRET));
      assert.ok(notes.some((note) => note.includes('is left out')));
      if (client !== 'vscode')
        assert.ok(
          notes.some((note) => /Set the environment variable|Replace `</.test(note)),
          notes.join(),
        );
      assert.equal(text.includes('${input:'), client === 'vscode', text);
    });

  const variables = parseSource(
    sourceOf(),
    JSON.stringify({
      mcpServers: {
        a: { command: 'x', args: ['${workspaceFolder}/a'], env: { A: '${A}', B: '${env:B}', C: '${C:-c}' } },
        b: {
          type: 'http',
          url: 'https://h.example',
          headers: { Authorization: 'Bearer ${TOKEN}', 'X-Key': '${env:KEY}' },
        },
      },
    }),
  ).entries;

  it('spells variables as each client does', () => {
    const of = (client: ClientId): string => exportServers(variables, client).text;
    assert.match(of('vscode'), /"A": "\$\{env:A\}"/);
    assert.match(of('claude-code'), /"B": "\$\{B\}"/);
    assert.match(of('claude-code'), /"C": "\$\{C:-c\}"/);
    assert.match(of('opencode'), /"A": "\{env:A\}"/);
    assert.match(of('codex'), /bearer_token_env_var = "TOKEN"/);
    assert.match(of('codex'), /X-Key = "KEY"/);
    const notes = exportServers(variables, 'cline').notes.join('\n');
    for (const each of ['${workspaceFolder}', '${A}', '${env:B}', '${C:-c}', '${TOKEN}'])
      assert.ok(notes.includes(each), each);
    const codex = exportServers(variables, 'codex').notes.join('\n');
    assert.ok(!codex.includes('TOKEN'), codex);
  });

  it('an Add link is read back, without the secrets', () => {
    const context = { platform: 'linux', taken: new Set<string>(), readToml, readYaml } as const;
    for (const kind of LINK_KINDS)
      for (const entry of given.filter(({ disabled }) => !disabled)) {
        const { link } = exportLink(entry, kind, 'vscode://acme.mcp-switchboard') ?? assert.fail();
        const pasted = readPasted(link, context);
        assert.ok('servers' in pasted, JSON.stringify(pasted));
        const [read] = pasted.servers;
        assert.equal(read?.entry.name, entry.name);
        const { type } = entry.transport;
        const isOpen = type === 'url' && kind !== 'cursor';
        assert.deepEqual(read?.entry.transport, isOpen ? { ...entry.transport, type: 'http' } : entry.transport);
      }
    for (const kind of LINK_KINDS)
      for (const entry of secrets) {
        const { link, notes } = exportLink(entry, kind, 'vscode://acme.mcp-switchboard') ?? assert.fail();
        const decoded = [
          decodeURIComponent(link),
          ...link.split('=').map((part) => Buffer.from(decodeURIComponent(part), 'base64').toString()),
        ];
        assert.ok(decoded.every((each) => !each.includes(SECRET)));
        assert.ok(notes.length > 0);
      }
  });

  it('a copy keeps every field, but not which tools run without a question', () => {
    const entry = {
      command: 'x',
      args: ['a'],
      env: { A: 'b' },
      cwd: 'c',
      envFile: '.env',
      timeout: 5_000,
      handshakeTimeoutMs: 6_000,
      discoveryTimeoutMs: 7_000,
      slowStartMs: 1,
      installMs: 2,
      listDebounceMs: 3,
      keepAliveMs: 4_000,
      reconnect: { initialDelayMs: 200, maxAttempts: 1 },
      startMode: 'manual',
      logLevel: 'debug',
      alwaysLoad: true,
      enabledTools: ['a'],
      disabledTools: ['b'],
      toolOverrides: { a: { hidden: true } },
      permissions: { rules: [{ tool: 'a', action: 'ask' }] },
      autoApprove: ['a'],
    };
    const read = (value: object): ServerEntry =>
      parseSource(sourceOf(), JSON.stringify({ mcpServers: { a: value } })).entries[0] ?? assert.fail();
    const before = read(entry);
    const after = read(entryAsJson(before, 'mcpServers'));
    const { autoApprove: _dropped, ...rest } = before;
    const plain = ({ range: _range, variables: _variables, ...fields }: Omit<ServerEntry, 'autoApprove'>): object =>
      fields;
    assert.deepEqual(plain(after), plain(rest));
    assert.deepEqual(before.autoApprove, ['a']);
  });
});
