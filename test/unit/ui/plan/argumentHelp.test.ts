import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { placeOf, suggestionsAt } from '../../../../src/ui/plan/argumentHelp.ts';

const schema: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', description: 'What it is called.' },
    kind: { enum: ['note', 'list'] },
    done: { type: 'boolean', default: true },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
  },
  $defs: { item: { type: 'object', properties: { text: { type: 'string' } } } },
};

/** The text with a `|` where the cursor is; what a suggestion makes of it. */
function applied(marked: string): Record<string, string> {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return Object.fromEntries(
    suggestionsAt(schema, text, offset).map(({ label, insert, offset: at, length }) => [
      label,
      text.slice(0, at) + insert + text.slice(at + length),
    ]),
  );
}

describe('help with arguments', () => {
  it('names those that aren’t there yet, with the beginning of their values', () => {
    assert.deepEqual(applied('{ "title": "a", | }'), {
      kind: '{ "title": "a", "kind": "note" }',
      done: '{ "title": "a", "done": true }',
      items: '{ "title": "a", "items": [] }',
    });
    assert.deepEqual(applied('{}'.replace('{', '{|'))['title'], '{"title": ""}');
  });

  it('puts a name in place of the one at hand, and leaves its value', () => {
    assert.equal(applied('{ "ti|": 1 }')['title'], '{ "title": 1 }');
    assert.equal(applied('{ "ti|" }')['title'], '{ "title": "" }');
  });

  it('names values, and follows lists and references', () => {
    assert.deepEqual(applied('{ "kind": | }'), { '"note"': '{ "kind": "note" }', '"list"': '{ "kind": "list" }' });
    assert.deepEqual(applied('{ "kind": "no|" }')['"list"'], '{ "kind": "list" }');
    assert.deepEqual(Object.keys(applied('{ "done": | }')), ['true', 'false']);
    assert.deepEqual(applied('{ "items": [{ | }] }'), { text: '{ "items": [{ "text": "" }] }' });
    assert.deepEqual(applied('{ "other": { | } }'), {});
  });

  it('finds what a sentence of the validator is about', () => {
    const text = '{ "title": 7, "items": [{ "text": 1 }], "titel": "x" }';
    const marked = (sentence: string): string => {
      const { offset, length } = placeOf(text, sentence);
      return text.slice(offset, offset + length);
    };
    assert.equal(marked('"title" must be string, got number 7'), '7');
    assert.equal(marked('"items.0.text" must be string, got number 1'), '1');
    assert.equal(marked('the arguments object has no property "titel"; did you mean "title"?'), '"titel"');
    assert.equal(marked('the arguments object is missing the required property "x"'), '{');
    assert.equal(marked('"gone" must be string'), '{');
  });
});
