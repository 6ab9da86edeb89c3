import assert from 'node:assert/strict';
import { inSlices, type Steps } from '../../../src/base/timeSlices.ts';

/** Work of so many steps that notes each. */
function* counted(name: string, steps: number, log: string[]): Steps<string> {
  for (let step = 0; step < steps; step += 1) {
    log.push(name);
    yield;
  }
  return name;
}

/** Work whose steps take some time each; `turn` says which turn of the event loop it is. */
function* slow(turn: () => number, took: Map<number, number>, steps: number): Steps<void> {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + 1;
    while (performance.now() < end);
    took.set(turn(), (took.get(turn()) ?? 0) + 1);
    yield;
  }
}

describe('work in slices', () => {
  it('that is short is done in the turn in which it is asked for', async () => {
    const log: string[] = [];
    const work = inSlices(counted('a', 3, log));
    assert.deepEqual(log, ['a', 'a', 'a']);
    assert.equal(await work, 'a');
  });

  it('takes no more of a turn when many works run at once', async () => {
    let turn = 0;
    let on = true;
    const next = (): void => {
      turn += 1;
      if (on) setImmediate(next);
    };
    setImmediate(next);
    const took = new Map<number, number>();
    await Promise.all(Array.from({ length: 20 }, () => inSlices(slow(() => turn, took, 8))));
    on = false;
    assert.equal(
      [...took.values()].reduce((sum, steps) => sum + steps),
      160,
    );
    // Steps of 1 ms each, for 4 ms and the rest of the last step; once more where a turn begins between two looks.
    assert.ok(Math.max(...took.values()) <= 10, JSON.stringify([...took]));
  });

  it('lets a short work end before a long one that began first', async () => {
    const log: string[] = [];
    const took = new Map<number, number>();
    const long = inSlices(slow(() => 0, took, 60)).then(() => log.push('long'));
    const short = inSlices(counted('step', 2, log)).then(() => log.push('short'));
    await Promise.all([long, short]);
    assert.deepEqual(log, ['step', 'step', 'short', 'long']);
  });

  it('fails as its work does, and those behind it go on', async () => {
    const failing = inSlices(
      (function* (): Steps<void> {
        yield;
        throw new Error('of the work');
      })(),
    );
    const log: string[] = [];
    await assert.rejects(failing, /of the work/);
    assert.equal(await inSlices(counted('b', 1, log)), 'b');
  });
});
