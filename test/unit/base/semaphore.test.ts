import { deepEqual, rejects } from 'node:assert/strict';
import { Semaphore } from '../../../src/base/semaphore.ts';

describe('a semaphore', () => {
  const { signal } = new AbortController();

  it('lets so many have a turn, and then those who waited, in order', async () => {
    const semaphore = new Semaphore(2);
    const had: string[] = [];
    const take = async (name: string): Promise<{ dispose(): void }> => {
      const turn = await semaphore.take(signal);
      had.push(name);
      return turn;
    };
    const [first, second] = await Promise.all([take('a'), take('b')]);
    const waiting = [take('c'), take('d')];
    await new Promise(setImmediate);
    deepEqual(had, ['a', 'b']);
    first?.dispose();
    // A turn is given back once.
    first?.dispose();
    const third = await waiting[0];
    await new Promise(setImmediate);
    deepEqual(had, ['a', 'b', 'c']);
    third?.dispose();
    const fourth = await waiting[1];
    deepEqual(had, ['a', 'b', 'c', 'd']);
    second?.dispose();
    fourth?.dispose();
  });

  it('lets go of those who don’t wait any more, and of nobody’s turn', async () => {
    const semaphore = new Semaphore(1);
    const turn = await semaphore.take(signal);
    const leaving = new AbortController();
    const [left, stays] = [semaphore.take(leaving.signal), semaphore.take(signal)];
    leaving.abort('left');
    await rejects(left, (reason) => reason === 'left');
    await rejects(semaphore.take(AbortSignal.abort('gone')), (reason) => reason === 'gone');
    turn.dispose();
    (await stays).dispose();
    (await semaphore.take(signal)).dispose();
  });
});
