import { strict as assert } from 'node:assert';
import { AdaptiveLimit } from '../../../../src/calls/scheduling/adaptiveLimit.ts';

/** Bursts of calls at a server that takes `ms(n)` for each of `n` at a time. */
function bursts(limit: AdaptiveLimit, ms: (atOnce: number) => number, count = 40, calls = 300): number {
  for (let burst = 0; burst < count; burst++) {
    for (let left = calls; left > 0;) {
      const atOnce = Math.min(left, limit.value);
      for (let call = 0; call < atOnce; call++) limit.note(ms(atOnce), left > atOnce);
      left -= atOnce;
    }
  }
  return limit.value;
}

describe('how many calls a server is sent at a time', () => {
  it('grows while more at a time take no longer, and has an end', () => {
    assert.equal(
      bursts(new AdaptiveLimit(), () => 20),
      256,
    );
  });

  it('falls where more at a time take longer, and never below eight', () => {
    const one = new AdaptiveLimit();
    one.note(10, false);
    assert.equal(
      bursts(one, (atOnce) => 50 * atOnce, 4),
      8,
    );
  });

  it('settles where the server has no more to give', () => {
    const limit = new AdaptiveLimit();
    limit.note(20, false);
    // Sixteen at a time for it; what is more waits there.
    const settled = bursts(limit, (atOnce) => 20 * Math.ceil(atOnce / 16));
    assert.ok(settled >= 16 && settled <= 96, String(settled));
  });

  it('stays where few are asked for', () => {
    assert.equal(
      bursts(new AdaptiveLimit(), () => 5, 40, 10),
      32,
    );
  });

  it('grows again where a server has become slower for good', () => {
    const limit = new AdaptiveLimit();
    bursts(limit, () => 5, 2);
    const fallen = bursts(limit, () => 500, 1, 60);
    assert.ok(bursts(limit, () => 500) > fallen);
  });
});
