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

  it('Answers under addresses that are larger than they are, or more of them than anybody asks for', async () => {
    const cache = new AnswerCache(new ManualClock());
    let asked = 0;
    const get = (uri: string): Promise<unknown> =>
      cache.answer('resources/read', { uri }, async () => ({ n: (asked += 1), ttlMs: 60_000 }));
    const again = async (uris: readonly string[]): Promise<number> => {
      for (const uri of uris) await get(uri);
      asked = 0;
      for (const uri of uris.toReversed()) await get(uri);
      return asked;
    };
    const long = await again(Array.from({ length: 20 }, (_, number) => `${number}${'x'.repeat(500_000)}`));
    assert.ok(long >= 12, `${long} of 20 weren’t kept`);
    const huge = 'x'.repeat(2_000_000);
    for (let time = 0; time < 2; time += 1) await get(huge);
    assert.equal(asked, long + 2);
    const many = await again(Array.from({ length: 1_500 }, (_, number) => String(number)));
    assert.ok(many >= 500, `${many} of 1,500 weren’t kept`);
  });
});
