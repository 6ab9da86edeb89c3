import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { RecordedEvent, RecordedWhat } from '../../../../../src/connection/recording/recordedEvent.ts';
import { isBlock } from '../../../../../src/ui/pages/front/read/readBlocks.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';

const { spansOf, timelineContent } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../../../src/ui/pages/inspector/timelineContent.ts'),
);

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
      spansOf(EVENTS).map(({ what, label, at, durationMs }) => [what, label, at, durationMs]),
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
      [...EVENTS, failed],
      (id) => id,
      (text) => text.replace('s3cret', '***'),
      'en',
    );
    ok(isBlock(block));
    ok(block?.kind === 'table');
    equal(block.rows[1]?.cells[4], 35);
    match(String(block.rows.at(-1)?.cells[0]), /^failed: \*\*\* \\u\{202e\}$/);
  });
});
