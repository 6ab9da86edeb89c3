import { strict as assert } from 'node:assert';
import { LONGEST_DELAY_MS, systemClock } from '../../../src/base/clock.ts';
import { chosenNumber } from '../../../src/platform/settings/chosenNumber.ts';

describe('the real clock', () => {
  it('doesn’t call at once what is to be called later than a timer can wait', async () => {
    const called: number[] = [];
    const late = [LONGEST_DELAY_MS, LONGEST_DELAY_MS + 1, 1e12, Infinity];
    const timers = late.map((delayMs) => systemClock.schedule(delayMs, () => called.push(delayMs)));
    // The others would be first, after a millisecond.
    await new Promise<void>((resolve) => {
      const keep = setInterval(() => undefined, 1_000);
      systemClock.schedule(20, () => {
        clearInterval(keep);
        resolve();
      });
    });
    for (const timer of timers) timer.dispose();
    assert.deepEqual(called, []);
  });

  it('is never asked for more by a setting', () => {
    const base = { fallback: 3, minimum: 1 };
    assert.equal(chosenNumber({ ...base, set: 3e9 }), LONGEST_DELAY_MS);
    assert.equal(chosenNumber({ ...base, set: undefined, environment: '99999999999' }), LONGEST_DELAY_MS);
  });
});
