import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  letrec,
  oneof,
  property,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { isRecord, type JsonObject } from '../../../../src/base/json/json.ts';
import { normalizeSchema } from '../../../../src/catalog/schema/normalizeSchema.ts';

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const;
const DRAFTS = [new Ajv2020(OPTIONS), new Ajv(OPTIONS)];
const sharedTools = resolve(import.meta.dirname, '../../../../../shared/tools');

/** Throws where a schema is not one that drafts 7 and 2020-12 both take, or breaks what every provider asks. */
function check(schema: JsonObject): void {
  equal(schema['type'], 'object');
  for (const combinator of ['anyOf', 'oneOf', 'allOf', 'not', '$ref']) equal(schema[combinator], undefined, combinator);
  for (const draft of DRAFTS) {
    draft.compile(schema);
    draft.removeSchema(schema);
  }
  checkNode(schema);
}

function checkNode(node: unknown): void {
  if (!isRecord(node)) return;
  ok(!('$ref' in node) && !('oneOf' in node) && !('allOf' in node));
  ok(typeof node['exclusiveMinimum'] !== 'boolean' && typeof node['exclusiveMaximum'] !== 'boolean');
  if (node['type'] === 'object') ok(isRecord(node['properties']), 'an object without properties');
  if (node['type'] === 'array') ok(isRecord(node['items']), 'an array without items');
  const properties = isRecord(node['properties']) ? node['properties'] : {};
  for (const name of Array.isArray(node['required']) ? (node['required'] as string[]) : [])
    ok(name in properties, name);
  for (const inner of [...Object.values(properties), node['items'], node['additionalProperties']]) checkNode(inner);
  if (Array.isArray(node['anyOf'])) node['anyOf'].forEach(checkNode);
}

