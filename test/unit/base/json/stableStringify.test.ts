import assert from 'node:assert/strict';
import { stableStringify } from '../../../../src/base/json/json.ts';

describe('stableStringify', () => {
  it('gives equal values equal texts, in whatever order their members stand', () => {
    const one = { b: [{ d: 1, c: null }], a: { 10: 'x', 9: 'y' } };
    const other = { a: { 9: 'y', 10: 'x' }, b: [{ c: null, d: 1 }] };
    assert.equal(stableStringify(one), '{"a":{"9":"y","10":"x"},"b":[{"c":null,"d":1}]}');
    assert.equal(stableStringify(other), stableStringify(one));
  });

  it('keeps a member called __proto__, also beside others', () => {
    const value: unknown = JSON.parse('{"z":1,"__proto__":{"b":2,"a":[]},"constructor":3}');
    assert.equal(stableStringify(value), '{"__proto__":{"a":[],"b":2},"constructor":3,"z":1}');
  });

  it('leaves out what has no value, and gives a text for nothing at all', () => {
    assert.equal(stableStringify({ b: undefined, a: [undefined] }), '{"a":[null]}');
    assert.equal(stableStringify(undefined), 'null');
  });

  it('writes numbers that stand as their text as they stand', () => {
    const value = { a: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('1.50') };
    assert.equal(stableStringify(value), '{"a":1.50}');
  });
});
