import { strict as assert } from 'node:assert';
import { InputTurns } from '../../../../src/bridge/dialogs/inputTurns.ts';
import { FakeInput } from '../fakeInput.ts';

describe('bridge/dialogs/inputTurns', () => {
  it('a question that waits is brought to the front, and the one that was shown comes after it', async () => {
    const turns = new InputTurns();
    const asked = ['one', 'two', 'three'].map((name) => {
      const input = new FakeInput();
      const { signal } = new AbortController();
      return { name, input, signal, answered: turns.run(signal, (turn) => input.ask(turn)) };
    });
    const [one, two, three] = asked;
    assert.ok(one && two && three);
    const visible = (): string[] => asked.flatMap(({ name, input }) => (input.isVisible ? [name] : []));
    await one.input.shown();
    assert.ok(turns.bringForward(three.signal));
    await three.input.shown();
    assert.deepEqual(visible(), ['three']);
    assert.equal(three.input.waiting, 2);
    three.input.answer('3');
    assert.equal(await three.answered, '3');
    await one.input.shown();
    assert.deepEqual(visible(), ['one']);
    one.input.answer('1');
    await two.input.shown();
    two.input.answer('2');
    assert.deepEqual(await Promise.all([one.answered, two.answered]), ['1', '2']);
  });

  it('the one that is shown is shown anew, so that it gets the focus', async () => {
    const turns = new InputTurns();
    const { signal } = new AbortController();
    const input = new FakeInput();
    const shows: string[] = [];
    const show = input.show.bind(input);
    const hide = input.hide.bind(input);
    Object.assign(input, {
      show: () => (shows.push('show'), show()),
      hide: () => (shows.push('hide'), hide()),
    });
    const answered = turns.run(signal, (turn) => input.ask(turn));
    await input.shown();
    assert.ok(turns.bringForward(signal));
    assert.deepEqual(shows, ['show', 'hide', 'show']);
    input.answer('yes');
    assert.equal(await answered, 'yes');
  });

  it('what is asked elsewhere can’t be', () => {
    assert.equal(new InputTurns().bringForward(new AbortController().signal), false);
  });
});
