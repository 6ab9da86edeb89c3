import { strict as assert } from 'node:assert';
import { Throttle } from '../../../src/base/async.ts';
import { ManualClock } from '../connection/manualClock.ts';

describe('Throttle', () => {
  it('acts at once, then once each interval, and never misses the last', () => {
    const clock = new ManualClock();
    let acted = 0;
    const throttle = new Throttle(20, clock, () => (acted += 1));
    throttle.trigger();
    assert.equal(acted, 1);
    throttle.trigger();
    throttle.trigger();
    assert.equal(acted, 1);
    clock.advance(20);
    assert.equal(acted, 2, 'the two that came meanwhile are one');
    clock.advance(20);
    assert.equal(acted, 2, 'nothing came meanwhile');
    throttle.trigger();
    assert.equal(acted, 3, 'at once again');
  });

  it('acts no more once disposed of', () => {
    const clock = new ManualClock();
    let acted = 0;
    const throttle = new Throttle(20, clock, () => (acted += 1));
    throttle.trigger();
    throttle.trigger();
    throttle.dispose();
    clock.advance(100);
    assert.equal(acted, 1);
  });
});
