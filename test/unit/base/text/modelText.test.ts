import { strict as assert } from 'node:assert';
import { atOnce } from '../../../../src/base/timeSlices.ts';
import { readableWithin, readableWithinSteps } from '../../../../src/base/text/modelText.ts';

const HIDDEN = '\u200b';

describe('what a model reads', () => {
  const both = [
    readableWithin,
    (value: unknown, kept?: ReadonlySet<string>) => atOnce(readableWithinSteps(value, kept)),
  ];

  for (const [index, clean] of both.entries()) {
    const how = index === 0 ? 'at once' : 'in steps';

    it(`is the same object where nothing hides in it, ${how}`, () => {
      const value = { a: [{ b: 'text', 'c\n': null }, 1, true], long: 'line\n'.repeat(20_000) };
      assert.equal(clean(value), value);
    });

    it(`is a copy of what has something hidden, and the same of the rest, ${how}`, () => {
      const value = { plain: { a: ['b'] }, list: ['c', `d${HIDDEN}`], [`name${HIDDEN}`]: 1 };
      const cleaned = clean(value) as typeof value;
      assert.deepEqual(cleaned, { plain: { a: ['b'] }, list: ['c', 'd'], name: 1 });
      assert.equal(cleaned.plain, value.plain);
      assert.equal(value.list[1], `d${HIDDEN}`);
    });

    it(`has the first of two members that have one name, ${how}`, () => {
      assert.deepEqual(clean({ name: 1, [`name${HIDDEN}`]: 2 }), { name: 1 });
    });

    it(`leaves what is kept, but not its name, ${how}`, () => {
      const value = { data: `x${HIDDEN}`, within: { data: [`y${HIDDEN}`] } };
      assert.equal(clean(value, new Set(['data'])), value);
      assert.deepEqual(clean({ data: `x${HIDDEN}`, text: `x${HIDDEN}` }, new Set(['data'])), {
        data: `x${HIDDEN}`,
        text: 'x',
      });
    });
  }
});
