import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../../../scripts/lib/paths.mjs';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { ArgumentValidator } from '../../../../../src/calls/arguments/argumentValidator.ts';
import type { FormField, Json } from '../../../../../src/ui/pages/forms/formField.ts';
import { blankValue, initialValue, isSame, wayOf } from '../../../../../src/ui/pages/forms/formValue.ts';
import { schemaForm } from '../../../../../src/ui/pages/forms/schemaForm.ts';
import { isFormField } from '../../../../../src/ui/pages/front/read/readField.ts';

/** The form of one member. */
function memberOf(schema: object): FormField {
  const form = schemaForm({ type: 'object', properties: { x: schema } });
  ok(form.kind === 'object');
  return form.members[0]!.field;
}

const kindOf = (schema: object): string => memberOf(schema).kind;

/** Something in every field, required or not. */
function filled(field: FormField): Json {
  switch (field.kind) {
    case 'object':
      return Object.fromEntries(field.members.map(({ key, field: each }) => [key, filled(each)]));
    case 'list':
      return [filled(field.item)];
    case 'ways':
      return filled(field.ways[0]!);
    default:
      return blankValue(field);
  }
}

describe('forms: of a schema', () => {
  it('has a field for each type', () => {
    const kinds = { string: 'text', number: 'number', integer: 'number', boolean: 'flag' };
    for (const [type, kind] of Object.entries(kinds)) equal(kindOf({ type }), kind, type);
    equal(kindOf({ type: 'array', items: { type: 'string' } }), 'list');
    equal(kindOf({ type: 'array' }), 'json');
    equal(kindOf({ type: 'object', properties: { a: {} } }), 'object');
    equal(kindOf({ type: 'object', additionalProperties: { type: 'string' } }), 'json');
    equal(kindOf({}), 'json');
    deepEqual(memberOf({ type: 'integer', minimum: 1, maximum: 9, default: 3, title: 'N', description: 'How many' }), {
      kind: 'number',
      label: 'N',
      detail: 'How many',
      isNullable: false,
      initial: 3,
      isInteger: true,
      least: 1,
      most: 9,
    });
    const text = memberOf({ type: 'string', format: 'date-time' });
    ok(text.kind === 'text' && text.format === 'date-time');
  });

  it('has choices for enums, with their titles', () => {
    const optionsOf = (schema: object): unknown => {
      const field = memberOf(schema);
      return field.kind === 'choice' && field.options.map(({ label, value }) => [label, value]);
    };
    deepEqual(optionsOf({ enum: ['a', 1, null] }), [
      ['a', 'a'],
      ['1', 1],
      ['null', null],
    ]);
    deepEqual(optionsOf({ enum: ['a', 'b'], enumNames: ['Ah', 'Be'] }), [
      ['Ah', 'a'],
      ['Be', 'b'],
    ]);
    deepEqual(optionsOf({ oneOf: [{ const: 'a', title: 'Ah' }, { const: 'b' }] }), [
      ['Ah', 'a'],
      ['b', 'b'],
    ]);
    deepEqual(optionsOf({ const: 7 }), [['7', 7]]);
  });

  it('knows what may be null', () => {
    for (const schema of [
      { type: ['string', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { $ref: '#/$defs/s' }], $defs: { s: { type: 'string' } } },
      { type: 'string', nullable: true },
    ]) {
      const field = schemaForm({ type: 'object', properties: { x: schema }, $defs: { s: { type: 'string' } } });
      ok(field.kind === 'object');
      const [member] = field.members;
      equal(member?.field.kind, 'text', JSON.stringify(schema));
      ok(member?.field.isNullable, JSON.stringify(schema));
    }
  });

  it('has a form per way, told apart by what is fixed in it', () => {
    const shape = (kind: string, more: object): object => ({
      type: 'object',
      properties: { kind: { const: kind }, ...more },
      required: ['kind'],
    });
    const field = memberOf({
      oneOf: [shape('circle', { r: { type: 'number' } }), shape('line', { to: { type: 'string' } })],
    });
    ok(field.kind === 'ways');
    deepEqual(
      field.ways.map(({ label }) => label),
      ['kind: circle', 'kind: line'],
    );
    equal(wayOf(field.ways, { kind: 'line' }), 1);
    equal(wayOf(field.ways, { kind: 'circle', r: 2 }), 0);
    deepEqual(blankValue(field.ways[1]!), { kind: 'line' });
    const several = memberOf({ type: ['string', 'integer'] });
    ok(several.kind === 'ways');
    equal(wayOf(several.ways, 3), 1);
  });

  it('leaves ways that only say what is needed to the validation', () => {
    const form = schemaForm({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    equal(form.kind, 'object');
  });

  it('follows references and joins parts, and ends where a schema goes round', () => {
    const tree: JsonObject = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          allOf: [
            { $ref: '#/$defs/named' },
            { properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } },
          ],
        },
        named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    };
    const form = schemaForm(tree);
    ok(form.kind === 'object');
    const [member] = form.members;
    ok(member?.field.kind === 'object');
    deepEqual(
      member.field.members.map(({ key, isRequired }) => [key, isRequired]),
      [
        ['name', true],
        ['children', false],
      ],
    );
    schemaForm({ $ref: '#' });
    schemaForm({ allOf: [{ $ref: '#' }] });
    schemaForm({ anyOf: [{ $ref: '#' }, { $ref: '#' }] });
  });

  it('is of bounded size, however large the schema is', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: 'object', properties: { a: {} } }]),
      ),
    };
    ok(JSON.stringify(schemaForm(wide)).length < 2_000_000);
    let deep: object = { type: 'string' };
    for (let level = 0; level < 500; level += 1)
      deep = { type: 'object', properties: { a: deep }, anyOf: [deep, deep] };
    const began = performance.now();
    schemaForm(deep);
    ok(performance.now() - began < 5_000, 'doubles at each level without a limit');
  });

  it('hides nothing in its labels', () => {
    const field = memberOf({ type: 'string', title: 'a\u202Eb\nc', description: 'x\u200By', enum: ['q\u202Er'] });
    ok(field.kind === 'choice');
    equal(field.label, String.raw`a\u{202e}b\nc`);
    equal(field.detail, String.raw`x\u{200b}y`);
    deepEqual(field.options, [{ label: String.raw`q\u{202e}r`, value: 'q\u202Er' }]);
  });
});

