import { strict as assert } from 'node:assert';
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { withTraceHeaders } from '../../../../../src/bridge/gateway/protocol/traceHeaders.ts';
import { CLIENT } from '../../../../support/tracedHosts.ts';

const { traceparent, tracestate } = CLIENT;
const OWN = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;

describe('gateway: the place of a request in a trace, in headers', () => {
  const cases: Readonly<Record<string, readonly [meta: unknown, headers: IncomingHttpHeaders, expected: unknown]>> = {
    'is as if the request named it': [undefined, { traceparent, tracestate }, { traceparent, tracestate }],
    'stands beside what else it says': [{ a: 1, tracestate: 'b=2' }, { traceparent }, { a: 1, traceparent }],
    'doesn’t count where the request names it': [{ traceparent: OWN }, { traceparent }, { traceparent: OWN }],
    'counts where what the request names hasn’t the form': [
      { a: 1, traceparent: 'own', tracestate: 'b=2' },
      { traceparent },
      { a: 1, traceparent },
    ],
    'leaves what hasn’t the form where neither has': [
      { traceparent: 'own' },
      { traceparent: 'x' },
      { traceparent: 'own' },
    ],
    'is none where it hasn’t the form': [undefined, { traceparent: traceparent.toUpperCase() }, undefined],
    'is none where it is there twice': [undefined, { traceparent: `${traceparent}, ${traceparent}` }, undefined],
    'is none without a trace': [undefined, { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, undefined],
    'has no state that hasn’t the form': [undefined, { traceparent, tracestate: 'no state' }, { traceparent }],
    'has no state of its own': [undefined, { tracestate }, undefined],
    'leaves alone what is no `_meta`': ['x', { traceparent }, 'x'],
  };
  for (const [what, [meta, headers, expected]] of Object.entries(cases))
    it(what, () => {
      const params = { name: 'x', ...(meta === undefined ? {} : { _meta: meta }) } as JsonObject;
      const got = withTraceHeaders(params, headers);
      assert.deepEqual(got, { name: 'x', ...(expected === undefined ? {} : { _meta: expected }) });
    });
});
