import { strict as assert } from 'node:assert';
import { withoutNeedlessNulls } from '../../../../src/calls/arguments/nullArguments.ts';

describe('null for an argument that is left out', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: ['string', 'null'] }, c: { type: 'number' }, d: {} },
    required: ['c'],
  };

  it('is dropped where the schema takes no null', () => {
    assert.deepEqual(withoutNeedlessNulls(schema, { a: null, b: 'x', c: 1 }), { b: 'x', c: 1 });
  });

  it('stays where it may mean something, or where something has to be said', () => {
    const args = { b: null, c: null, d: null, unknown: null };
    assert.equal(withoutNeedlessNulls(schema, args), args);
  });
});
