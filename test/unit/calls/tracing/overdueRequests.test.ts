import { strict as assert } from 'node:assert';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { ConnectionSpans } from '../../../../src/calls/tracing/connectionSpans.ts';
import type { Span } from '../../../../src/calls/tracing/span.ts';
import type { ConnectionSpec } from '../../../../src/connection/connectionTypes.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import { modernHttp, scriptedHttp } from '../../../fixtures/servers/http.ts';
import { eventually } from '../../../support/eventually.ts';
import { TRACED } from '../../../support/tracedHosts.ts';
import { endedAfterEach, PoolHarness, remote } from '../../connection/harness.ts';

const SHORT_MS = 300;

describe('tracing: a list that has no answer in time', function () {
  this.timeout(60_000);
  const { harnesses, fixtures } = endedAfterEach();
  const recordings: Disposable[] = [];
  afterEach(() => {
    for (const each of recordings.splice(0)) each.dispose();
  });

  function connected(settings: { readonly discoveryTimeoutMs?: number } = {}): {
    readonly harness: PoolHarness;
    /** What became of the requests with a method: the type of each error, `cancelled` or `answered`. */
    readonly endsOf: (method: string) => readonly string[];
    readonly recorder: Recorder;
  } {
    const spans: Span[] = [];
    const recorder = new Recorder(() => ({ maxAgeMs: 60_000, maxBytes: 1024 * 1024 }));
    const traces = new ConnectionSpans({ tell: (span) => spans.push(span), serverOf: () => undefined });
    recordings.push(recorder.onEvent(traces.heard), recorder);
    recorder.place = traces.placed;
    const harness = new PoolHarness(settings, { recorder: async () => recorder });
    harnesses.push(harness);
    const endsOf = (method: string): readonly string[] =>
      spans
        .filter(({ name }) => name === method)
        .map(({ attributes, isError }) =>
          isError
            ? String(attributes['error.type'])
            : 'mcp_switchboard.cancelled' in attributes
              ? 'cancelled'
              : 'answered',
        );
    return { harness, endsOf, recorder };
  }

  /** Whether a request of a server that doesn't answer lists is one of these. */
  const hangs = ({ method }: { readonly method?: string } = {}, which = 'resources/list'): boolean => method === which;
  const servers: Readonly<Record<string, () => Promise<ConnectionSpec>>> = {
    stdio: async () => ({ type: 'stdio', ...TRACED, env: {} }),
    HTTP: async () => {
      const fixture = await scriptedHttp((_request, _response, body) => hangs(body));
      fixtures.push(fixture);
      return remote('http', fixture.url);
    },
    'HTTP of 2026-07-28': async () => {
      const { fixture } = await modernHttp((_response, body) => hangs(body));
      fixtures.push(fixture);
      return remote('http', fixture.url);
    },
  };
  for (const [over, open] of Object.entries(servers))
    it(`over ${over}: timed out is an error, cancelled by who asked is none`, async () => {
      const { harness, endsOf, recorder } = connected();
      const { id } = await harness.connect(await open());
      const session = await harness.pool.ready(id, 5_000, new AbortController().signal);
      // Not answered over stdio.
      const params = { name: 'hang' };
      await assert.rejects(session.request('resources/list', params, SHORT_MS), { code: 'call-timeout' });
      const ending = new AbortController();
      const asked = session.request('resources/list', params, 30_000, { signal: ending.signal });
      ending.abort();
      await assert.rejects(asked, { code: 'call-cancelled' });
      assert.deepEqual(endsOf('resources/list'), ['timeout', 'cancelled']);
      const reasons = recorder.recent().flatMap(({ what }) => (what.kind === 'unanswered' ? [what.reason] : []));
      assert.deepEqual(reasons, ['timeout', 'cancelled']);
    });

  it('of tools, when a server starts, is an error in both eras', async () => {
    for (const listen of [
      async () => scriptedHttp((_request, _response, body) => hangs(body, 'tools/list')),
      async () => (await modernHttp((_response, body) => hangs(body, 'tools/list'))).fixture,
    ]) {
      const fixture = await listen();
      fixtures.push(fixture);
      const { harness, endsOf } = connected({ discoveryTimeoutMs: SHORT_MS });
      await harness.connect(remote('http', fixture.url)).catch(() => undefined);
      await eventually('the list is over', () => endsOf('tools/list').length > 0);
      assert.equal(endsOf('tools/list')[0], 'timeout');
    }
  });
});
