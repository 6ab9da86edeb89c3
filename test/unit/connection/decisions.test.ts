import assert from 'node:assert/strict';
import { DEFAULT_BACKOFF, planAttempt } from '../../../src/connection/reconnectPolicy.ts';
import { explainRequest } from '../../../src/connection/session/requests/requestFailure.ts';
import { HttpStatusError, networkCode } from '../../../src/connection/remote/answers/httpStatus.ts';
import { retryAfterMs } from '../../../src/connection/remote/answers/retryAfter.ts';
import {
  type Attempt,
  type AttemptFailure,
  firstAttempt,
  nextAttempt,
} from '../../../src/connection/start/protocolFallback.ts';
import { StartQueue } from '../../../src/connection/start/startQueue.ts';
import { ManualClock } from './manualClock.ts';
import { StderrRing } from '../../../src/connection/stdio/serverStderr.ts';
import { ThrottledLog } from '../../../src/connection/session/throttledLog.ts';

describe('when to try again', () => {
  it('doubles from 1 s to 30 s and gives up after five', () => {
    const delays = [0, 1, 2, 3, 4, 5].map((soFar) => planAttempt(DEFAULT_BACKOFF, soFar, 1)?.delayMs);
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, undefined]);
    assert.equal(planAttempt({ ...DEFAULT_BACKOFF, maxAttempts: 9 }, 7, 1)?.delayMs, 30_000);
  });

  it('spreads the attempts of many servers', () => {
    assert.equal(planAttempt(DEFAULT_BACKOFF, 1, 0)?.delayMs, 1500);
  });
});

const STRICT = { message: 'Unrecognized field "form" (class ClientCapabilities$Elicitation)' };

describe('what to try next', () => {
  const stdio: Attempt = { transport: 'stdio', era: 'auto' };
  const http: Attempt = { transport: 'http', era: 'auto' };
  const legacy: Attempt = { transport: 'http', era: 'legacy' };
  const sse: Attempt = { transport: 'sse', era: 'legacy' };
  const rows: readonly [Parameters<typeof nextAttempt>[0], Attempt, AttemptFailure, Attempt | undefined][] = [
    ['stdio', stdio, { code: 'exited' }, { transport: 'stdio', era: 'legacy' }],
    ['stdio', { transport: 'stdio', era: 'legacy' }, { code: 'exited' }, undefined],
    ['stdio', stdio, { code: 'command-not-found' }, undefined],
    ['stdio', stdio, { code: 'handshake-timeout' }, undefined],
    ['http', http, { code: 'needs-auth', status: 401 }, undefined],
    ['url', http, { code: 'needs-auth', status: 403 }, undefined],
    ['http', http, { code: 'http-status', status: 500 }, legacy],
    ['http', http, { code: 'handshake-failed' }, legacy],
    ['http', http, { code: 'handshake-timeout' }, legacy],
    ['http', http, { code: 'connection-lost' }, legacy],
    ['http', http, { code: 'unreachable' }, undefined],
    ['http', legacy, { code: 'http-status', status: 500 }, undefined],
    ['http', http, { code: 'http-status', status: 404 }, undefined],
    ['url', http, { code: 'http-status', status: 404 }, sse],
    ['url', http, { code: 'http-status', status: 405 }, sse],
    ['url', legacy, { code: 'http-status', status: 400 }, sse],
    ['url', sse, { code: 'http-status', status: 404 }, undefined],
    ['http', http, { code: 'handshake-failed', refusal: STRICT }, { ...legacy, capabilities: 'plain' }],
    [
      'http',
      { ...legacy, capabilities: 'plain' },
      { code: 'handshake-failed', refusal: STRICT },
      { ...legacy, capabilities: 'none' },
    ],
    ['http', { ...legacy, capabilities: 'none' }, { code: 'handshake-failed', refusal: STRICT }, undefined],
  ];
  for (const [type, last, failure, expected] of rows) {
    const told = `${failure.code}${failure.status === undefined ? '' : ` ${failure.status}`}`;
    it(`${type}: ${last.transport} ${last.era}, ${told} → ${expected ? `${expected.transport} ${expected.era}` : 'nothing'}`, () => {
      assert.deepEqual(nextAttempt(type, last, failure), expected);
    });
  }

  it('begins as the type says', () => {
    assert.deepEqual(firstAttempt({ type: 'url' }), http);
    assert.deepEqual(firstAttempt({ type: 'sse' }), sse);
  });
});

