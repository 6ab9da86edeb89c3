import { strict as assert } from 'node:assert';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import type { Scope, ServerEntry } from '../../../../src/config/configTypes.ts';
import { fingerprintOf } from '../../../../src/servers/trust/fingerprint.ts';
import { sourceOf } from '../sources.ts';

function read(entry: object, scope: Scope = 'user'): { entry: ServerEntry | undefined; codes: string[] } {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', ...entry } } }, null, 1);
  const { entries, problems } = parseSource(sourceOf({ format: 'mcp', file: '/w/mcp.json', scope }), text);
  return { entry: entries[0], codes: problems.map(({ code, range }) => `${code}@${range.line}`) };
}

describe('config/toolRules: toolOverrides and customTools', () => {
  const rename = { toolOverrides: { list_notes: { name: 'notes', readOnly: true } } };
  const custom = { customTools: { today: { tool: 'list_notes', description: 'Notes of today.' } } };

  it('are read from the user’s own files', () => {
    const { entry, codes } = read({ ...rename, ...custom });
    assert.deepEqual(entry?.toolOverrides?.get('list_notes'), { name: 'notes', readOnly: true });
    assert.deepEqual(
      entry?.customTools?.map(({ name }) => name),
      ['today'],
    );
    assert.deepEqual(codes, []);
  });

  for (const scope of ['project', 'workspace', 'cloud'] as const)
    it(`of the scope ${scope} only tighten`, () => {
      const { entry, codes } = read({ ...rename, ...custom }, scope);
      assert.deepEqual(entry?.toolOverrides?.get('list_notes'), {});
      assert.equal(entry?.customTools, undefined);
      assert.deepEqual(
        codes.map((code) => code.split('@')[0]),
        Array(3).fill('not-tightening'),
      );
    });

  it('that are wrong are a warning at their place, and the server loads', () => {
    const { entry, codes } = read({ toolOverrides: { a: { readOnly: 'yes' }, b: { hidden: true } } });
    assert.deepEqual([...(entry?.toolOverrides ?? [])], [['a', {}], ['b', { hidden: true }]]); // prettier-ignore
    assert.deepEqual(codes, ['invalid-override@7']);
    assert.deepEqual(read({ customTools: [] }).codes, ['invalid-custom-tool@5']);
  });

  it('are part of the fingerprint, in their order', () => {
    const of = (entry: object): string => fingerprintOf(read(entry).entry ?? assert.fail());
    const prints = [{}, rename, custom, { ...rename, ...custom }].map(of);
    assert.equal(new Set(prints).size, 4);
    const one = { toolOverrides: { '*': { hidden: true }, a: { hidden: false } } };
    const other = { toolOverrides: { a: { hidden: false }, '*': { hidden: true } } };
    assert.notEqual(of(one), of(other));
  });
});
