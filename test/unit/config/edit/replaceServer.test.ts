import assert from 'node:assert/strict';
import { replaceServer } from '../../../../src/config/edit/replaceServer.ts';
import { sourceOf } from '../sources.ts';

const source = sourceOf({ file: '/w/.mcp.json' });
const replaced = (text: string, value: object, name = 'a'): string => {
  const edited = replaceServer(text, source, name, (before) => ({ ...before, ...value }));
  return 'text' in edited ? edited.text : assert.fail(edited.refusal.message);
};

describe('config/replaceServer', () => {
  it('changes one server and nothing else: comments, indentation, line ends and the mark at the start stay', () => {
    const text =
      '\uFEFF{\r\n\t// ours\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x" // gone\r\n\t\t}, // stays\r\n\t\t"b": { "command": "b" },\r\n\t},\r\n}\r\n';
    assert.equal(
      replaced(text, { args: ['1'] }),
      text.replace('"command": "x" // gone', '"command": "x",\r\n\t\t\t"args": [\r\n\t\t\t\t"1"\r\n\t\t\t]'),
    );
  });

  it('keeps a definition on one line that was on one', () => {
    assert.equal(
      replaced('{ "mcpServers": { "a": { "command": "x" }, "b": {} } }', { command: 'y' }),
      '{ "mcpServers": { "a": { "command": "y" }, "b": {} } }',
    );
  });

  it('refuses what it can’t read or find', () => {
    for (const text of ['{', '{ "mcpServers": { "b": { "command": "x" } } }', '[]', '{ "mcpServers": { "a": 7 } }'])
      assert.ok('refusal' in replaceServer(text, source, 'a', (value) => value), text);
  });
});
