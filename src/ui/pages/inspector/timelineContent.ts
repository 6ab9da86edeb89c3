import * as vscode from 'vscode';
import { isRecord } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/text/invisible.ts';
import type { RecordedEvent } from '../../../connection/recording/recordedEvent.ts';
import type { Block, Row } from '../pageContent.ts';
import { columnsOf, drawingOf } from '../tableParts.ts';

/** So many of the last are drawn. */
const MOST_SPANS = 300;
const MAX_LABEL = 200;
/** Messages are looked at where they are among so many last events: each is read for it. */
const MOST_READ = 5_000;

/** Something that took its time between a server and us. */
export interface Span {
  readonly server: string;
  readonly what: 'state' | 'call' | 'question' | 'decision';
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `undefined`: it goes on. */
  readonly durationMs: number | undefined;
  readonly seq: number;
}

/** Requests of ours that stand for something that somebody asked for, and those of servers that ask somebody. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get', 'tasks/result']);
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** States, calls, questions and decisions in the order in which they began; calls and questions among the last events only. Pure. */
export function spansOf(events: readonly RecordedEvent[]): readonly Span[] {
  const spans: { -readonly [Key in keyof Span]: Span[Key] }[] = [];
  const open = new Map<string, (typeof spans)[number]>();
  const end = (key: string, at: number): void => {
    const span = open.get(key);
    if (span) span.durationMs = at - span.at;
    open.delete(key);
  };
  const begin = (event: RecordedEvent, what: Span['what'], label: string, key?: string): void => {
    const { server, at, seq } = event;
    const span = { server, what, label, at, durationMs: key === undefined ? 0 : undefined, seq };
    spans.push(span);
    if (key !== undefined) open.set(key, span);
  };
  const firstRead = events.length - MOST_READ;
  for (const [index, event] of events.entries()) {
    const { server, connection, at, what } = event;
    if (what.kind === 'state') {
      end(`state ${server}`, at);
      begin(event, 'state', [what.state, what.reason ?? ''].filter(Boolean).join(': '), `state ${server}`);
    } else if (what.kind === 'decision') {
      begin(event, 'decision', `${what.outcome}: ${what.tool}`);
    } else if (what.kind === 'unanswered') {
      end(`sent ${connection} ${JSON.stringify(what.id)} ${server}`, at);
    } else if (what.kind === 'message' && index >= firstRead) {
      const { id, method, params } = what.message as { id?: unknown; method?: unknown; params?: unknown };
      if (typeof method !== 'string') {
        const asker = what.direction === 'received' ? 'sent' : 'received';
        end(`${asker} ${connection} ${JSON.stringify(id)} ${server}`, at);
      } else if (id !== undefined && (what.direction === 'sent' ? CALLS : QUESTIONS).has(method)) {
        const key = `${what.direction} ${connection} ${JSON.stringify(id)} ${server}`;
        begin(event, what.direction === 'sent' ? 'call' : 'question', `${method} ${nameIn(params)}`.trimEnd(), key);
      }
    }
  }
  return spans;
}

function nameIn(params: unknown): string {
  const name = isRecord(params) ? (params['name'] ?? params['uri']) : undefined;
  return typeof name === 'string' ? name : '';
}

/** *Timeline*: the spans, drawn and as a table. @param mask takes secrets out */
export function timelineContent(
  events: readonly RecordedEvent[],
  nameOf: (serverId: string) => string,
  mask: (text: string) => string,
  language: string,
): readonly Block[] {
  const { t } = vscode.l10n;
  const spans = spansOf(events).slice(-MOST_SPANS);
  const isOfOne = spans.every(({ server }) => server === spans[0]?.server);
  const first = spans[0]?.at ?? 0;
  const end = events.at(-1)?.at ?? first;
  const rows = spans.map(({ server, label, at, durationMs, seq }): Row => {
    const of = isOfOne ? '' : ` · ${nameOf(server)}`;
    const name = oneLine(mask(label).slice(0, MAX_LABEL) + of);
    const time = new Date(at).toLocaleTimeString(language);
    // What goes on is drawn until the last event.
    const length = durationMs ?? end - at;
    return {
      key: String(seq),
      cells: [name, oneLine(nameOf(server)), time, Math.round(at - first), Math.round(length)],
      actions: [],
      children: [],
    };
  });
  return [
    {
      kind: 'table',
      id: 'timeline',
      title: t('Timeline'),
      empty: t('Nothing yet.'),
      columns: columnsOf([t('Event'), t('Server'), t('Time')], [t('From the start, ms'), t('Duration, ms')]),
      rows,
      drawings: [drawingOf('spans', t('Timeline'), [3, 'accent'], [4, 'accent'])],
    },
  ];
}
