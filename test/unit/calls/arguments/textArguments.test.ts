import { strict as assert } from 'node:assert';
import { withTextsRead } from '../../../../src/calls/arguments/textArguments.ts';

describe('text for an argument of another type', () => {
  const list = { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] };
  const schema = {
    type: 'object',
    properties: {
      list,
      object: { type: 'object' },
      count: { type: 'integer' },
      size: { type: ['number', 'null'] },
      flag: { type: 'boolean' },
      either: { anyOf: [{ type: 'array' }, { type: 'string' }] },
      text: { type: 'string' },
      any: {},
      odd: { anyOf: [{ type: 'array' }, { $ref: '#/$defs/x' }] },
    },
  };

  for (const [args, read] of [
    [{ list: '[1271, 2106]' }, { list: [1271, 2106] }],
    [
      { object: '{"title":"a","tags":["b"]}', text: 'x' },
      { object: { title: 'a', tags: ['b'] }, text: 'x' },
    ],
    [
      { count: '5', size: '1.5', flag: 'true' },
      { count: 5, size: 1.5, flag: true },
    ],
  ] as const)
    it(`${JSON.stringify(args)} is what it says`, () => assert.deepEqual(withTextsRead(schema, args), read));

  for (const args of [
    { text: '[1]', either: '[1]', any: '[1]', odd: '[1]', unknown: '[1]' },
    { list: '{}', object: '[1]', count: '5.5', flag: 'yes', size: 'null' },
    { list: '[1', object: 'x', count: '', flag: ' ' },
    { list: '[12345678901234567890]' },
    { size: '1e400', list: '[-1e400]', object: '{"a":{"b":[1e999]}}' },
    { constructor: '{}', toString: '[]' } as unknown as { list: string },
  ])
    it(`${JSON.stringify(args)} stays`, () => assert.equal(withTextsRead(schema, args), args));

  it('stays where it is nested deeper than anybody could write it back', () => {
    const deep = {
      list: '['.repeat(400_000) + ']'.repeat(400_000),
      object: `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
    };
    assert.equal(withTextsRead(schema, deep), deep);
  });
});
