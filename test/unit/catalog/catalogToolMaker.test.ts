import { deepEqual, equal } from 'node:assert/strict';
import { fillTemplate } from '../../../src/config/rules/argumentTemplate.ts';
import { readCustomTools } from '../../../src/config/rules/customTools.ts';
import { effectOf, argumentsFor, underlyingOf } from '../../../src/catalog/catalogTool.ts';
import { readOverrides } from '../../../src/config/rules/toolOverrides.ts';
import { applyToolOverrides, openCatalog } from '../../../src/catalog/catalogToolMaker.ts';
import type { ToolRules } from '../../../src/catalog/toolRules.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { mcpTool } from './tools.ts';

const listed = [
  { ...mcpTool('delete_note', 'Removes a note', { id: 'Id', force: 'Force' }), annotations: { readOnlyHint: true } },
  mcpTool('read_note', 'Reads a note'),
  mcpTool('list_notes', 'Lists notes'),
];

function rules(overrides: unknown, customTools?: unknown, more: Partial<ToolRules> = {}): ToolRules {
  return {
    overrides: readOverrides(overrides, false).overrides,
    customTools: readCustomTools(customTools).tools,
    ...more,
  };
}
const names = (given: ToolRules): string[] => applyToolOverrides(listed, given).tools.map(({ tool }) => tool.name);

describe('overrides of tools', () => {
  it('rename, describe, correct and bind arguments', () => {
    const { tools, problems } = applyToolOverrides(
      listed,
      rules({ delete_note: { name: 'remove', description: 'D', destructive: true, fixedArguments: { force: false } } }),
    );
    deepEqual(problems, []);
    const shaped = tools.find(({ tool }) => tool.name === 'remove');
    equal(shaped?.tool.description, 'D');
    equal(effectOf(shaped?.tool.annotations ?? {}), 'destructive');
    deepEqual(Object.keys((shaped?.tool.inputSchema['properties'] ?? {}) as object), ['id']);
    deepEqual(shaped?.toArguments({ id: '1', force: true }), { id: '1', force: false });
    equal(shaped?.underlying.name, 'delete_note');
  });

  const whole = { kind: { enum: ['x', 'y'] }, a: {}, b: {} };
  const free = { a: {}, b: {} };
  const way = (kind: string, name: string): object => ({
    properties: { kind: { const: kind } },
    required: ['kind', name],
  });
  for (const [what, schema, expected] of [
    ['the root', { properties: whole, required: ['kind', 'a'] }, { properties: free, required: ['a'] }],
    ['ways, and the ways that it rules out', { properties: whole, oneOf: [way('x', 'a'), way('y', 'b')] }, { properties: free, oneOf: [{ properties: {}, required: ['a'] }] }],
    ['all parts', { allOf: [{ properties: whole, required: ['kind'] }] }, { allOf: [{ properties: free, required: [] }] }],
    ['what is referred to', { $ref: '#/$defs/A', $defs: { A: { properties: whole, required: ['kind'] } } }, { properties: free, required: [], $defs: { A: { properties: whole, required: ['kind'] } } }],
    ['conditions', { properties: whole, if: way('y', 'a'), not: way('x', 'b'), dependentRequired: { a: ['kind', 'b'] } }, { properties: free, if: false, not: { properties: {}, required: ['b'] }, dependentRequired: { a: ['b'] } }],
    ['what is no schema', { properties: [], required: 'kind', oneOf: 7 }, { properties: [], required: 'kind', oneOf: 7 }],
  ] as [string, object, object][])
    it(`take a bound argument out of ${what}`, () => {
      const tool = { ...mcpTool('t'), inputSchema: schema as JsonObject };
      const { tools } = applyToolOverrides([tool], rules({ t: { fixedArguments: { kind: 'x' } } }));
      deepEqual(tools[0]?.tool.inputSchema, expected);
      equal(tools[0]?.underlying, tool, 'what is approved is the server’s own');
    }); // prettier-ignore

  it('hide tools, and enable and disable them by glob', () => {
    deepEqual(names(rules({ '*_note': { hidden: true } })), ['list_notes']);
    deepEqual(names(rules({}, {}, { enabled: ['read_*', 'list_*'], disabled: ['list_*'] })), ['read_note']);
    deepEqual(names(rules({}, {}, { enabled: [] })), []);
  });

  it('never take the name of another tool', () => {
    const { tools, problems } = applyToolOverrides(listed, rules({ delete_note: { name: 'read_note' } }));
    deepEqual(tools.map(({ underlying }) => underlying.name), ['read_note', 'list_notes']); // prettier-ignore
    equal(problems[0]?.code, 'name-taken');
  });

  it('that fit no tool are a problem with a suggestion', () => {
    const { problems } = applyToolOverrides(listed, rules({ delete_nte: { hidden: true } }));
    deepEqual([problems[0]?.code, problems[0]?.pointer], ['unknown-tool', '/toolOverrides/delete_nte']);
    equal(problems[0]?.fix, 'Did you mean delete_note?');
  });

  const wrong: readonly (readonly [unknown, boolean, readonly string[]])[] = [
    [undefined, false, []],
    [[], false, ['invalid-override ']],
    [{ a: 1 }, false, ['invalid-override /a']],
    [{ a: { name: 'no space' } }, false, ['invalid-override /a/name']],
    [{ a: { colour: 'red', hidden: 'yes' } }, false, ['invalid-override /a/colour', 'invalid-override /a/hidden']],
    [{ 'a/b': { fixedArguments: [] } }, false, ['invalid-override /a~1b/fixedArguments']],
    [{ a: { readOnly: true, destructive: false, hidden: false } }, true, ['readOnly', 'destructive', 'hidden'].map((field) => `not-tightening /a/${field}`)],
    [{ a: { name: 'b', description: 'safe' } }, true, ['not-tightening /a/name', 'not-tightening /a/description']],
    [{ a: { hidden: true, readOnly: false, destructive: true, fixedArguments: { x: 1 } } }, true, []],
  ]; // prettier-ignore
  for (const [value, onlyTightening, expected] of wrong) {
    it(`${JSON.stringify(value)}${onlyTightening ? ' of a project' : ''}: ${expected.join(', ') || 'fine'}`, () => {
      const { problems } = readOverrides(value, onlyTightening);
      deepEqual(problems.map(({ code, pointer }) => `${code} ${pointer}`), expected); // prettier-ignore
    });
  }
});

