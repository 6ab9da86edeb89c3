import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { RecordedEvent, RecordedWhat } from '../../../../../src/connection/recording/recordedEvent.ts';
import { atOnce } from '../../../../../src/base/timeSlices.ts';
import { Recorder } from '../../../../../src/connection/recording/recorder.ts';
import type { Host } from '../../../../../src/host/host.ts';
import { TimelineSpans, type Timeline } from '../../../../../src/ui/pages/inspector/events/timelineSpans.ts';
import { isBlock } from '../../../../../src/ui/pages/front/read/readBlocks.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';

const { timelineContent } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../../../src/ui/pages/inspector/timelineContent.ts'),
);

const { InspectorEvents, MOST_READ } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../../../src/ui/pages/inspector/events/inspectorEvents.ts'),
);

function timelineOf(events: readonly RecordedEvent[], server?: string): Timeline {
  const spans = new TimelineSpans((text) => text);
  atOnce(spans.addSteps(events));
  return spans.of(server);
}

const event = (at: number, what: RecordedWhat): RecordedEvent => ({ seq: at, at, server: 'a', connection: 1, what });
const message = (at: number, direction: 'sent' | 'received', sent: object): RecordedEvent =>
  event(at, { kind: 'message', direction, message: sent, bytes: 1 });

const EVENTS = [
  event(0, { kind: 'state', state: 'connecting' }),
  event(5, { kind: 'state', state: 'connected' }),
  event(6, { kind: 'decision', callId: '1', method: 'tools/call', tool: 'echo', outcome: 'allow', why: 'a rule' }),
  message(7, 'sent', { id: 1, method: 'tools/call', params: { name: 'echo' } }),
  message(8, 'received', { id: 1, method: 'elicitation/create', params: {} }),
  message(20, 'sent', { id: 1, result: {} }),
  message(30, 'received', { id: 1, result: {} }),
  message(31, 'sent', { id: 2, method: 'ping' }),
];

describe('inspector: the timeline', () => {
  it('has states, calls, questions and decisions, each as long as it took', () => {
    deepEqual(
      timelineOf(EVENTS).spans.map(({ what, label, at, durationMs }) => [what, label, at, durationMs]),
      [
        ['state', 'connecting', 0, 5],
        ['state', 'connected', 5, undefined],
        ['decision', 'allow: echo', 6, 0],
        ['call', 'tools/call echo', 7, 23],
        ['question', 'elicitation/create', 8, 12],
      ],
    );
  });

  it('is drawn with a table, with what goes on until the last event, and without secrets and what hides', () => {
    const failed = event(40, { kind: 'state', state: 'failed', reason: 's3cret \u202E' });
    const [block] = timelineContent(
      timelineOf([...EVENTS, failed]),
      (id) => id,
      (text) => text.replace('s3cret', '***'),
      'en',
    );
    ok(isBlock(block));
    ok(block?.kind === 'table');
    equal(block.rows[1]?.cells[4], 35);
    match(String(block.rows.at(-1)?.cells[0]), /^failed: \*\*\* \\u\{202e\}$/);
  });

  it('reads each message once, however often it is drawn, and goes on where it was', async () => {
    const reads = new Map<number, number>();
    const counted = EVENTS.map((each) => ({
      ...each,
      get what() {
        reads.set(each.seq, (reads.get(each.seq) ?? 0) + 1);
        return each.what;
      },
    }));
    const spans = new TimelineSpans((text) => text);
    for (let drawn = 1; drawn <= counted.length; drawn += 1) atOnce(spans.addSteps(counted.slice(0, drawn)));
    deepEqual(spans.of(undefined), timelineOf(EVENTS));
    deepEqual(new Set(reads.values()), new Set([1]));
    spans.dropBefore(7);
    deepEqual(
      spans.of('a').spans.map(({ what }) => what),
      ['call', 'question'],
    );
    deepEqual(spans.of('b').spans, []);
  });

  it('of very many events knows the last, and is bounded', () => {
    const long = 'x'.repeat(10_000);
    const many = Array.from({ length: 20_000 }, (_, id) =>
      message(id, 'sent', { id, method: 'tools/call', params: { name: `${id} ${long}` } }),
    );
    const spans = new TimelineSpans((text) => text);
    atOnce(spans.addSteps(many));
    const { spans: last, end } = spans.of(undefined);
    equal(last.length, 300);
    equal(end, 19_999);
    match(last.at(-1)?.label ?? '', /^tools\/call 19999 x+$/);
    ok(last.every(({ label }) => label.length <= 400));
  });

  it('reads of the recorder what is new, and starts over where it missed something', async () => {
    let limits = { maxAgeMs: 60_000, maxBytes: 16 * 1024 * 1024 };
    const recorder = new Recorder(() => limits);
    const link = recorder.openLink('a');
    const parts: unknown[] = [];
    const reading: Recorder['reading'] = (part, use) => {
      return recorder.reading(part, (events) => {
        parts.push(events.length);
        return use(events);
      });
    };
    const known = {
      ...{ reading, mask: recorder.mask },
      get oldest() {
        return recorder.oldest;
      },
    };
    const host = {
      servers: new Map(),
      recorder: async () => known,
      mask: (text: string) => text,
      pool: { mask: (text: string) => text },
    };
    const events = new InspectorEvents(host as unknown as Host);
    await events.open();
    const call = (id: number): void => link.message('sent', { id, method: 'tools/call', params: { name: 'echo' } });
    const openCalls = async (): Promise<number> =>
      (await events.timeline()).of('a').spans.filter(({ durationMs }) => durationMs === undefined).length;
    call(1);
    call(2);
    equal(await openCalls(), 2);
    link.message('received', { id: 1, result: {} });
    equal(await openCalls(), 1);
    equal(await openCalls(), 1);
    deepEqual(parts, [2, 1, 0]);
    link.message('received', { id: 2, result: {} });
    for (let count = 0; count < MOST_READ; count += 1) link.stderr('line');
    deepEqual((await events.timeline()).of('a').spans, [], 'whether the call goes on isn’t known');
    call(3);
    equal(await openCalls(), 1);
    for (const detail of ['begun', 'done']) recorder.note('a', { kind: 'signIn', step: 'sign-in', detail });
    const steps = await events.signInSteps();
    deepEqual(
      steps.map(({ what }) => what.kind === 'signIn' && what.detail),
      ['begun', 'done'],
    );
    const count = parts.length;
    deepEqual(await events.signInSteps(), steps);
    deepEqual(parts.slice(count), [0], 'nothing is looked at again');
    ok((await events.recent()).length > MOST_READ);
    limits = { maxAgeMs: 0, maxBytes: 0 };
    recorder.limitsChanged();
    deepEqual(await events.signInSteps(), []);
    deepEqual((await events.timeline()).of('a').spans, [], 'nothing is kept');
    recorder.dispose();
  });
});
