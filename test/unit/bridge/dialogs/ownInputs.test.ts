import { strict as assert } from 'node:assert';
import { deferred } from '../../../../src/base/async.ts';
import { OwnInputs } from '../../../../src/bridge/dialogs/ownInputs.ts';

describe('lists and boxes of our own', () => {
  it('are never closed by what needs none to be shown: that waits for the last of them', async () => {
    const inputs = new OwnInputs();
    const [first, second] = [deferred<string>(), deferred<string>()];
    const order: string[] = [];
    const asked = [first, second].map((answer) => inputs.ask(() => answer.promise).then((text) => order.push(text)));
    const alone = inputs.whileNoneIsShown(async () => order.push('alone'));
    first.resolve('first');
    await asked[0];
    second.reject(new Error('closed'));
    await assert.rejects(asked[1] ?? Promise.resolve(), /closed/);
    await alone;
    assert.deepEqual(order, ['first', 'alone']);
  });

  it('wait while something runs alone, one of which runs at a time, also where one fails', async () => {
    const inputs = new OwnInputs();
    const [first, second] = [deferred<void>(), deferred<void>()];
    const order: string[] = [];
    const runAlone = (name: string, end: Promise<void>): Promise<unknown> =>
      inputs.whileNoneIsShown(async () => {
        order.push(name);
        await end;
        order.push(`${name} ended`);
        if (name === 'first') throw new Error('failed');
      });
    const failing = runAlone('first', first.promise);
    const waiting = runAlone('second', second.promise);
    const asked = inputs.ask(async () => order.push('asked'));
    first.resolve();
    await assert.rejects(failing, /failed/);
    second.resolve();
    await Promise.all([waiting, asked]);
    assert.equal(order.length, 5);
    const atOnce = order.indexOf('second ended') - order.indexOf('second');
    assert.equal(atOnce, 1, order.join(', '));
    assert.deepEqual(order.slice(0, 2), ['first', 'first ended']);
  });
});
