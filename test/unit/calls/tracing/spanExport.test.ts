import { strict as assert } from 'node:assert';
import { MAX_WAITING, SpanExport } from '../../../../src/calls/tracing/spanExport.ts';
import type { Span } from '../../../../src/calls/tracing/span.ts';
import { ManualClock } from '../../connection/manualClock.ts';

const span = (name: string): Span => ({
  context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16) },
  ...{ name, kind: 'internal', startMs: 0, endMs: 0, attributes: {}, isError: false },
});
const settled = (): Promise<void> => new Promise(setImmediate);

describe('tracing: what waits to be sent', () => {
  const clock = new ManualClock();
  const sent: string[][] = [];
  const said: string[] = [];
  let isRefused = false;
  const open = (): SpanExport =>
    new SpanExport({
      send: async (spans) => {
        if (isRefused) throw new Error('no');
        sent.push(spans.map(({ name }) => name));
      },
      refused: (why) => void said.push(why),
      clock,
    });
  const passed = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settled();
  };
  afterEach(() => {
    sent.length = said.length = 0;
    isRefused = false;
  });

  it('what comes within a second goes together, and nothing wakes without any', async () => {
    const exported = open();
    exported.add(span('a'));
    exported.add(span('b'));
    await passed(999);
    assert.deepEqual(sent, []);
    await passed(1);
    assert.deepEqual(sent, [['a', 'b']]);
    await passed(600_000);
    assert.equal(sent.length, 1);
    exported.dispose();
  });

  it('after a refusal nothing is sent for a minute; the newest are kept, so many at most, and it is said once', async () => {
    const exported = open();
    isRefused = true;
    for (let index = 0; index < MAX_WAITING * 3; index++) exported.add(span(`${index}`));
    for (let minute = 0; minute < 3; minute++) {
      await passed(60_000);
      exported.add(span(`minute ${minute}`));
    }
    assert.deepEqual(said, ['no']);
    isRefused = false;
    await passed(30_000);
    assert.deepEqual(sent, []);
    await passed(30_000);
    const all = sent.flat();
    assert.ok(all.length > 0 && all.length <= MAX_WAITING, String(all.length));
    assert.equal(all.at(-1), 'minute 2');
    exported.add(span('later'));
    await passed(1_000);
    assert.deepEqual(sent.at(-1), ['later']);
    exported.dispose();
  });

  it('once it is disposed, nothing is sent', async () => {
    const exported = open();
    exported.add(span('a'));
    exported.dispose();
    exported.add(span('b'));
    await exported.flush();
    await passed(60_000);
    assert.deepEqual(sent, []);
  });
});
