import { strict as assert } from 'node:assert';
import {
  fieldsOf,
  mistakeIn,
  valueOfChoices,
  valueOfText,
  type Field,
} from '../../../../src/bridge/serverQuestions/formFields.ts';
import { plainForm } from '../../../../src/connection/cleaning/cleanQuestion.ts';
import { fillForm, type FieldAnswer } from '../../../../src/bridge/serverQuestions/formSteps.ts';

const SCHEMA = {
  type: 'object',
  required: ['mail', 'age'],
  properties: {
    mail: { type: 'string', title: 'Mail', description: 'where to', format: 'email' },
    age: { type: 'integer', minimum: 18, maximum: 99, default: 30 },
    agree: { type: 'boolean', default: true },
    color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2, default: ['a'] },
    odd: { type: 'object' },
  },
};

const fields = fieldsOf(SCHEMA);
const field = (name: string): Extract<Field, { kind: 'text' | 'number' }> => {
  const found = fields.find((each) => each.name === name);
  assert.ok(found?.kind === 'text' || found?.kind === 'number');
  return found;
};

describe('servers’ questions: the form', () => {
  it('has each kind of field that the specification has, in order, and leaves out the rest', () => {
    assert.deepEqual(
      fields.map(({ name, kind, required, initial }) => [name, kind, required, initial]),
      [
        ['mail', 'text', true, undefined],
        ['age', 'number', true, 30],
        ['agree', 'boolean', false, true],
        ['color', 'choice', false, undefined],
        ['size', 'choice', false, undefined],
        ['tags', 'choices', false, ['a']],
      ],
    );
    const labels = fields.flatMap((each) => ('options' in each ? each.options.map(({ label }) => label) : []));
    assert.deepEqual(labels, ['Red', 'Green', 'Small', 'l', 'a', 'b', 'c']);
    for (const odd of [undefined, null, {}, { properties: [] }, { properties: { a: 1 } }])
      assert.deepEqual(fieldsOf(odd), []);
  });

  it('has fields as libraries write them: references, values that may be null, types that go without saying', () => {
    const enums = { type: 'string', enum: ['low', 'high'], title: 'Priority' };
    const form = {
      type: 'object',
      // PrefectHQ/fastmcp#1565: of an enum of Python; #2772: choices with titles and no type.
      $defs: { Priority: enums },
      properties: {
        direct: { $ref: '#/$defs/Priority' },
        wrapped: { allOf: [{ $ref: '#/$defs/Priority' }], default: 'high', title: 'How soon' },
        optional: { anyOf: [{ $ref: '#/$defs/Priority' }, { type: 'null' }], default: null },
        nullable: { type: ['integer', 'null'], minimum: 1 },
        titled: {
          oneOf: [
            { const: 'a', title: 'First' },
            { const: 'b', title: 'Second' },
          ],
        },
        one: { oneOf: [{ const: 'a', title: 'Only' }] },
        bare: { enum: ['x', 'y'] },
        several: { items: { $ref: '#/$defs/Priority' } },
        severalTitled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'First' }] } },
        lost: { $ref: '#/$defs/none' },
        loop: { $ref: '#/properties/loop' },
        nested: { type: 'array', items: { $ref: '#/properties/nested' } },
        numbers: { enum: [1, 2] },
      },
    };
    assert.deepEqual(
      fieldsOf(plainForm(form)).map((each) => [
        each.name,
        each.kind,
        each.title,
        each.initial,
        'options' in each ? each.options.map(({ label }) => label).join() : '',
      ]),
      [
        ['direct', 'choice', 'Priority', undefined, 'low,high'],
        ['wrapped', 'choice', 'How soon', 'high', 'low,high'],
        ['optional', 'choice', 'Priority', undefined, 'low,high'],
        ['nullable', 'number', 'nullable', undefined, ''],
        ['titled', 'choice', 'titled', undefined, 'First,Second'],
        ['one', 'choice', 'one', undefined, 'Only'],
        ['bare', 'choice', 'bare', undefined, 'x,y'],
        ['several', 'choices', 'several', undefined, 'low,high'],
        ['severalTitled', 'choices', 'severalTitled', undefined, 'First'],
      ],
    );
    const odd = fieldsOf({ properties: { a: { type: 'string', enum: [1, 'x', 'y'], enumNames: ['1', 'X', 'Y'] } } })[0];
    assert.deepEqual(odd && 'options' in odd && odd.options.map(({ label }) => label), ['X', 'Y']);
  });

  for (const [name, text, expected] of [
    ['mail', '', { rule: 'required' }],
    ['mail', 'nobody', { rule: 'format', format: 'email' }],
    ['mail', 'a@b.example', undefined],
    ['age', 'x', { rule: 'number' }],
    ['age', '20.5', { rule: 'integer' }],
    ['age', '17', { rule: 'minimum', limit: 18 }],
    ['age', '100', { rule: 'maximum', limit: 99 }],
    ['age', '18', undefined],
  ] as const) {
    it(`${name} = "${text}": ${expected?.rule ?? 'right'}`, () => {
      assert.deepEqual(mistakeIn(field(name), text), expected);
      if (!expected) assert.equal(valueOfText(field(name), text), name === 'age' ? Number(text) : text);
    });
  }

  for (const [schema, text, expected] of [
    [{ format: 'date' }, '2024-02-29', undefined],
    [{ format: 'date' }, '2023-02-29', 'format'],
    [{ format: 'date' }, '29.02.2024', 'format'],
    [{ format: 'date-time' }, '2024-02-29T10:00:00Z', undefined],
    [{ format: 'date-time' }, '2024-02-29T10:00:00.5+02:00', undefined],
    [{ format: 'date-time' }, '2024-02-29T10:00:00', 'format'],
    [{ format: 'date-time' }, '2024-02-30T10:00:00Z', 'format'],
    [{ format: 'date-time' }, '2024-02-29T25:00:00Z', 'format'],
    [{ format: 'uri' }, 'https://a.example/b', undefined],
    [{ format: 'uri' }, 'a.example', 'format'],
    [{ format: 'unheard-of' }, 'anything', undefined],
    [{ minLength: 3 }, '😀😀', 'minLength'],
    [{ maxLength: 2 }, '😀😀', undefined],
  ] as const)
    it(`${JSON.stringify(schema)} = "${text}": ${expected ?? 'right'}`, () => {
      const [text1] = fieldsOf({ properties: { text1: { type: 'string', ...schema } } });
      assert.ok(text1?.kind === 'text');
      assert.equal(mistakeIn(text1, text)?.rule, expected);
    });

  it('several of a list: as many as it takes; none is no answer where none is needed', () => {
    const list = (more: object, required = false): Extract<Field, { kind: 'choices' }> => {
      const property = { type: 'array', items: { enum: ['a', 'b', 'c'] }, ...more };
      const [found] = fieldsOf({ properties: { property }, required: required ? ['property'] : [] });
      assert.ok(found?.kind === 'choices');
      return found;
    };
    const some = list({ minItems: 2, maxItems: 2 });
    assert.deepEqual(valueOfChoices(some, []), { value: undefined });
    assert.equal(valueOfChoices(some, ['a']), undefined);
    assert.deepEqual(valueOfChoices(some, ['a', 'b']), { value: ['a', 'b'] });
    assert.equal(valueOfChoices(some, ['a', 'b', 'c']), undefined);
    assert.equal(valueOfChoices(list({ minItems: 1 }, true), []), undefined);
    assert.deepEqual(valueOfChoices(list({}), []), { value: [] });
  });

  it('goes back, keeps what was filled in, and leaves out what was not', async () => {
    const seen: [string, unknown][] = [];
    const answers: FieldAnswer[] = [
      { kind: 'value', value: 'a@b.example' },
      { kind: 'back' },
      { kind: 'value', value: 'c@d.example' },
      { kind: 'value', value: 18 },
      { kind: 'value', value: false },
    ];
    const filled = await fillForm(fields.slice(0, 4), async ({ name }, _index, known) => {
      seen.push([name, known]);
      return answers.shift() ?? { kind: 'value', value: undefined };
    });
    assert.deepEqual(filled, { mail: 'c@d.example', age: 18, agree: false });
    assert.deepEqual(seen.slice(0, 3), [
      ['mail', undefined],
      ['age', 30],
      ['mail', 'a@b.example'],
    ]);
  });

  it('back before the first leads to the beginning; closing ends it', async () => {
    assert.equal(await fillForm(fields, async () => ({ kind: 'back' })), 'back');
    assert.equal(await fillForm(fields, async () => ({ kind: 'cancel' })), 'cancel');
  });
});
