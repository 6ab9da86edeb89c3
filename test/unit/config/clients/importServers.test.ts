import assert from 'node:assert/strict';
import { entryWithInputs, importServers, type ImportResult } from '../../../../src/config/clients/importServers.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import type { ServerEntry } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const entriesOf = (file: string, text: string): readonly ServerEntry[] => parseSource(sourceOf({ file }), text).entries;

function textOf({ edited }: ImportResult): string {
  return 'text' in edited ? edited.text : assert.fail(edited.refusal.message);
}

describe('config/importServers', () => {
  const roo = entriesOf(
    '/w/.roo/mcp.json',
    '{"mcpServers":{"a":{"command":"npx","args":["a"],"env":{"K":"${K}"},"timeout":60,"disabledTools":["w"]},"b":{"url":"https://b"}}}',
  );

  it('keeps comments and form, and what is there already', () => {
    const target = '{\n\t// mine\n\t"servers": {\n\t\t"b": { "command": "b" }, // stays\n\t},\n}\n';
    const result = importServers(target, 'servers', roo);
    assert.deepEqual([result.added, result.skipped], [['a'], ['b']]);
    assert.ok(
      textOf(result).startsWith(
        '{\n\t// mine\n\t"servers": {\n\t\t"b": { "command": "b" }, // stays\n\t\t"a": {\n\t\t\t"',
      ),
    );
    assert.ok(textOf(result).endsWith('\n\t\t},\n\t},\n}\n'));
    const after = entriesOf('/w/.vscode/mcp.json', textOf(result));
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
      textOf(importServers('', 'mcpServers', roo.slice(1))),
      '{\n  "mcpServers": {\n    "b": {\n      "url": "https://b"\n    }\n  }\n}\n',
    );
  });

  it('takes the inputs along, each once', () => {
    const entries = entriesOf(
      '/w/.vscode/mcp.json',
      '{"inputs":[{"id":"k","type":"promptString","password":true},{"id":"l","type":"promptString"}],"servers":{"a":{"command":"x","args":["${input:k}","${input:l}"]}}}',
    );
    const target = '{"inputs":[{"id":"l","type":"promptString"}]}';
    const after = parseSource(sourceOf(), textOf(importServers(target, 'servers', entries))).entries;
    assert.deepEqual(after[0]?.inputs, entries[0]?.inputs);
    assert.deepEqual(entriesOf('/x', textOf(importServers('', 'servers', entries)))[0]?.inputs, entries[0]?.inputs);
  });

  it('keeps every field of an entry but what it lets run without a question', () => {
    const server = {
      ...{ command: 'npx', args: ['a'], env: { K: '${K}' }, cwd: '/tmp', envFile: '.env', disabled: true },
      ...{ timeout: 5_000, handshakeTimeoutMs: 1, discoveryTimeoutMs: 2, slowStartMs: 3, installMs: 4 },
      ...{ listDebounceMs: 5, keepAliveMs: 6_000, reconnect: { initialDelayMs: 100, maxAttempts: 1 } },
      ...{ startMode: 'onDemand', logLevel: 'warning', alwaysLoad: true, autoApprove: ['x'], sandboxEnabled: true },
      ...{ enabledTools: ['a*'], disabledTools: ['ab'], toolOverrides: { a: { name: 'c' } } },
      ...{ customTools: { d: { tool: 'a', description: 'Does d', inputSchema: {}, arguments: {} } } },
      ...{ permissions: { rules: [{ tool: 'a', decision: 'deny' }] } },
    };
    const [entry] = entriesOf('/w/.mcp.json', JSON.stringify({ mcpServers: { a: server } }));
    const [again] = entriesOf('/w/.mcp.json', textOf(importServers('', 'mcpServers', entry ? [entry] : [])));
    const kept = (each: ServerEntry | undefined): object => ({ ...each, range: 0, variables: 0, autoApprove: 0 });
    assert.ok(entry && entry.autoApprove?.length === 1 && Object.keys(entry).length >= 18, JSON.stringify(entry));
    assert.deepEqual(kept(again), kept(entry));
    assert.equal(again?.autoApprove, undefined);
  });

  it('touches no file that it can not read', () => {
    for (const text of ['[]', '{"servers": ', 'x']) {
      const { edited, added } = importServers(text, 'servers', roo);
      assert.ok('refusal' in edited);
      assert.deepEqual(added, []);
    }
  });
});

describe('config/import: inputs', () => {
  it('travel in the entry to where there is no list beside it', () => {
    const text = JSON.stringify({
      servers: { a: { url: 'https://h', headers: { Authorization: 'Bearer ${input:key}' } }, b: { command: 'x' } },
      inputs: [
        { id: 'key', type: 'promptString', password: true, description: 'The key' },
        { id: 'unused', type: 'promptString' },
      ],
    });
    const { entries } = parseSource(sourceOf({ file: '/w/.vscode/mcp.json' }), text);
    const setting = Object.fromEntries(entries.map((entry) => [entry.name, entryWithInputs(entry)]));
    const again = parseSource(sourceOf(), JSON.stringify({ mcpServers: setting }));
    assert.deepEqual(again.problems, []);
    assert.deepEqual(
      again.entries.map(({ name, inputs }) => [name, inputs]),
      [
        ['a', [{ id: 'key', type: 'promptString', password: true, description: 'The key' }]],
        ['b', undefined],
      ],
    );
  });

  it('that make no sense in an entry are a warning there', () => {
    const { problems } = parseSource(sourceOf(), '{"mcpServers":{"a":{"command":"x","inputs":[{"id":"k"}]}}}');
    assert.deepEqual(
      problems.map(({ code, severity }) => `${severity} ${code}`),
      ['warning invalid-input'],
    );
  });
});