describe('custom tools', () => {
  const value = {
    forget: {
      tool: 'delete_note',
      description: 'Forget a note',
      inputSchema: { properties: { note: { type: 'number' } } },
      arguments: { id: '{{note}}', reason: 'asked: {{ note }}', tags: ['{{absent}}', 'x'] },
    },
  };

  it('are called with arguments made by their template', () => {
    deepEqual(fillTemplate(value.forget.arguments, { note: 7 }), { id: 7, reason: 'asked: 7', tags: ['x'] });
    deepEqual(fillTemplate({ deep: { a: '{{x}}', b: true } }, {}), { deep: { b: true } });
    deepEqual(fillTemplate({ a: '{{x}}' }, { x: '{{y}}', y: 'never looked at' }), { a: '{{y}}' });
  });

  it('have the annotations of the tool beneath, corrections included', () => {
    const custom = { forget: { ...value.forget, arguments: { id: '{{note}}' } } };
    const { tools } = applyToolOverrides(
      listed,
      rules({ delete_note: { destructive: true, fixedArguments: { force: true } } }, custom),
    );
    const shaped = tools.find(({ tool }) => tool.name === 'forget');
    equal(effectOf(shaped?.tool.annotations ?? {}), 'destructive');
    deepEqual(shaped?.toArguments({ note: 1 }), { id: 1, force: true });
  });

  it('don’t have its title, and take nothing for a template that comes in an argument', () => {
    const titled = [{ ...mcpTool('t'), annotations: { title: 'Of another', readOnlyHint: true } }];
    const tool = {
      tool: 't',
      description: 'd',
      inputSchema: { properties: { a: {}, b: {} } },
      arguments: { x: 'v {{a}}' },
    };
    const { tools } = applyToolOverrides(titled, rules({}, { mine: tool }));
    deepEqual(tools[1]?.tool.annotations, { readOnlyHint: true });
    deepEqual(tools[1]?.toArguments({ a: '{{b}}$&', b: 'secret', constructor: 1 }), { x: 'v {{b}}$&' });
  });

  it('load without a field that nobody knows', () => {
    const { tools, problems } = readCustomTools({ a: { tool: 't', description: 'd', argumnets: {} } });
    deepEqual([tools.length, problems[0]?.message], [1, 'A custom tool has no argumnets.']);
  });

  const wrong: readonly (readonly [unknown, readonly string[]])[] = [
    [undefined, []],
    ['x', ['']],
    [{ 'a b': { tool: 't', description: 'd' } }, ['/a b']],
    [{ a: 1 }, ['/a']],
    [{ a: {} }, ['/a/tool', '/a/description']],
    [{ a: { tool: 't', description: 'd', inputSchema: 1, arguments: 2 } }, ['/a/inputSchema', '/a/arguments']],
    [{ a: { tool: 't', description: 'd', arguments: { x: '{{y}}' } } }, ['/a/arguments']],
    [{ a: { tool: 't', description: 'd', arguments: { '{{y}}': 1 } } }, []],
    [{ a: { tool: 't', description: 'd', inputSchema: { type: 'array' } } }, ['/a/inputSchema']],
    [{ a: { tool: 't', description: 'd', argumnets: {} } }, ['/a/argumnets']],
  ];
  for (const [given, pointers] of wrong) {
    it(`${JSON.stringify(given)} has ${pointers.length} problems`, () => {
      deepEqual(readCustomTools(given).problems.map(({ pointer }) => pointer), pointers); // prettier-ignore
    });
  }
});

describe('rules in the catalog', () => {
  it('change what is shown and keep what is called', () => {
    const catalog = openCatalog();
    catalog.setServer('1', 'notes', listed, {
      rules: rules({ delete_note: { name: 'remove' }, nothing: {} }),
      cachedAt: 5,
    });
    const entry = catalog.find('mcp__notes__remove');
    equal(entry && underlyingOf(entry).name, 'delete_note');
    deepEqual(entry && argumentsFor(entry, { id: 1 }), { id: 1 });
    equal(entry?.cachedAt, 5);
    const plain = catalog.find('mcp__notes__read_note');
    equal(plain && underlyingOf(plain), plain?.tool);
    equal(catalog.problemsOf('1')[0]?.code, 'unknown-tool');
    catalog.dispose();
  });
});
