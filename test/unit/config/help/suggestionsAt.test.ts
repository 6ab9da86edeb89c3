import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { ConfigSource } from '../../../../src/config/configTypes.ts';
import { FieldSchemas } from '../../../../src/config/help/fieldSchema.ts';
import { outlineOf } from '../../../../src/config/help/serverOutline.ts';
import type { Suggestion } from '../../../../src/config/help/suggestion.ts';
import { suggestionsAt, type Known } from '../../../../src/config/help/suggestionsAt.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { syntaxOf } from '../../../../src/config/syntax/sourceText.ts';

const schemas = new FieldSchemas(JSON.parse(readFileSync(join(root, 'schemas/mcp.schema.json'), 'utf8')) as JsonObject);

const KNOWN: Known = {
  schemas,
  schemaFields: 'none',
  environment: ['GITHUB_TOKEN', 'HOME'],
  folders: ['app'],
  inputs: [{ id: 'key', type: 'promptString', password: true }],
  commands: ['node', 'npx', 'uvx', 'weird tool'],
  servers: ['github', 'notes'],
  callable: ['mcp__github__search', 'mcp__notes__add', 'mcp__notes__list'],
  toolsOf: (name) => (name === 'notes' ? ['add', 'list'] : []),
};

function source(file: string, format: ConfigSource['format'] = 'mcp'): ConfigSource {
  return { id: `project:${file}`, scope: 'project', format, label: file, file };
}

/** What is suggested at the `|` of a text. */
function at(marked: string, known: Partial<Known> = {}, where = source('/w/.mcp.json')): Suggestion[] {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const { root: tree } = outlineOf(where, text, readToml);
  return suggestionsAt({ text, syntax: syntaxOf(where), source: where, root: tree }, offset, { ...KNOWN, ...known });
}

function labels(...args: Parameters<typeof at>): string[] {
  return at(...args).map(({ label }) => label);
}

/** The text once the suggestion is taken. */
function taken(marked: string, label: string, where?: ConfigSource): string {
  const found = at(marked, {}, where).find((each) => each.label === label);
  assert.ok(found, `${label} among ${labels(marked, {}, where).join(', ')}`);
  const text = marked.replace('|', '');
  const { offset, length } = found.replaced;
  return text.slice(0, offset) + found.text + text.slice(offset + length);
}

const entry = (fields: string): string => `{ "mcpServers": { "notes": { ${fields} } } }`;
const CODEX = source('/home/me/.codex/config.toml', 'settings');