const WILD = path.join(root, '..', 'shared', 'tools');
const OWN: readonly { readonly name: string; readonly inputSchema: JsonObject }[] = [
  { name: 'none', inputSchema: { type: 'object' } },
  {
    name: 'many',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 0 },
        list: { type: 'array', items: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] } },
        kind: { enum: ['a', 'b'], default: 'b' },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      required: ['text', 'list'],
    },
  },
];

describe('forms: of tools of real servers', () => {
  const folder = [path.join(root, '../../shared/tools'), WILD].find((each) => existsSync(each));
  const wild = folder
    ? readdirSync(folder).flatMap((file) => {
        const { tools } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as { tools: typeof OWN };
        return tools.map((tool) => ({ name: `${file} ${tool.name}`, inputSchema: tool.inputSchema }));
      })
    : [];
  const all = [...OWN, ...wild];

  it('ask for each argument, and are what a page takes', () => {
    for (const { name, inputSchema } of all) {
      const form = schemaForm(inputSchema);
      ok(isFormField(form), name);
      const properties = Object.keys((inputSchema['properties'] ?? {}) as object);
      if (form.kind === 'ways') continue;
      ok(form.kind === 'object', `${name}: ${form.kind}`);
      for (const key of properties)
        ok(
          form.members.some((member) => member.key === key),
          `${name}: ${key}`,
        );
    }
  });

  it('make arguments of the types that the schema has, once every field is filled in', async () => {
    const validator = new ArgumentValidator();
    const wrong: string[] = [];
    for (const { name, inputSchema } of all) {
      const form = schemaForm(inputSchema);
      const value = filled(form) as JsonObject;
      // Of several ways, a mistake in one is told as that none has the type.
      const ways = form.kind === 'object' ? form.members.filter(({ field }) => field.kind === 'ways') : [];
      const mistakes = await validator.validate(inputSchema, value);
      // What a person has to find out: lengths, patterns, formats, and which of several go together.
      const types = mistakes.filter((each) =>
        /must be (?:a |an )?(?:string|number|integer|boolean|array|object)/i.test(each),
      );
      wrong.push(
        ...types
          .filter((each) => !ways.some(({ key }) => each.startsWith(`"${key}"`)))
          .map((each) => `${name}: ${each}`),
      );
    }
    validator.dispose();
    deepEqual(wrong, []);
  });

  it('begin with the defaults', () => {
    ok(isSame(initialValue(schemaForm(OWN[1]!.inputSchema)), { list: [], kind: 'b' }));
  });
});
