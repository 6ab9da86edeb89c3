import { strict as assert } from 'node:assert';
import { HeldRequest } from '../../../../../src/bridge/gateway/protocol/stateless/heldRequest.ts';
import { HeldRequests } from '../../../../../src/bridge/gateway/protocol/stateless/heldRequests.ts';
import { ManualClock } from '../../../connection/manualClock.ts';

const MINUTE_MS = 60_000;
const ENVELOPE = { clientName: 'an-agent', capabilities: { elicitation: {} }, logLevel: undefined };
const never = new AbortController().signal;

describe('gateway: requests that wait for their clients', () => {
  let clock: ManualClock;
  let all: HeldRequests;

  beforeEach(() => {
    clock = new ManualClock();
    all = new HeldRequests(clock);
  });
  afterEach(() => all.dispose());

  /** One that asks its client, and has been answered with that. */
  const asking = async (about: string): Promise<{ readonly held: HeldRequest; readonly ended: AbortSignal }> => {
    let ended = never;
    const held = new HeldRequest({ about, envelope: ENVELOPE, params: {} }, clock, async ({ client }, signal) => {
      ended = signal;
      return client.elicit!({ message: 'What?' }, AbortSignal.any([never, signal]), 'what');
    });
    all.run(held);
    const turn = held.during({ params: {}, send: () => undefined });
    clock.advance(20);
    const needed = await turn;
    assert.deepEqual(needed['inputRequests'], { what: { method: 'elicitation/create', params: { message: 'What?' } } });
    all.end(held);
    return { held, ended };
  };

  it('are cancelled after ten minutes, and their state is good for nothing any more', async () => {
    const { held, ended } = await asking('a call');
    const { state } = held;
    clock.advance(10 * MINUTE_MS - 1);
    assert.ok(!ended.aborted);
    clock.advance(1);
    assert.ok(ended.aborted);
    assert.throws(() => all.resume(state, 'a call'), /No request waits/);
    assert.equal(clock.pending, 0);
  });

  it('go on with an answer, once, however long people took', async () => {
    const { held, ended } = await asking('a call');
    const { state } = held;
    clock.advance(9 * MINUTE_MS);
    assert.throws(() => all.resume(state, 'another'), /No request waits/);
    assert.equal(all.resume(state, 'a call'), held);
    const params = { inputResponses: { what: { action: 'accept', content: { what: 'this' } } } };
    const result = await held.during({ params, send: () => undefined });
    assert.deepEqual(result, { action: 'accept', content: { what: 'this' } });
    all.end(held);
    assert.throws(() => all.resume(state, 'a call'), /No request waits/);
    assert.ok(ended.aborted, 'what is left of it ends with it');
  });

  it('are few: the one ends that waits longest', async () => {
    const first = await asking('first');
    for (let count = 0; count < 64; count += 1) await asking(`${count}`);
    assert.ok(first.ended.aborted);
    assert.equal(clock.pending, 64);
  });
});
