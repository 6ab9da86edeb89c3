import { strict as assert } from 'node:assert';
import { chosenNumber } from '../../../src/platform/settings/chosenNumber.ts';

describe('platform/chosenNumber', () => {
  const base = { fallback: 3, minimum: 1 };
  for (const [set, environment, expected] of [
    [undefined, undefined, 3],
    [undefined, '5', 5],
    [7, '5', 7],
    [0, '5', 1],
    ['9', '5', 5],
    [Number.NaN, undefined, 3],
    [undefined, '', 3],
    [undefined, ' ', 3],
    [undefined, '0', 3],
    [undefined, 'many', 3],
    [undefined, 'Infinity', 3],
    [undefined, 4, 4],
    [undefined, Number.NaN, 3],
    [undefined, null, 3],
    [undefined, true, 3],
  ] as const)
    it(`set to ${String(set)}, ${JSON.stringify(environment)} in the environment: ${expected}`, () => {
      assert.equal(chosenNumber({ ...base, set, environment }), expected);
    });
});
