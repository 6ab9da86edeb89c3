import assert from 'node:assert/strict';
import { EventMask } from '../../../../src/connection/recording/eventMask.ts';
import type { RecordedEvent } from '../../../../src/connection/recording/recordedEvent.ts';
import { MASK } from '../../../../src/base/text/secrets.ts';
import { atOnce } from '../../../../src/base/timeSlices.ts';

let seq = 0;

function event(message: object, server = 'a', direction: 'sent' | 'received' = 'received'): RecordedEvent {
  const what = { kind: 'message', direction, message, bytes: 1 } as const;
  return { seq: (seq += 1), at: 0, server, connection: 1, what };
}

const secretOf = (at: number): string => `x${at.toString(36)}-Q7zk29-${(at * 7919).toString(36)}`;

describe('secrets that are learned from messages', () => {
  const plain = (text: string): string => text;

  it('one more among a thousand costs what the first one cost', () => {
    const mask = new EventMask(plain);
    const work = (from: number, to: number): number => {
      const real = Buffer.from.bind(Buffer);
      let encoded = 0;
      // The forms of a value are encoded: work is counted, not timed.
      Buffer.from = (...given: Parameters<typeof real>) => {
        encoded += 1;
        return real(...given);
      };
      try {
        for (let at = from; at < to; at += 1)
          atOnce(mask.masked(event({ result: { token: secretOf(at) } }, `s${at % 4}`)));
      } finally {
        Buffer.from = real;
      }
      return encoded;
    };
    const first = work(0, 20);
    work(20, 1_480);
    const last = work(1_480, 1_500);
    assert.ok(first > 20, String(first));
    assert.ok(last <= first * 1.5, `${first} for the first 20, ${last} for the last`);
    assert.equal(mask.learned, 1_500);
    assert.equal(mask.text(`${secretOf(3)} and ${secretOf(1_499)}`), `${MASK} and ${MASK}`);
  });

  it('what more is learned of a server ends with a thousand: none is forgotten, and others’ are learned', () => {
    const mask = new EventMask(plain);
    mask.learn(event({ result: { password: 'The-First-1!' } }));
    const many = Array.from({ length: 3_000 }, (_, at) => ({ token: secretOf(at) }));
    const masked = atOnce(mask.masked(event({ result: { many } })));
    assert.equal(mask.learned, 1_000);
    assert.ok(!JSON.stringify(masked).includes('Q7zk29'), 'in its place, each is masked');
    mask.learn(event({ params: { password: 'The-Users-2!' } }, 'a', 'sent'));
    mask.learn(event({ result: { password: 'Of-Another-3!' } }, 'b'));
    mask.learn(event({ result: { password: 'One-Too-Many-4!' } }));
    const text = 'The-First-1! The-Users-2! Of-Another-3! One-Too-Many-4!';
    assert.equal(mask.text(text), `${MASK} ${MASK} ${MASK} One-Too-Many-4!`);
  });

  it('long ones take bounded memory: what is too long is masked in its place', () => {
    const mask = new EventMask(plain);
    const long = 'aB3-'.repeat(100_000);
    const masked = atOnce(mask.masked(event({ result: { token: long, password: 'Short-1!' } })));
    assert.deepEqual(masked.what.kind === 'message' && masked.what.message, {
      result: { token: MASK, password: MASK },
    });
    assert.equal(mask.learned, 1);
    assert.equal(mask.text('Short-1!'), MASK);
  });

  it('tokens of pages are none', () => {
    const mask = new EventMask(plain);
    const what = event({ nextPageToken: 'CAUQAA-1', page_token: 'CAUQAA-2', continuationToken: 'CAUQAA-3' });
    assert.deepEqual(atOnce(mask.masked(what)), what);
    assert.equal(mask.learned, 0);
  });
});