/** A condition of a schema. */
const when = (then: JsonObject, otherwise?: JsonObject): JsonObject =>
  // oxlint-disable-next-line unicorn/no-thenable
  Object.fromEntries([['if', { properties: { kind: { const: 'x' } } }], ['then', then], ...(otherwise ? [['else', otherwise]] : [])]); // prettier-ignore
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('normalised schemas', function () {
  this.timeout(60_000);
  const golden: readonly (readonly [string, unknown, JsonObject])[] = [
    ['null', null, object({})],
    ['nothing', undefined, object({})],
    ['true', true, object({})],
    ['false', false, object({})],
    ['an empty one', {}, object({})],
    ['an object without properties', { type: 'object' }, object({})],
    ['required that names nothing', { type: 'object', required: ['a'] }, object({})],
    [
      'required that names something twice',
      object({ a: {} }, { required: ['a', 'a', 'b', 7] }),
      object({ a: {} }, { required: ['a'] }),
    ],
    ['an array without items', object({ a: { type: 'array' } }), object({ a: { type: 'array', items: {} } })],
    ['boolean items', object({ a: { type: 'array', items: true } }), object({ a: { type: 'array', items: {} } })],
    [
      'a tuple of draft 7',
      object({ a: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } }),
      object({ a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }),
    ],
    [
      'a tuple of 2020-12',
      object({ a: { prefixItems: [{ type: 'string' }, { type: 'string' }], items: false } }),
      object({ a: { type: 'array', items: { type: 'string' } } }),
    ],
    [
      'bounds of draft 4',
      object({ a: { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } }),
      object({ a: { type: 'number', maximum: 9, exclusiveMinimum: 1 } }),
    ],
    ['a bound without the bound', object({ a: { exclusiveMinimum: true } }), object({ a: {} })],
    ['const', object({ a: { const: 'x' } }), object({ a: { enum: ['x'] } })],
    ['an empty enum', object({ a: { enum: [] } }), object({ a: {} })],
    ['boolean properties', object({ a: true, b: false }, { required: ['b'] }), object({ a: {} })],
    ['a nullable type', object({ a: { type: ['string', 'null'] } }), object({ a: { type: 'string' } })],
    [
      'several types',
      object({ a: { type: ['string', 'array'], description: 'd' } }),
      object({ a: { description: 'd', anyOf: [{ type: 'string' }, { type: 'array', items: {} }] } }),
    ],
    ['types of a language', object({ a: { type: 'int' }, b: { type: 'any' } }), object({ a: { type: 'integer' }, b: {} })],
    ['a pattern that is none', object({ a: { type: 'string', pattern: '(' } }), object({ a: { type: 'string' } })],
    [
      'a reference',
      object({ a: { $ref: '#/$defs/A', description: 'here' } }, { $defs: { A: { type: 'string' } } }),
      object({ a: { type: 'string', description: 'here' } }),
    ],
    [
      'a reference with escapes',
      object({ a: { $ref: '#/definitions/x~1y%20z' } }, { definitions: { 'x/y z': { type: 'boolean' } } }),
      object({ a: { type: 'boolean' } }),
    ],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/B' }, b: { type: 'string' } }), object({ a: {}, b: { type: 'string' } })],
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.org/a.json' } }), object({ a: {} })],
    ['a root reference', { $ref: '#/$defs/R', $defs: { R: object({ a: { type: 'string' } }) } }, object({ a: { type: 'string' } })],
    [
      'a recursive one',
      object({ tree: { $ref: '#/$defs/T' } }, { $defs: { T: object({ sub: { type: 'array', items: { $ref: '#/$defs/T' } } }) } }),
      object({ tree: object({ sub: { type: 'array', items: object({}) } }) }),
    ],
    ['one that is its own reference', { $ref: '#' }, object({})],
    [
      'a root allOf',
      { allOf: [object({ a: {} }, { required: ['a'] }), object({ b: {} })], properties: { c: {} } },
      object({ c: {}, a: {}, b: {} }, { required: ['a'] }),
    ],
    [
      'a nested oneOf',
      object({ a: { oneOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] } }),
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    ],
    ['a name that models are not offered', object({ $filter: { type: 'string' }, a: {} }, { required: ['$filter'] }), object({ a: {} })],
    [
      'patterns of names, with nothing else allowed',
      object({ a: { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false } }),
      object({ a: object({}, { additionalProperties: { type: 'string' } }) }),
    ],
    [
      'patterns of names beside others',
      object({ a: { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: { type: 'number' } } }),
      object({ a: object({}, { additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } }) }),
    ],
    [
      'nothing else allowed, where something is not offered',
      object({ $filter: {}, a: {} }, { additionalProperties: false }),
      object({ a: {} }),
    ],
    [
      'a tuple of 2020-12 with more after it',
      object({ a: { prefixItems: [{ type: 'string' }], items: { type: 'number' } } }),
      object({ a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }),
    ],
    [
      'a tuple of draft 7 with more after it',
      object({ a: { items: [{ type: 'string' }], additionalItems: { type: 'number' } } }),
      object({ a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }),
    ],
    ['an anchor', object({ a: { $ref: '#A' }, b: { $anchor: 'A', type: 'string' } }), object({ a: { type: 'string' }, b: { type: 'string' } })],
    ['an id of draft 4', object({ a: { $ref: '#A' } }, { definitions: { A: { id: '#A', type: 'string' } } }), object({ a: { type: 'string' } })],
    [
      'an address that a part has',
      object({ a: { $ref: 'urn:a#/$defs/x' } }, { $defs: { A: { $id: 'urn:a', $defs: { x: { type: 'string' } } } } }),
      object({ a: { type: 'string' } }),
    ],
    [
      'a dynamic reference',
      object({ a: { $dynamicRef: '#n' } }, { $defs: { n: { $dynamicAnchor: 'n', ...object({ b: { $dynamicRef: '#n' } }) } } }),
      object({ a: object({ b: object({}) }) }),
    ],
    ['a recursive reference of 2019-09', object({ a: { $recursiveRef: '#' } }), object({ a: object({ a: object({}) }) })],
    ['an escape within an escape', object({ a: { $ref: '#/$defs/x%7E1y' } }, { $defs: { 'x/y': { type: 'string' } } }), object({ a: { type: 'string' } })],
    ['half a character', object({ a: { description: 'x\uD83D', default: ['\uDE00'] } }), object({ a: { description: 'x\uFFFD', default: ['\uFFFD'] } })],
    [
      'very long values',
      object({ a: { description: 'word '.repeat(10_000), default: 'd'.repeat(10_000), enum: ['e'.repeat(20_000)], pattern: 'p'.repeat(10_000), examples: ['x'.repeat(10_000)] } }),
      object({ a: { description: `${'word '.repeat(409).trim()}…` } }),
    ],
    [
      'conditions',
      object({ kind: {} }, { ...when({ properties: { a: { type: 'string' }, kind: { const: 1 } } }, { properties: { b: {} } }), dependentSchemas: { kind: object({ c: {} }) } }),
      object({ kind: {}, a: { type: 'string' }, b: {}, c: {} }),
    ],
    ['conditions where nothing else is allowed', object({ a: {} }, { additionalProperties: false, ...when(object({ b: {} })) }), object({ a: {} }, { additionalProperties: false })],
    ['keywords of later drafts', object({ a: {} }, { $schema: 'x', unevaluatedProperties: false, if: {} }), object({ a: {} })],
  ]; // prettier-ignore
  for (const [name, original, expected] of golden) {
    it(`of ${name}`, () => {
      const { schema } = normalizeSchema(original);
      deepEqual(schema, expected);
      check(schema);
    });
  }

  it('say in a sentence what a flattened root allowed', () => {
    const { schema, note } = normalizeSchema({
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      oneOf: [{ required: ['id'] }, { required: ['name'] }],
    });
    deepEqual(schema, object({ id: { type: 'string' }, name: { type: 'string' } }));
    equal(note, 'Give exactly one of these sets of parameters: id; or name.');
  });

  it('join the ways of a root anyOf and require what all of them do', () => {
    const { schema, note } = normalizeSchema({
      anyOf: [
        object({ kind: { enum: ['a'] }, x: {} }, { required: ['kind', 'x'] }),
        object({ kind: { enum: ['b'] }, y: {} }, { required: ['kind', 'y'] }),
      ],
    });
    deepEqual(schema['required'], ['kind']);
    deepEqual(Object.keys(schema['properties'] as JsonObject), ['kind', 'x', 'y']);
    deepEqual((schema['properties'] as Record<string, JsonObject>)['kind'], { enum: ['a', 'b'] });
    equal(note, 'Give at least one of these sets of parameters: kind and x; or kind and y.');
  });

  it('say in a sentence what is required under a condition only', () => {
    const condition = when({ required: ['a'] });
    for (const conditional of [condition, { allOf: [condition] }, { dependentRequired: { kind: ['a', 'nowhere'] } }, { dependencies: { kind: ['a'] } }]) {
      const { schema, note } = normalizeSchema(object({ kind: {}, a: {} }, conditional));
      deepEqual(schema, object({ kind: {}, a: {} }));
      equal(note, 'Depending on the other parameters, these can also be required: a.');
    }
  }); // prettier-ignore

  it('of an answer keep that a tuple may go on', () => {
    const answer = object({ a: { prefixItems: [{ type: 'string' }] }, b: { items: [{ type: 'string' }], additionalItems: false } });
    const string = { type: 'array', items: { type: 'string' } };
    deepEqual(normalizeSchema(answer, true).schema, object({ a: { type: 'array', items: {} }, b: string }));
  }); // prettier-ignore

  it('of an answer keep that something may be null', () => {
    const answer = object({ a: { type: ['string', 'null'] }, b: { type: 'object', nullable: true } });
    deepEqual(normalizeSchema(answer, true).schema, {
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        b: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] },
      },
    });
  });

  it('report what could not be kept', () => {
    const codes = (schema: unknown): string[] => normalizeSchema(schema).problems.map(({ code }) => code);
    deepEqual(codes(object({ a: { $ref: '#/nowhere' } })), ['unresolved-reference']);
    deepEqual(codes(object({ 'a b': {} })), ['unusable-parameter']);
    deepEqual(codes({ type: 'string' }), ['not-an-object']);
    equal(normalizeSchema({ type: 'string' }).isUsable, false);
    deepEqual(codes(object({ a: {} })), []);
  });

  it('of a very large or a very branching one are bounded', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_unused, at) => [`p${at}`, { type: 'string', description: 'd'.repeat(40) }]));
    const $defs = Object.fromEntries(Array.from({ length: 30 }, (_unused, at) => [`D${at}`, object({ a: { $ref: `#/$defs/D${at + 1}` }, b: { $ref: `#/$defs/D${at + 1}` } })]));
    for (const schema of [object(wide), object({ a: { $ref: '#/$defs/D0' } }, { $defs })]) {
      const result = normalizeSchema(schema);
      equal(result.problems[0]?.code, 'too-large');
      ok(JSON.stringify(result.schema).length < 150_000);
      checkNode(result.schema);
    }
  }); // prettier-ignore

  describe('of real servers', () => {
    for (const file of existsSync(sharedTools) ? readdirSync(sharedTools) : []) {
      it(file, () => {
        const content: unknown = JSON.parse(readFileSync(resolve(sharedTools, file), 'utf8'));
        const tools = (isRecord(content) ? content['tools'] : content) as { name: string; inputSchema: unknown }[];
        ok(tools.length > 0);
        for (const { inputSchema } of tools) {
          const { schema, isUsable } = normalizeSchema(inputSchema);
          ok(isUsable);
          check(schema);
          deepEqual(normalizeSchema(schema).schema, schema, 'a second time changes nothing');
        }
      });
    }
  });

  it('are accepted by drafts 7 and 2020-12, whatever the original', function () {
    this.timeout(60_000);
    assert(
      property(anySchema(), (original) => check(normalizeSchema(original).schema)),
      { numRuns: 150 },
    );
  });
});

