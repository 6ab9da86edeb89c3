import { deepEqual, equal } from 'node:assert/strict';
import type { EventRow } from '../../../../../src/ui/pages/eventRow.ts';
import { EventStore, type EventFilter } from '../../../../../src/ui/pages/front/events/eventStore.ts';

let seq = 0;
const event = (more: Partial<EventRow>): EventRow => ({
  seq: (seq += 1),
  at: 0,
  server: 'notes',
  connection: 1,
  kind: 'sent',
  method: '',
  id: '',
  isError: false,
  text: '{}',
  note: '',
  canCurl: false,
  ...more,
});

const EVERYTHING: EventFilter = {
  show: 'messages',
  server: '',
  method: '',
  id: '',
  direction: '',
  errorsOnly: false,
  text: '',
};

function storeOf(...events: readonly EventRow[]): EventStore {
  const store = new EventStore();
  store.take({ type: 'events', isReset: true, events });
  return store;
}

describe('inspector: the events of a page', () => {
  const ask = event({ method: 'tools/call', id: '1', at: 10, text: '{"name":"Tea"}' });
  const answer = event({ kind: 'received', id: '1', at: 25, isError: true, text: '{"error":"No tea"}' });
  const line = event({ kind: 'log', method: 'stderr', text: 'starting' });
  const logged = event({ kind: 'received', method: 'notifications/message', server: 'other' });
  const asked = event({ kind: 'received', method: 'elicitation/create', id: '1', at: 11 });

  it('pairs an answer with its request, which has the same id in the other direction', () => {
    const store = storeOf(ask, asked, answer);
    const [request, question, response] = [0, 1, 2].map((at) => store.at(store.first + at));
    equal(request?.partner, store.first + 2);
    equal(question?.partner, undefined);
    deepEqual([response?.method, response?.durationMs, response?.partner], ['tools/call', 15, store.first]);
    const other = storeOf(ask, { ...answer, connection: 2 });
    equal(other.at(other.first)?.partner, undefined, 'of another connection');
  });

  it('finds by each of the filters, and by all of them', () => {
    const store = storeOf(ask, answer, line, logged, asked);
    const found = (filter: Partial<EventFilter>): number[] =>
      store.matches({ ...EVERYTHING, ...filter }).map((number) => number - store.first);
    deepEqual(found({}), [0, 1, 3, 4]);
    deepEqual(found({ show: 'log' }), [2, 3]);
    deepEqual(found({ server: 'other' }), [3]);
    deepEqual(found({ method: 'tools/call' }), [0, 1], 'the answer, too');
    deepEqual(found({ id: '1' }), [0, 1, 4]);
    deepEqual(found({ direction: 'received' }), [1, 3, 4]);
    deepEqual(found({ errorsOnly: true }), [1]);
    deepEqual(found({ text: 'tea' }), [0, 1], 'in any case');
    deepEqual(found({ text: 'Tea' }), [0], 'as it is written, with a capital');
    deepEqual(found({ text: '.*' }), [], 'no pattern');
    deepEqual(found({ method: 'tools/call', direction: 'sent', text: 'tea' }), [0]);
  });

  it('keeps the numbers of events when the page is cleared', () => {
    const store = storeOf(ask, answer);
    const { end } = store;
    store.clear();
    equal(store.first, end);
    store.take({ type: 'events', isReset: false, events: [line] });
    equal(store.at(end)?.text, 'starting');
  });
});
