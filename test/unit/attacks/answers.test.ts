import { strict as assert } from 'node:assert';
import { AnswerCache } from '../../../src/connection/session/answerCache.ts';
import { PoolHarness } from '../connection/harness.ts';
import { ManualClock } from '../connection/manualClock.ts';
import { HoldingServer } from '../../support/keptAnswers.ts';

describe('attacks: answers that are kept', function () {
  this.timeout(20_000);

  it('An answer for one account, given to another from memory', async () => {
    const harness = new PoolHarness();
    const holding = new HoldingServer(600_000);
    const uri = 'note://private';
    try {
      // Another account is another connection.
      for (const id of ['ada', 'bob']) {
        const { session } = await harness.connect({ type: 'sdk', server: holding.server }, id);
        await session?.request('resources/read', { uri }, 5_000);
        await session?.request('resources/read', { uri }, 5_000);
      }
      assert.equal(holding.count(`resources/read ${uri}`), 2);
      await harness.pool.restart('bob');
      await harness.pool.get('bob')?.session?.request('resources/read', { uri }, 5_000);
      assert.equal(holding.count(`resources/read ${uri}`), 3);
    } finally {
      await harness.end();
    }
  });

  it('An answer that is to be kept for ever, or more of them than there is room for', async () => {
    const clock = new ManualClock();
    const cache = new AnswerCache(clock);
    let asked = 0;
    const get = (uri: string, text = ''): Promise<unknown> =>
      cache.answer('resources/read', { uri }, async () => ({ n: (asked += 1), text, ttlMs: Number.MAX_SAFE_INTEGER }));
    await get('a');
    clock.advance(60 * 60_000);
    await get('a');
    assert.equal(asked, 2);
    for (let number = 0; number < 20; number += 1) await get(`${number}`, 'x'.repeat(1_000_000));
    asked = 0;
    for (let number = 19; number >= 0; number -= 1) await get(`${number}`, 'x'.repeat(1_000_000));
    assert.ok(asked >= 12, `${asked} of 20 weren’t kept`);
  });
});
