import { strict as assert } from 'node:assert';
import { CallScheduler } from '../../../../src/calls/scheduling/callScheduler.ts';
import { eventually } from '../../../support/eventually.ts';

const never = new AbortController().signal;

describe('a call that is paused while somebody is asked', () => {
  it('lets others have their turn, and goes on when it has one again', async () => {
    const scheduler = new CallScheduler(() => 1);
    const steps: string[] = [];
    const answered = Promise.withResolvers<string>();
    const secondMayEnd = Promise.withResolvers<void>();
    const first = scheduler.run('s', true, never, async (paused) => {
      steps.push('first asks');
      const [one, other] = await Promise.all([paused(() => answered.promise), paused(() => answered.promise)]);
      steps.push(`first has ${one} and ${other}`);
    });
    const second = scheduler.run('s', true, never, async () => {
      steps.push('second runs');
      await secondMayEnd.promise;
      steps.push('second ends');
    });
    await eventually('the second runs', () => steps.includes('second runs'));
    answered.resolve('it');
    await new Promise((resolve) => setImmediate(resolve));
    secondMayEnd.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(steps, ['first asks', 'second runs', 'second ends', 'first has it and it']);
    await scheduler.run('s', true, never, async () => void steps.push('third runs'));
    assert.equal(steps.at(-1), 'third runs');
  });

  it('that is cancelled meanwhile leaves its turn to others', async () => {
    const scheduler = new CallScheduler(() => 1);
    const ending = new AbortController();
    const answered = Promise.withResolvers<void>();
    const secondMayEnd = Promise.withResolvers<void>();
    const first = scheduler.run('s', true, ending.signal, (paused) => paused(() => answered.promise));
    const second = scheduler.run('s', true, never, () => secondMayEnd.promise);
    answered.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    ending.abort();
    await assert.rejects(first, /cancelled while it was queued/);
    secondMayEnd.resolve();
    await second;
    await scheduler.run('s', true, never, async () => undefined);
  });
});

describe('a call that waits for its turn', () => {
  it('is told how long it did: not at all where it is its turn', async () => {
    const scheduler = new CallScheduler(() => 1);
    const mayEnd = Promise.withResolvers<void>();
    const waited: number[] = [];
    const first = scheduler.run('s', true, never, async (_paused, waitedMs) => {
      waited.push(waitedMs);
      await mayEnd.promise;
    });
    const second = scheduler.run('s', true, never, async (_paused, waitedMs) => void waited.push(waitedMs));
    const began = performance.now();
    await eventually('the first has run for a while', () => performance.now() - began > 5);
    mayEnd.resolve();
    await Promise.all([first, second]);
    assert.equal(waited[0], 0);
    assert.ok((waited[1] ?? 0) > 4, String(waited[1]));
  });
});
