import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/timeSlices.ts';
import { cleanAnswer } from '../../../../src/connection/cleaning/cleanAnswer.ts';
import { cleanCallResult } from '../../../../src/connection/cleaning/cleanBlocks.ts';
import {
  carriedCallResult,
  carriedTool,
  carryCallResult,
  cleanToolList,
  roomForList,
} from '../../../../src/connection/cleaning/cleanTools.ts';

function toolsOf(result: unknown): { tools: unknown[]; leftOut: readonly string[] } {
  const clean = cleanToolList(result);
  return {
    tools: (clean.result['tools'] as Parameters<typeof carriedTool>[0][]).map(carriedTool),
    leftOut: clean.leftOut,
  };
}

describe('a list of tools', () => {
  it('comes through whole', () => {
    const tool = {
      name: 'search',
      title: 'Search',
      description: 'Finds',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
      outputSchema: { type: 'array' },
      annotations: { title: 'Find', readOnlyHint: true },
    };
    assert.deepEqual(toolsOf({ tools: [tool] }), { tools: [tool], leftOut: [] });
  });

  it('keeps a tool that is as the protocol has it as the object that came, and makes another where something is left out', () => {
    const good = { name: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
    const foreign = { ...good, alwaysLoad: true, needsTask: true, exactSchemas: { input: '{}' }, meta: {} };
    const hidden = { ...good, description: 'one\u202etwo' };
    const { tools } = toolsOf({ tools: [good, foreign, hidden] });
    assert.equal(tools[0], good);
    assert.deepEqual(tools[1], good);
    assert.notEqual(tools[2], hidden);
  });

  it('accepts a root whose properties or required are of another type', () => {
    const schemas = [
      { required: null },
      { required: true },
      { required: ['a', 1] },
      { properties: null },
      { properties: [] },
    ];
    const { tools, leftOut } = toolsOf({ tools: schemas.map((inputSchema, at) => ({ name: `t${at}`, inputSchema })) });
    const type = 'object';
    assert.deepEqual(
      tools.map((tool) => (tool as { inputSchema: object }).inputSchema),
      [{ type }, { type }, { type, required: ['a'] }, { type }, { type }],
    );
    assert.deepEqual(leftOut, []);
  });

  it('keeps the wish to be always in the model’s list', () => {
    const tool = { name: 'a', inputSchema: {}, _meta: { 'anthropic/alwaysLoad': true } };
    const { tools } = toolsOf({ tools: [tool, { ...tool, name: 'b', _meta: { 'anthropic/alwaysLoad': 'yes' } }] });
    assert.deepEqual(
      tools.map((each) => (each as { alwaysLoad?: true }).alwaysLoad),
      [true, undefined],
    );
  });

  it('loses only the tool that is unusable, by name', () => {
    const good = { name: 'good', inputSchema: { type: 'object' } };
    const { tools, leftOut } = toolsOf({
      tools: [
        good,
        { name: 'word', inputSchema: 'x' },
        { name: 'text', inputSchema: { type: 'string' } },
        { inputSchema: {} },
        7,
        null,
      ],
    });
    assert.deepEqual(tools, [{ ...good, annotations: {} }]);
    assert.deepEqual(leftOut, [
      'Tool "word": its inputSchema is not an object.',
      'Tool "text": its inputSchema is not of type "object".',
      'Tool number 4: it has no name.',
      'Tool number 5: it has no name.',
      'Tool number 6: it has no name.',
    ]);
  });

  it('takes any object where the schema is absent, null or a boolean, or where an object is one of several types', () => {
    const schemas = [undefined, null, true, false, { type: ['object', 'null'] }];
    const { tools, leftOut } = toolsOf({ tools: schemas.map((inputSchema, at) => ({ name: `t${at}`, inputSchema })) });
    assert.deepEqual(
      tools.map((tool) => (tool as { inputSchema: object }).inputSchema),
      schemas.map(() => ({ type: 'object' })),
    );
    assert.deepEqual(leftOut, []);
  });

  it('loses only the inside of what is nested very deep', () => {
    const deep = '{"properties":{"d":'.repeat(20_000) + '{"anyOf":[{}]}' + '}}'.repeat(20_000);
    const { tools, leftOut } = toolsOf({
      tools: [{ name: 'good', inputSchema: {} }, JSON.parse(`{"name":"deep","inputSchema":${deep}}`)],
    });
    assert.equal(tools.length, 2);
    assert.ok(JSON.stringify(tools[1]).length < 4_000);
    assert.deepEqual(leftOut, ['The inside of tool "deep": it is nested more than 128 levels deep.']);
  });

  it('loses only the part that is odd', () => {
    const { tools, leftOut } = toolsOf({
      tools: [
        {
          name: 'odd',
          title: 5,
          description: null,
          inputSchema: {},
          outputSchema: 'x',
          annotations: { title: 5, readOnlyHint: 'yes', destructiveHint: false },
        },
      ],
      nextCursor: null,
    });
    assert.deepEqual(tools, [
      { name: 'odd', inputSchema: { type: 'object' }, annotations: { destructiveHint: false } },
    ]);
    assert.equal(leftOut.length, 3);
  });

  it('that is not a list gives no tools', () => {
    assert.deepEqual(toolsOf({ tools: 'x' }).leftOut, ['The whole list: "tools" is not an array.']);
    assert.deepEqual(toolsOf(null).tools, []);
  });
});

describe('a result of a call', () => {
  const through = (result: unknown): ReturnType<typeof carriedCallResult> =>
    carriedCallResult(carryCallResult(atOnce(cleanCallResult(result, () => undefined))));

  it('comes through whole, whatever its kinds of content', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'hologram', data: 1 },
    ];
    assert.deepEqual(through({ content, structuredContent: [1], isError: true }), {
      content,
      structuredContent: [1],
      isError: true,
    });
  });

  it('shows an odd block as JSON', () => {
    const { content } = through({ content: [{ type: 'text' }, 7, { type: 'text', text: 'ok' }] });
    assert.deepEqual(content, [
      { type: 'text', text: '{"type":"text"}' },
      { type: 'text', text: '7' },
      { type: 'text', text: 'ok' },
    ]);
  });

  it('may be of 2024-10-07, without content, or no result at all', () => {
    assert.deepEqual(through({ toolResult: 'hi' }).content, [{ type: 'text', text: 'hi' }]);
    assert.deepEqual(through({ structuredContent: { a: 1 } }), {
      content: [],
      structuredContent: { a: 1 },
      isError: false,
    });
    assert.deepEqual(through(5).content, [{ type: 'text', text: '5' }]);
  });

  it('that asks for something is left as it is', () => {
    const asks = { resultType: 'input_required', inputRequests: {} };
    const options = { room: roomForList(), mask: (text: string) => text, tolerate: () => undefined };
    assert.equal(atOnce(cleanAnswer({ method: 'tools/call', params: {} }, asks, options)).result, asks);
  });
});