/** Things that look like schemas, with wrong parts mixed in. */
function anySchema(): Arbitrary<unknown> {
  const name = constantFrom('a', 'b', 'c', '$x', '__proto__', 'constructor', 'with space', '');
  const type = constantFrom('object', 'array', 'string', 'number', 'integer', 'null', 'int', 'file', 7, null);
  const reference = constantFrom(
    '#',
    '#/$defs/a',
    '#/$defs/b',
    '#/properties/a',
    '#nowhere',
    'https://example.org',
    '',
  );
  const { schema } = letrec((tie) => ({
    schema: oneof({ maxDepth: 4 }, jsonValue({ maxDepth: 1 }), tie('object')),
    object: record(
      {
        type: oneof(type, array(type, { maxLength: 3 })),
        properties: oneof(dictionary(name, tie('schema'), { maxKeys: 4 }), constant([])),
        required: oneof(array(oneof(name, constant(3)), { maxLength: 3 }), constant(true)),
        items: oneof(tie('schema'), array(tie('schema'), { maxLength: 2 })),
        prefixItems: array(tie('schema'), { maxLength: 2 }),
        additionalProperties: tie('schema'),
        anyOf: array(tie('schema'), { maxLength: 3 }),
        oneOf: array(tie('schema'), { maxLength: 3 }),
        allOf: array(tie('schema'), { maxLength: 3 }),
        $ref: reference,
        $defs: dictionary(name, tie('schema'), { maxKeys: 3 }),
        enum: oneof(array(jsonValue({ maxDepth: 1 }), { maxLength: 3 }), constant('x')),
        const: jsonValue({ maxDepth: 1 }),
        minimum: oneof(integer(), string()),
        exclusiveMinimum: oneof(integer(), boolean()),
        maxLength: integer(),
        multipleOf: integer(),
        pattern: string(),
        format: constantFrom('date', 'nonsense', 7),
        not: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  }));
  return schema;
}
