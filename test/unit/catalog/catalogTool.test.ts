import { equal } from 'node:assert/strict';
import { effectOf } from '../../../src/catalog/catalogTool.ts';

describe('effect of a tool', () => {
  const table = [
    [{}, 'destructive'],
    [{ readOnlyHint: true }, 'read-only'],
    [{ readOnlyHint: true, destructiveHint: true }, 'read-only'],
    [{ readOnlyHint: false }, 'destructive'],
    [{ destructiveHint: false }, 'writes'],
    [{ readOnlyHint: false, destructiveHint: false }, 'writes'],
    [{ destructiveHint: true }, 'destructive'],
    [{ idempotentHint: true }, 'destructive'],
  ] as const;
  for (const [annotations, effect] of table) {
    it(`${JSON.stringify(annotations)} is ${effect}`, () => equal(effectOf(annotations), effect));
  }
});
