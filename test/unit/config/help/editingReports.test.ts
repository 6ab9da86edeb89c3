import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { ConfigProblem, ConfigSource } from '../../../../src/config/configTypes.ts';
import { withEdits } from '../../../../src/config/edit/renameServer.ts';
import { FieldSchemas } from '../../../../src/config/help/fieldSchema.ts';
import { outlineOf } from '../../../../src/config/help/serverOutline.ts';
import { suggestionsAt } from '../../../../src/config/help/suggestionsAt.ts';
import { parseSource, type ParsedSource } from '../../../../src/config/read/parseSource.ts';

const MCP = source('/w/.mcp.json');
const VSCODE = source('/w/.vscode/mcp.json');

function source(file: string, format: ConfigSource['format'] = 'mcp'): ConfigSource {
  return { id: `project:${file}`, scope: 'project', format, label: file, file };
}

const read = (file: object | string, where = MCP): ParsedSource =>
  parseSource(where, typeof file === 'string' ? file : JSON.stringify(file));
const of = (entry: object, where = MCP): readonly ConfigProblem[] => read({ mcpServers: { a: entry } }, where).problems;
const names = (text: string, where = VSCODE): readonly string[] =>
  outlineOf(where, text).servers.map(({ name }) => name);

/** Reports of users of other products about editing their files; each is tried here. */
describe('reports about editing files of servers', () => {
  it('microsoft/vscode#246159: variables are completed', () => {
    const text = '{ "servers": { "a": { "command": "node", "args": ["${"] } } }';
    const known = {
      schemas: new FieldSchemas(JSON.parse(readFileSync(join(root, 'schemas/mcp.schema.json'), 'utf8')) as JsonObject),
      schemaFields: 'editors' as const,
      ...{ environment: [], folders: [], inputs: [], commands: [], servers: [], callable: [], toolsOf: () => [] },
    };
    const offset = text.indexOf('${') + 2;
    const { root: tree } = outlineOf(VSCODE, text);
    const found = suggestionsAt({ text, syntax: 'jsonc', source: VSCODE, root: tree }, offset, known);
    assert.ok(found.some(({ label }) => label === '${workspaceFolder}'));
  });

  it('microsoft/vscode#246154, #251263: `{workspaceFolder}` without its `$` is pointed out, and fixed', () => {
    const text = JSON.stringify({ mcpServers: { a: { command: 'node', args: ['{workspaceFolder}/dist/server.js'] } } });
    const problem = read(text).problems.find(({ code }) => code === 'placeholder');
    assert.ok(problem?.edit);
    assert.match(withEdits(text, [problem.edit]), /"\$\{workspaceFolder\}\/dist\/server\.js"/);
  });

  it('anthropics/claude-code#35372, affaan-m/ECC#1003, anthropics/claude-code#73885: a `url` with or without a type is fine', () => {
    assert.deepEqual(of({ type: 'http', url: 'https://learn.microsoft.com/api/mcp' }), []);
    assert.deepEqual(of({ url: 'http://127.0.0.1:33221/mcp' }), []);
  });

  it('anthropics/claude-code#45828: `servers` in `.mcp.json` is read, with a hint and a fix', () => {
    const { entries, problems } = read({ servers: { a: { command: 'x' } } });
    assert.equal(entries.length, 1);
    assert.deepEqual(
      problems.map(({ code, severity, edit }) => [code, severity, edit?.text]),
      [['other-section', 'hint', '"mcpServers"']],
    );
  });

  it('microsoft/vscode#313209: a server has its line above, whatever its name', () => {
    const servers = { 'io.github.upstash/context7': { command: 'npx' }, 'Über server': { url: 'https://h' }, '': {} };
    assert.deepEqual(names(JSON.stringify({ servers })), Object.keys(servers));
  });

  it('microsoft/vscode#276853: the first server has its line above, also behind inputs, comments and an error further down', () => {
    assert.deepEqual(names('{ "inputs": [], /* x */ "servers": { // y\n "first": { "command": "a" }, } }'), ['first']);
    assert.deepEqual(names('{ "servers": { "first": { "command": "a" }, "second": { "command": '), ['first', 'second']);
    assert.deepEqual(names('{ "servers": { "first": {  "command": "a" } "second": {} } }'), ['first', 'second']);
  });

  it('Bob-lance/grok-mcp#5: `disabled` and `autoApprove` are fields', () => {
    assert.deepEqual(of({ command: 'node', args: ['/a/b.js'], disabled: false, autoApprove: [] }), []);
    assert.deepEqual(of({ command: 'node', disabled: true }), []);
  });

  it('anomalyco/opencode#39431: an unknown field of a server is pointed out, and both spellings of `env` are read', () => {
    const opencode = source('/w/opencode.json', 'settings');
    const server = { type: 'local', command: ['/bin/echo'], env: { A: 'b' }, totally_bogus: {} };
    const { entries, problems } = read({ mcp: { x: server } }, opencode);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['unknown-field'],
    );
    assert.ok(entries[0]?.transport.type === 'stdio' && entries[0].transport.env['A'] === 'b');
  });

  it('anthropics/claude-code#80387: blanks at the ends of a value that nobody sees are pointed out, and removed', () => {
    for (const entry of [
      { command: 'npx\u200b' },
      { url: '\u2060https://h.example/mcp' },
      { command: 'x', cwd: 'sub ' },
      { url: 'https://h.example', headers: { Authorization: 'Bearer ${TOKEN}\u200b' } },
      { command: 'x', env: { KEY: '\u00a0value' } },
    ]) {
      const text = JSON.stringify({ mcpServers: { a: entry } });
      const problem = read(text).problems.find(({ code }) => code === 'blank-at-end');
      assert.ok(problem?.edit, text);
      assert.ok(!read(withEdits(text, [problem.edit])).problems.some(({ code }) => code === 'blank-at-end'), text);
    }
    for (const entry of [
      { command: 'x', args: [' a ', ''] },
      { command: 'x', env: { PEM: '-----BEGIN\nx\n', E: ' ' } },
    ])
      assert.ok(!of(entry).some(({ code }) => code === 'blank-at-end'));
  });

  it('aws/amazon-q-developer-cli#2082, nicobailon/pi-mcp-adapter#193: what is commented out isn’t there', () => {
    const text = '{\n  "mcpServers": {\n    // "off": { "command": "foo" },\n    "on": { "command": "bar" },\n  }\n}';
    assert.deepEqual(names(text, MCP), ['on']);
    assert.deepEqual(read(text).problems, []);
  });

  it('can1357/oh-my-pi#7101: a mistyped field or type is named, not taken for a server without anything to run', () => {
    assert.ok(of({ commmand: 'x' }).some(({ code, edit }) => code === 'misspelt-field' && edit?.text === '"command"'));
    assert.ok(of({ type: 'htt', url: 'http://h/mcp' }).some(({ code, edit }) => code === 'unknown-type' && edit));
  });
});
