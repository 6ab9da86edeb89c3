import { strict as assert } from 'node:assert';
import { firstAttempt, offersRemembered, type FirstAttempt } from '../../../src/catalog/firstConnection.ts';
import type { ConnectionState } from '../../../src/connection/connectionTypes.ts';

type Kind = ConnectionState['kind'];

/** The states of a connection one after another; whether memory is offered in each, on demand and otherwise. */
const courses: readonly (readonly [course: string, states: readonly (readonly [Kind, boolean, boolean])[]])[] = [
  [
    'starts and stays',
    [
      ['disconnected', true, false],
      ['connecting', true, true],
      ['connected', false, false],
    ],
  ],
  [
    'is lost and comes back',
    [
      ['connecting', true, true],
      ['connected', false, false],
      ['pending', false, false],
      ['connecting', false, false],
      ['connected', false, false],
    ],
  ],
  [
    'fails, and is tried again',
    [
      ['connecting', true, true],
      ['pending', false, false],
      ['connecting', false, false],
      ['failed', false, false],
      ['connecting', false, false],
    ],
  ],
  [
    'needs a sign-in',
    [
      ['connecting', true, true],
      ['needs-auth', false, false],
      ['connecting', false, false],
    ],
  ],
  [
    'is disconnected while it connects',
    [
      ['connecting', true, true],
      ['disconnected', false, false],
      ['connecting', false, false],
    ],
  ],
];

describe('remembered tools are offered where a call gets them', () => {
  for (const [course, states] of courses)
    it(`a server that ${course}`, () => {
      let attempt: FirstAttempt = 'waiting';
      const offered = states.map(([kind]) => {
        attempt = firstAttempt(attempt, kind);
        return [kind, offersRemembered(attempt, true), offersRemembered(attempt, false)];
      });
      assert.deepEqual(offered, states);
    });
});
