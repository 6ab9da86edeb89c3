import assert from 'node:assert/strict';
import { importServers } from '../../../../src/config/clients/importServers.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import type { ServerEntry } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const entriesOf = (file: string, text: string): readonly ServerEntry[] => parseSource(sourceOf({ file }), text).entries;

describe('config/importServers', () => {
  const roo = entriesOf(
    '/w/.roo/mcp.json',
    '{"mcpServers":{"a":{"command":"npx","args":["a"],"env":{"K":"${K}"},"timeout":60,"disabledTools":["w"]},"b":{"url":"https://b"}}}',
  );

  it('keeps comments and form, and what is there already', () => {
    const target = '{\n\t// mine\n\t"servers": {\n\t\t"b": { "command": "b" }, // stays\n\t},\n}\n';
    const result = importServers(target, 'servers', roo);
    assert.deepEqual([result?.added, result?.skipped], [['a'], ['b']]);
    assert.match(result?.text ?? '', /\/\/ mine[^]*\/\/ stays/);
    const after = entriesOf('/w/.vscode/mcp.json', result?.text ?? '');
    assert.deepEqual(
      after.map(({ name }) => name),
      ['b', 'a'],
    );
    const { transport, callTimeoutMs, tools } = roo[0] ?? assert.fail();
    assert.deepEqual(
      [after[1]?.transport, after[1]?.callTimeoutMs, after[1]?.tools],
      [transport, callTimeoutMs, tools],
    );
  });

  it('begins an empty file', () => {
    assert.equal(
      importServers('', 'mcpServers', roo.slice(1))?.text,
      '{\n  "mcpServers": {\n    "b": {\n      "url": "https://b"\n    }\n  }\n}\n',
    );
  });

  it('takes the inputs along, each once', () => {
    const entries = entriesOf(
      '/w/.vscode/mcp.json',
      '{"inputs":[{"id":"k","type":"promptString","password":true},{"id":"l","type":"promptString"}],"servers":{"a":{"command":"x","args":["${input:k}","${input:l}"]}}}',
    );
    const target = '{"inputs":[{"id":"l","type":"promptString"}]}';
    const after = parseSource(sourceOf(), importServers(target, 'servers', entries)?.text ?? '').entries;
    assert.deepEqual(after[0]?.inputs, entries[0]?.inputs);
    assert.deepEqual(entriesOf('/x', importServers('', 'servers', entries)?.text ?? '')[0]?.inputs, entries[0]?.inputs);
  });

  it('touches no file that it can not read', () => {
    for (const text of ['[]', '{"servers": ', 'x']) assert.equal(importServers(text, 'servers', roo), undefined);
  });
});
