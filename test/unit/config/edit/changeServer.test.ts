import assert from 'node:assert/strict';
import { changeServer, type EntryChanges } from '../../../../src/config/edit/changeServer.ts';
import { enableEntry, switchTool } from '../../../../src/config/edit/entrySwitches.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { sourceOf } from '../sources.ts';

const source = sourceOf();

function change(text: string, changes: EntryChanges): string {
  const edited = changeServer(text, source, 'a', changes);
  return 'text' in edited ? edited.text : assert.fail(edited.refusal.message);
}

function refusalOf(text: string, changes: EntryChanges, of = source): string {
  const edited = changeServer(text, of, 'a', changes);
  return 'refusal' in edited ? edited.refusal.message : assert.fail(edited.text);
}

describe('config/changeServer', () => {
  const file = (fields: string): string =>
    `{\n\t// ours\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"${fields}\n\t\t}, // A\n\t}\n}\n`;

  it('disables and enables a tool, and leaves everything else', () => {
    const off = file(',\n\t\t\t"disabledTools": [\n\t\t\t\t"x"\n\t\t\t]');
    assert.equal(change(file(''), switchTool('x', false)), off);
    assert.equal(change(off, switchTool('x', true)), file(''));
    const two = change(off, switchTool('y', false));
    assert.deepEqual(parseSource(source, two).entries[0]?.tools, { disabled: ['x', 'y'] });
    assert.equal(change(two, switchTool('y', true)), off);
  });

  it('uses the lists that the entry has', () => {
    const lists = (text: string): unknown => parseSource(source, text).entries[0]?.tools;
    const gemini = file(', "includeTools": ["b*"], "excludeTools": ["z"]');
    assert.deepEqual(lists(change(gemini, switchTool('bx', false))), { enabled: ['b*'], disabled: ['z', 'bx'] });
    assert.deepEqual(lists(change(gemini, switchTool('c', true))), { enabled: ['b*', 'c'], disabled: ['z'] });
    assert.deepEqual(lists(change(gemini, switchTool('bz', true))), { enabled: ['b*'], disabled: ['z'] });
  });

  it('shows a tool that an override hides', () => {
    const hidden = file(', "toolOverrides": { "x": { "hidden": true, "description": "A page." } }');
    const [entry] = parseSource(source, change(hidden, switchTool('x', true))).entries;
    assert.deepEqual([...(entry?.toolOverrides ?? [])], [['x', { description: 'A page.' }]]);
  });

  it('leaves a pattern to the user', () => {
    assert.match(refusalOf(file(', "disabledTools": ["x*"]'), switchTool('xy', true)), /pattern `x\*` disables `xy`/);
    const override = file(', "toolOverrides": { "x*": { "hidden": true } }');
    assert.match(refusalOf(override, switchTool('xy', true)), /pattern `x\*` disables `xy`/);
  });

  it('enables a server that says it is disabled', () => {
    for (const field of ['"disabled": true', '"enabled": false']) {
      const [entry] = parseSource(source, change(file(`, ${field}`), enableEntry)).entries;
      assert.equal(entry?.disabled, false);
    }
  });

  it('refuses a syntax error, TOML, a server that is there twice, and one that is none', () => {
    assert.ok(refusalOf('{"servers":{"a":{', enableEntry));
    assert.match(
      refusalOf('[mcp_servers.a]', enableEntry, { ...source, file: '/x/.codex/config.toml', client: 'codex' }),
      /by hand/,
    );
    assert.match(refusalOf('{"servers":{"a":{},"a":{}}}', enableEntry), /isn’t in it once/);
    assert.match(refusalOf('{"servers":{"a":7}}', enableEntry), /isn’t in it once/);
  });
});
