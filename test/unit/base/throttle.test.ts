import { strict as assert } from 'node:assert';
import { Batch, Throttle } from '../../../src/base/async.ts';
import type { Clock } from '../../../src/base/clock.ts';
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

  it('pauses nine times as long as the action takes, and a second at most', () => {
    const clock = new ManualClock();
    let acted = 0;
    let takesMs = 10;
    let takenMs = 0;
    // Timers wait while an action takes its time.
    const busy: Clock = {
      now: () => clock.now() + takenMs,
      schedule: (delayMs, done) => clock.schedule(delayMs, done),
    };
    const throttle = new Throttle(20, busy, () => {
      acted += 1;
      takenMs += takesMs;
    });
    throttle.trigger();
    throttle.trigger();
    clock.advance(89);
    assert.equal(acted, 1);
    takesMs = 10_000;
    clock.advance(1);
    assert.equal(acted, 2);
    throttle.trigger();
    clock.advance(999);
    assert.equal(acted, 2);
    clock.advance(1);
    assert.equal(acted, 3);
    throttle.dispose();
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

describe('Batch', () => {
  it('acts once for all that comes in its time, which further triggers don’t make longer', () => {
    const clock = new ManualClock();
    let acted = 0;
    const batch = new Batch(20, clock, () => (acted += 1));
    batch.trigger();
    assert.equal(acted, 0);
    clock.advance(15);
    batch.trigger();
    clock.advance(5);
    assert.equal(acted, 1);
    clock.advance(100);
    assert.equal(acted, 1);
    batch.trigger();
    batch.dispose();
    clock.advance(100);
    assert.equal(acted, 1, 'nothing once it is disposed of');
  });
});
