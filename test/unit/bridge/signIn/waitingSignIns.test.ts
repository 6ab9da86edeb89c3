import { strict as assert } from 'node:assert';
import { systemClock } from '../../../../src/base/clock.ts';
import { AwaitedAnswer } from '../../../../src/bridge/signIn/awaitedAnswer.ts';
import { WaitingSignIns, type WaitingSignIn } from '../../../../src/bridge/signIn/waitingSignIns.ts';

const waitingFor = (id: string, state: string): WaitingSignIn => ({
  server: { id, name: id },
  awaited: new AwaitedAnswer(state, systemClock),
  redirectUri: 'https://editor.example/callback',
  needsPaste: false,
});

const answer = (state: string): URLSearchParams => new URLSearchParams({ code: '1', state });

describe('the sign-ins that wait in a window', () => {
  it('each get their own answer, once', async () => {
    const all = new WaitingSignIns();
    const [one, two] = [waitingFor('a', 'one'), waitingFor('b', 'two')];
    const added = [all.add(one), all.add(two)];
    assert.equal(all.offer(answer('three')), 'other');
    assert.equal(all.offer(answer('two')), undefined);
    assert.equal(all.offer(answer('two')), 'late');
    assert.equal((await two.awaited.answer(new AbortController().signal)).params.get('state'), 'two');
    assert.equal(all.offer(answer('one')), undefined);
    for (const each of added) each.dispose();
    assert.equal(all.offer(answer('one')), 'other', 'nothing waits any more');
    all.dispose();
  });

  it('the last one of a server is the one that is meant', () => {
    const all = new WaitingSignIns();
    let changes = 0;
    const listening = all.onDidChange(() => (changes += 1));
    const [old, other, last] = [waitingFor('a', '1'), waitingFor('b', '2'), waitingFor('a', '3')];
    const added = [old, other, last].map((each) => all.add(each));
    assert.equal(all.of('a'), last);
    assert.equal(all.of('b'), other);
    assert.equal(all.of('c'), undefined);
    for (const each of added) each.dispose();
    assert.equal(changes, 6);
    listening.dispose();
    all.dispose();
  });
});
