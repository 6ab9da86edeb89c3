import assert from 'node:assert/strict';
import { InFlight } from '../../../src/base/inFlight.ts';

describe('InFlight', () => {
  it('keeps values by key, in the order in which they began, whichever ends first', () => {
    const flight = new InFlight<number | string, string>();
    for (const key of [1, '1', 2, 3]) flight.set(key, `value of ${typeof key} ${key}`);
    assert.equal(flight.take(2), 'value of number 2');
    assert.equal(flight.take(1), 'value of number 1');
    flight.set(4, 'late');
    flight.set('1', 'again');
    assert.deepEqual(flight.keys(), ['1', 3, 4]);
    assert.deepEqual(
      flight.keys().map((key) => flight.get(key)),
      ['again', 'value of number 3', 'late'],
    );
    assert.equal(flight.size, 3);
  });

  it('has nothing for a key that isn’t under way, and ends nothing else', () => {
    const flight = new InFlight<object | number>();
    const key = {};
    flight.set(key, true);
    assert.equal(flight.take(7), undefined);
    assert.equal(flight.get(7), undefined);
    assert.ok(flight.get(key) === true && flight.get({}) === undefined);
    assert.equal(flight.take(key), true);
    assert.equal(flight.take(key), undefined);
    assert.equal(flight.size, 0);
  });

  it('gives what there was, whatever ends while that is gone through', () => {
    const flight = new InFlight<number, number>();
    for (let key = 0; key < 100; key += 1) flight.set(key, key * 2);
    const seen: number[] = [];
    for (const key of flight.keys()) {
      seen.push(flight.take(key) ?? -1);
      if (key % 2 === 0) flight.take(key + 1);
    }
    assert.deepEqual(seen.slice(0, 4), [0, -1, 4, -1]);
    assert.equal(seen.length, 100);
    assert.equal(flight.size, 0);
  });
});
