import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { parentOf, withContext } from '../../../../src/calls/tracing/traceContext.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const GOOD = `00-${TRACE}-${SPAN}-01`;

describe('the context of a trace in _meta (SEP-414)', () => {
  for (const [what, traceparent] of [
    ['of this version', GOOD],
    ['that its client doesn’t record', `00-${TRACE}-${SPAN}-00`],
    ['of a later version, with more behind it', `01-${TRACE}-${SPAN}-01-what-comes-later`],
  ])
    it(`is that of a span ${what}`, () => {
      assert.deepEqual(parentOf({ traceparent: traceparent ?? '' }), { traceId: TRACE, spanId: SPAN });
    });

  for (const [what, traceparent] of [
    ['a number', 7],
    ['an object', { traceparent: GOOD }],
    ['with more behind it', `${GOOD}-more`],
    ['in capital letters', GOOD.toUpperCase()],
    ['of no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['of no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['of the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['with blanks around it', ` ${GOOD} `],
    ['with another line', `${GOOD}\nx`],
    ['without end', `01-${TRACE}-${SPAN}-01-${'a'.repeat(100_000)}`],
  ] as const)
    it(`is none where traceparent is ${what}, and its tracestate doesn’t count`, () => {
      assert.equal(parentOf({ traceparent, tracestate: 'a=1' }), undefined);
    });

  it('takes tracestate along where it has the form, whole or not at all', () => {
    const state = (tracestate: unknown): unknown => parentOf({ traceparent: GOOD, tracestate } as never)?.state;
    assert.equal(state('rojo=00f067aa0ba902b7, congo=t61rcWkgMzE'), 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE');
    assert.equal(state('tenant@vendor=a:b c'), 'tenant@vendor=a:b c');
    for (const bad of ['no member', 'a=1,UPPER=2', 'a=\u0007', 'a=1\nb', 'a=\u202E', `a=${'x'.repeat(600)}`, 7, ''])
      assert.equal(state(bad), undefined, JSON.stringify(bad));
    assert.equal(state(Array.from({ length: 33 }, (_, index) => `a${index}=1`).join(',')), undefined);
  });

  it('takes the place of the one that came, and leaves the rest of _meta', () => {
    const meta = { traceparent: 'x', tracestate: 'y', baggage: 'user=1', 'a/b': { c: 1 } };
    const context = { traceId: TRACE, spanId: SPAN };
    assert.deepEqual(withContext(meta, context), { baggage: 'user=1', 'a/b': { c: 1 }, traceparent: GOOD });
    assert.deepEqual(withContext(undefined, { ...context, state: 'a=1' }), { traceparent: GOOD, tracestate: 'a=1' });
  });

  it('is read of what was written, and never throws', () => {
    const hex = (length: number): fc.Arbitrary<string> =>
      fc
        .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
        .map((digits) => digits.map((digit) => digit.toString(16)).join(''))
        .filter((text) => /[^0]/.test(text));
    fc.assert(
      fc.property(hex(32), hex(16), (traceId, spanId) => {
        assert.deepEqual(parentOf(withContext({}, { traceId, spanId })), { traceId, spanId });
      }),
    );
    fc.assert(fc.property(fc.anything(), (traceparent) => void parentOf({ traceparent } as never)));
  });
});
