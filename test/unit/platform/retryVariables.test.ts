import { strict as assert } from 'node:assert';
import { retryVariables } from '../../../src/platform/settings/retryVariables.ts';

describe('platform/retryVariables', () => {
  for (const [text, expected] of [
    ['{"maxAttempts":5,"initialDelayMs":0,"multiplier":1.5}', { maxAttempts: 5, initialDelayMs: 0, multiplier: 1.5 }],
    ['{"maxAttempts":5', {}],
    ['[5]', {}],
    ['5', {}],
    ['null', {}],
    ['', {}],
    [undefined, {}],
  ] as const)
    it(`${text}`, () => assert.deepEqual(retryVariables(text), expected));
});
