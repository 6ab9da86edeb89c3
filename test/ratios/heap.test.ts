import assert from 'node:assert/strict';
import { heapAfterGc } from '../../bench/connection/report.ts';
import { heapOfServers } from '../../bench/memory/heapOfServers.ts';
import { recased, say } from '../../src/base/say.ts';
import { explainRequest } from '../../src/connection/session/requests/requestFailure.ts';

describe('the heap of 36 servers with 20 tools each', () => {
  it('is a small multiple of what bare clients hold, also once they were searched', async () => {
    const { bare, own, searched } = await heapOfServers();
    // 1.71, and with the index 1.95, of which the tests' watch over leaks is a tenth; without it 1.54 and 1.78 (`bench memory`).
    assert.ok(own / bare <= 1.85, `${own} bytes are ${own / bare} times ${bare}`);
    assert.ok(searched / bare <= 2.1, `${searched} bytes are ${searched / bare} times ${bare}`);
  });
});

describe('the heap of texts for the user', () => {
  const MEGABYTE = 1024 * 1024;
  /** What a server sent, not a part of another text. */
  const received = (number: number, bytes: number): string => Buffer.alloc(bytes, `${number} é`).toString();

  for (const [what, tell] of [
    [
      'long errors of a server',
      (message: string) => {
        const fault = { kind: 'protocol', code: -32_000, message, data: undefined } as const;
        explainRequest({
          what: 'The call',
          error: new Error('x'),
          fault,
          lost: undefined,
          aborted: false,
          timeoutMs: 1000,
        });
      },
    ],
    ['beginnings of what a server sent', (text: string) => say`It failed: ${text.slice(0, 500)}.`],
    ['such a beginning alone', (text: string) => say`${text.slice(0, 500)}`],
    ['such beginnings as sentences', (text: string) => recased(say`a ${text.slice(0, 500)}`, () => 'A')],
  ] as const)
    it(`keeps nothing of the megabytes that they quote: ${what}`, async () => {
      const before = await heapAfterGc();
      for (let number = 0; number < 30; number += 1) tell(received(number, MEGABYTE));
      const grown = (await heapAfterGc()) - before;
      assert.ok(grown < 2 * MEGABYTE, `${grown} bytes`);
    });
});