describe('slots', () => {
  const signal = new AbortController().signal;

  it('are given first come, first served, up to the limit at that time', async () => {
    let limit = 2;
    const queue = new StartQueue(() => limit);
    const order: number[] = [];
    const slots = await Promise.all([queue.acquire(signal), queue.acquire(signal)]);
    const waiting = [3, 4, 5].map((n) => queue.acquire(signal).then((slot) => (order.push(n), slot)));
    await Promise.resolve();
    assert.deepEqual(order, []);
    slots[0].release();
    slots[0].release();
    await waiting[0];
    assert.deepEqual(order, [3]);
    limit = 3;
    slots[1].release();
    await Promise.all([waiting[1], waiting[2]]);
    assert.deepEqual(order, [3, 4, 5]);
  });

  it('drop a waiter that aborts', async () => {
    const queue = new StartQueue(() => 1);
    const slot = await queue.acquire(signal);
    const controller = new AbortController();
    const gone = queue.acquire(controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(gone, /enough/);
    slot.release();
    (await queue.acquire(signal)).release();
  });
});

describe('stderr', () => {
  it('keeps the last lines, cut to a length, also one without an end', () => {
    const ring = new StderrRing((text) => text, 3, 5);
    ring.push(Buffer.from('one\ntwo\nthree\nfour\n'));
    ring.push(Buffer.from('sixteen chars is long\nleft'));
    assert.deepEqual(ring.tail(20).slice(-4), ['three', 'four', 'sixte…', 'left']);
    assert.deepEqual(ring.tail(2), ['sixte…', 'left']);
  });

  it('keeps a character that comes in two pieces', () => {
    const ring = new StderrRing((text) => text);
    const bytes = Buffer.from('5 €\n');
    assert.deepEqual(ring.push(bytes.subarray(0, 3)), []);
    assert.deepEqual(ring.push(bytes.subarray(3)), ['5 €']);
  });

  it('goes into the log at a limited rate, which says what it left out', () => {
    const clock = new ManualClock();
    const lines: string[] = [];
    const log = new ThrottledLog({ log: (_, line) => lines.push(line) }, clock, { perSecond: 1, burst: 2 });
    for (const line of ['a', 'b', 'c', 'd']) log.log('info', line);
    assert.deepEqual(lines, ['a', 'b']);
    clock.advance(5_000);
    assert.deepEqual(lines.slice(2), ['… 2 lines left out to limit the size of the log']);
    log.log('info', 'e');
    log.dispose();
    assert.deepEqual(lines.slice(3), ['e']);
  });
});

describe('what HTTP says', () => {
  it('Retry-After, in seconds or as a date, five minutes at most', () => {
    const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
    assert.equal(retryAfterMs('7', now), 7000);
    assert.equal(retryAfterMs('Wed, 21 Oct 2026 07:28:30 GMT', now), 30_000);
    assert.equal(retryAfterMs('Wed, 21 Oct 2026 07:00:00 GMT', now), 0);
    assert.equal(retryAfterMs('99999', now), 300_000);
    assert.equal(retryAfterMs('soon', now), undefined);
    assert.equal(retryAfterMs(undefined, now), undefined);
  });

  it("the system's code, under what fetch wraps around it", () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    assert.equal(networkCode(new TypeError('fetch failed', { cause: refused })), 'ECONNREFUSED');
    assert.equal(networkCode(new TypeError('fetch failed', { cause: new AggregateError([refused]) })), 'ECONNREFUSED');
    assert.equal(networkCode(new TypeError('odd')), undefined);
  });
});

describe('why a request failed', () => {
  const lost = { code: 'unreachable', message: 'It is gone.', stderrTail: [] } as const;
  const codeOf = (fault: Parameters<typeof explainRequest>[0]['fault'], error: unknown = new Error('x')): string =>
    explainRequest({ what: 'It', fault, error, aborted: false, timeoutMs: 1, lost }).code;

  it('is told by its own fault, not by how the connection ended', () => {
    assert.equal(codeOf({ kind: 'closed' }), 'connection-lost');
    assert.equal(codeOf({ kind: 'timeout' }), 'connection-lost');
    const answered = (verdict: 'renew' | 'failed' | 'sign-in'): string => {
      const error = new HttpStatusError(404, verdict);
      return codeOf({ kind: 'other', error }, error);
    };
    assert.equal(answered('renew'), 'connection-lost');
    assert.equal(answered('failed'), 'http-status');
    assert.equal(codeOf({ kind: 'http', status: 307 }), 'connection-lost');
    assert.equal(codeOf({ kind: 'protocol', code: -32602, message: 'no', data: undefined }), 'call-failed');
    assert.equal(codeOf({ kind: 'invalid', message: 'no' }), 'call-failed');
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
    assert.equal(codeOf({ kind: 'other', error: refused }, refused), 'not-connected');
  });
});