describe('suggestions', () => {
  it('variables: inputs first, folders, the environment by name', () => {
    const found = at(entry('"args": ["${|}"]'));
    assert.deepEqual(
      found.map(({ label }) => label),
      [
        '${input:key}',
        '${workspaceFolder}',
        '${workspaceFolderBasename}',
        '${userHome}',
        '${pathSeparator}',
        '${env:GITHUB_TOKEN}',
        '${env:HOME}',
      ],
    );
  });

  it('a variable replaces what of it is written, and its brace', () => {
    for (const written of ['$|', '${|', '${|}', '${in|}', '${input:k|ey}', '${inp|'])
      assert.equal(
        taken(entry(`"env": { "KEY": "a ${written} b" }`), '${input:key}'),
        entry('"env": { "KEY": "a ${input:key} b" }'),
        written,
      );
  });

  it('no variable in a default, a name, a comment, or outside of servers', () => {
    assert.deepEqual(labels(entry('"args": ["${HOME:-|}"]')), []);
    assert.ok(!labels(entry('"${|": 1')).includes('${userHome}'));
    assert.deepEqual(labels('{ "mcpServers": { // "${|\n } }'), []);
    assert.deepEqual(labels('{ "mcpServers": {}, "other": "${|}" }'), []);
  });

  it('programs in `command`, with and without quotes', () => {
    assert.equal(taken(entry('"command": "n|"'), 'node'), entry('"command": "node"'));
    assert.equal(taken(entry('"command": |'), 'node'), entry('"command": "node"'));
    assert.equal(taken(entry('"command": "we|"'), 'weird tool'), entry('"command": "weird tool"'));
    assert.deepEqual(
      at(entry('"command": "|"')).flatMap(({ kind, label }) => (kind === 'command' ? label : [])),
      ['node', 'npx', 'uvx'],
    );
    assert.ok(!labels(entry('"command": "np|"'), { schemaFields: 'ours' }).includes('npx'));
    assert.deepEqual(labels(entry('"command": "/usr/bin/n|"')), []);
  });

  it('packages of the runner, and none of another program', () => {
    const args = '"args": ["-y", "|"]';
    assert.ok(labels(entry(`"command": "npx", ${args}`)).includes('@playwright/mcp'));
    assert.ok(labels(entry(`"command": "C:\\\\node\\\\npx.cmd", ${args}`)).includes('@playwright/mcp'));
    assert.ok(labels(entry(`${args}, "command": "uvx"`)).includes('mcp-server-git'));
    assert.ok(!labels(entry(`"command": "uvx", ${args}`)).includes('@playwright/mcp'));
    assert.ok(!labels(entry(`"command": "constructor", ${args}`)).includes('mcp-server-git'));
  });

  it('fields where no schema gives them, without those that are there', () => {
    const found = labels(entry('"command": "x", "|"'));
    assert.ok(found.includes('args') && found.includes('enabledTools') && !found.includes('command'));
    assert.deepEqual(labels(entry('"|"'), { schemaFields: 'ours' }), []);
    const besideEditors = labels(entry('"|"'), { schemaFields: 'editors' });
    assert.ok(besideEditors.includes('startMode') && !besideEditors.includes('command'));
  });

  it('fields of what is inside of an entry', () => {
    assert.ok(labels(entry('"oauth": { "|" }')).includes('clientId'));
    assert.ok(labels(entry('"permissions": { "rules": [{ "|" }] }')).includes('action'));
    assert.deepEqual(labels(entry('"env": { "|" }')), []);
  });

  it('a field comes with a value of its type, and alone where a value follows', () => {
    assert.equal(taken(entry('"|"'), 'args'), entry('"args": ["$1"]'));
    assert.equal(taken(entry('"di|": true'), 'disabled'), entry('"disabled": true'));
    assert.equal(taken(entry('|'), 'startMode'), entry('"startMode": "${1|eager,onDemand,manual|}"'));
  });

  it('values of a field that has few', () => {
    assert.deepEqual(labels(entry('"startMode": "|"')).slice(-3), ['eager', 'onDemand', 'manual']);
    assert.deepEqual(labels(entry('"disabled": |')), ['true', 'false']);
  });

  it('a server’s tools in its lists and rules', () => {
    for (const place of [
      '"enabledTools": ["|"]',
      '"autoApprove": ["add", "|"]',
      '"permissions": { "rules": [{ "tool": "|" }] }',
      '"toolOverrides": { "|" }',
    ])
      assert.deepEqual(
        labels(entry(place)).filter((label) => !label.startsWith('$')),
        ['add', 'list'],
        place,
      );
  });

  it('a tool’s name is one key of a TOML file, whatever a server calls it', () => {
    const marked = '[mcp_servers.notes.toolOverrides]\n|';
    const tools = ['add', 'a.b', 'x = 1\n[evil]'];
    const texts = at(marked, { toolsOf: () => tools }, CODEX).map(({ text }) => text);
    assert.deepEqual(texts, ['add', '"a.b"', String.raw`"x = 1\n[evil]"`]);
  });

  it('tools and servers in settings of ours and in Claude Code’s rules', () => {
    const settings = source('/w/.vscode/settings.json', 'settings');
    const tools = ['mcp__github__*', 'mcp__notes__*', 'mcp__github__search', 'mcp__notes__add', 'mcp__notes__list'];
    assert.deepEqual(labels('{ "mcpSwitchboard.permissions.rules": [{ "tool": "|" }] }', {}, settings), tools);
    assert.deepEqual(labels('{ "mcpSwitchboard.permissions.rules": [{ "server": "|" }] }', {}, settings), [
      'github',
      'notes',
    ]);
    assert.deepEqual(labels('{ "mcpSwitchboard.deniedServers": ["|"] }', {}, settings), ['github', 'notes']);
    const claude = { ...source('/w/.claude/settings.json', 'settings'), client: 'claude-code' as const };
    assert.deepEqual(labels('{ "permissions": { "deny": ["|"] } }', {}, claude), tools);
    assert.deepEqual(labels('{ "editor.fontSize": "|" }', {}, settings), []);
  });

  it('the settings of a code workspace', () => {
    const workspace = { ...source('/w/a.code-workspace', 'settings'), within: ['settings'] };
    const text = '{ "settings": { "mcpSwitchboard.alwaysLoadTools": ["|"] } }';
    assert.ok(labels(text, {}, workspace).includes('mcp__notes__add'));
  });

  it('every layout of servers', () => {
    const inside = '"notes": { "command": "|" }';
    const settings = source('/w/.vscode/settings.json', 'settings');
    for (const [text, where] of [
      [`{ "servers": { ${inside} } }`, source('/w/.vscode/mcp.json')],
      [`{ ${inside} }`, source('/w/flat.json')],
      [`{ "mcp": { "servers": { ${inside} } } }`, settings],
      [`{ "mcp": { ${inside} } }`, source('/w/opencode.json', 'settings')],
      [`{ "mcp.servers": { ${inside} } }`, settings],
      [`{ "mcpSwitchboard.servers": { ${inside} } }`, settings],
      [`{ "context_servers": { ${inside} } }`, source('/w/.zed/settings.json', 'settings')],
    ] as const)
      assert.ok(labels(text, {}, where).includes('node'), text);
    assert.ok(!labels(`{ "servers": { ${inside} } }`, {}, settings).includes('node'));
  });

  it('TOML: fields, programs, variables and packages', () => {
    const head = '[mcp_servers.notes]\n';
    assert.ok(labels(`${head}com|`, {}, CODEX).includes('command'));
    assert.equal(taken(`${head}com|\n`, 'command', CODEX), `${head}command = "$1"\n`);
    assert.equal(taken(`${head}command = "n|"\n`, 'node', CODEX), `${head}command = "node"\n`);
    assert.equal(
      taken(`${head}command = "x"\nargs = ["a", "\${in|}"]\n`, '${input:key}', CODEX),
      `${head}command = "x"\nargs = ["a", "\${input:key}"]\n`,
    );
    assert.ok(labels(`${head}command = "npx"\nargs = [\n  "-y",\n  "|"\n]\n`, {}, CODEX).includes('@playwright/mcp'));
    assert.deepEqual(labels(`${head}# com|\n`, {}, CODEX), []);
  });

  it('a text with an error in front of the cursor and none behind it', () => {
    assert.ok(labels('{ "mcpServers": { "a": { "command": "x" } "notes": { "enabledTools": ["|').includes('add'));
    assert.ok(labels('{ "mcpServers": { "notes": { "command": "np|').includes('npx'));
  });

  it('nothing in a text that is too long or too deep to look into', () => {
    assert.deepEqual(labels(`${'{"a":'.repeat(100_000)}"|`), []);
    assert.deepEqual(labels(entry(`"args": [${'"x",'.repeat(250_000)}"$|`)), []);
  });

  it('names from servers can’t be anything but text', () => {
    const known = { toolsOf: () => ['a", "b', '${1:x}', 'x`y'] };
    const found = at(entry('"enabledTools": ["|"]'), known).filter(({ kind }) => kind === 'tool');
    assert.deepEqual(
      found.map(({ text, isSnippet }) => [text, isSnippet]),
      [
        ['"a\\", \\"b"', false],
        ['"${1:x}"', false],
        ['"x`y"', false],
      ],
    );
  });
});
