import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { shownArguments } from '../../../../src/bridge/callQuestions/shownArguments.ts';

const cases: readonly (readonly [title: string, args: JsonObject, shown: unknown])[] = [
  ['none', {}, []],
  [
    'one a line, without braces and commas',
    { title: 'Welcome', count: 2, on: true },
    [
      { name: 'title', lines: ['"Welcome"'] },
      { name: 'count', lines: ['2'] },
      { name: 'on', lines: ['true'] },
    ],
  ],
  [
    'objects and lists over several',
    { edit: { a: 1, b: [2] }, empty: [] },
    [
      { name: 'edit', lines: ['{', '  "a": 1,', '  "b": [', '    2', '  ]', '}'] },
      { name: 'empty', lines: ['[]'] },
    ],
  ],
  [
    'nothing in a value or a name passes for another argument',
    { a: 'x",\n  "b": "y",', 'odd": "c': 'z' },
    [
      { name: 'a', lines: [String.raw`"x\",\n  \"b\": \"y\","`] },
      { name: String.raw`odd\": \"c`, lines: ['"z"'] },
    ],
  ],
];

describe('arguments of a call, as its question shows them', () => {
  for (const [title, args, shown] of cases) {
    it(title, () => {
      assert.deepEqual(shownArguments(args), shown);
    });
  }

  it('says how many there are beside those that are shown', () => {
    const args = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`name${index}`, index]));
    const shown = shownArguments(args);
    assert.match(shown.at(-1)?.lines[0] ?? '', /^… \(12 more: name38, /);
    assert.equal(shown.at(-1)?.name, undefined);
    assert.deepEqual(shown[0], { name: 'name0', lines: ['0'] });
  });

  it('says of a long one how many lines are left out, within that argument', () => {
    const list = Array.from({ length: 100 }, (_, index) => index);
    const [first, second] = shownArguments({ list, after: 1 });
    assert.match(first?.lines.at(-1) ?? '', /^… \(\d+ more lines\)$/);
    assert.deepEqual(second, { name: 'after', lines: ['1'] });
  });
});
