import { deepEqual, equal, ok } from 'node:assert/strict';
import { toolDefinition } from '../../../../src/catalog/exposure/toolDefinition.ts';
import { entryOf } from '../entries.ts';
import { mcpTool } from '../tools.ts';

describe('offered tools', () => {
  it('have a description of at most 2,048 characters with the notes of the schema', () => {
    const ways = { oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    const schema = { type: 'object', properties: { a: {}, b: {} }, ...ways };
    const offered = toolDefinition(entryOf({ ...mcpTool('t', 'word '.repeat(1000)), inputSchema: schema }));
    ok('description' in offered && offered.description.length <= 2048);
    ok(offered.description.endsWith('Give exactly one of these sets of parameters: a; or b.'));
    deepEqual(offered.inputSchema, { type: 'object', properties: { a: {}, b: {} } });
  });

  it('leave out a tool that takes no object, alone and with the reason', () => {
    const offered = toolDefinition(entryOf({ ...mcpTool('t'), inputSchema: { type: 'array' } }));
    ok('leftOut' in offered);
    equal(offered.leftOut[0]?.code, 'not-an-object');
  });
});
