import { VERSION_KEY } from '../../../../connection/protocol/ownMeta.ts';
import { isRecord } from '../../../../base/json/json.ts';
import { jsonTextSteps } from '../../../../base/json/jsonPieces.ts';
import { atOnce } from '../../../../base/timeSlices.ts';
import { headOf } from '../../../../connection/recording/recorder.ts';
import type { RecordedEvent } from '../../../../connection/recording/recordedEvent.ts';
import type { EventRow } from '../../eventRow.ts';

/** What a page gets of one text, in UTF-16 units: the whole can be copied. */
const MAX_TEXT = 20_000;
/** Of a message that is larger, in bytes, the page gets id and method alone: it would take long to look it through for secrets. */
const MAX_BYTES = 256 * 1024;
/** Levels of a server’s log that are errors (RFC 5424). */
const ERROR_LEVELS: ReadonlySet<unknown> = new Set(['error', 'critical', 'alert', 'emergency']);

/** The texts of what is said of a request. */
export interface RequestWords {
  era(era: string): string;
  call(callId: string): string;
  attempt(number: number, after: string): string;
}

/** What the rows of events are made with. */
export interface EventRowParts {
  /** How a server is shown, by its id. */
  readonly nameOf: (serverId: string) => string;
  /** Whether it is reached over HTTP. */
  readonly isRemote: (serverId: string) => boolean;
  /** What was decided about a call, by its id; empty: it isn't known any more. */
  readonly decisionOf: (callId: string) => string;
  /** What of a request is said beside it. */
  readonly words: RequestWords;
  /** Takes the secrets out. */
  readonly masked: (event: RecordedEvent) => RecordedEvent;
}

/** An event as a page has it, without secrets. Pure. */
export function eventRow(event: RecordedEvent, parts: EventRowParts): EventRow {
  const { nameOf, isRemote, masked } = parts;
  const { seq, at, connection } = event;
  const { what } = masked(withinSize(event));
  const base = { seq, at, server: nameOf(event.server), connection, id: '', isError: false, note: '', canCurl: false };
  const other = (method: string, text: string, isError = false): EventRow => {
    return { ...base, kind: 'other', method, text: shown(text), isError };
  };
  switch (what.kind) {
    case 'message': {
      const message = what.message as Readonly<Record<string, unknown>>;
      const id = message['id'];
      return {
        ...base,
        kind: what.direction,
        method: typeof message['method'] === 'string' ? message['method'].slice(0, 200) : '',
        id: typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id).slice(0, 200) : '',
        isError: event.what.kind === 'message' && saysError(event.what.message as Readonly<Record<string, unknown>>),
        text: shown(atOnce(jsonTextSteps(message))),
        note: noteOf(what, parts),
        canCurl: what.direction === 'sent' && isRemote(event.server),
      };
    }
    case 'unanswered': {
      const status = what.status === undefined ? [] : [`HTTP ${what.status}`];
      const row = other(what.method, [...status, what.reason].join(' · '), true);
      return { ...row, id: JSON.stringify(what.id).slice(0, 200) };
    }
    case 'stderr':
      return { ...base, kind: 'log', method: 'stderr', text: shown(what.line) };
    case 'state':
      return other('state', [what.state, what.reason ?? ''].filter(Boolean).join(': '), what.state === 'failed');
    case 'decision':
      return other('decision', `${what.outcome}: ${what.method} ${what.tool}: ${what.why}`, what.outcome === 'deny');
    case 'signIn':
      return other('sign-in', `${what.step}: ${what.detail}`);
  }
}

function withinSize(event: RecordedEvent): RecordedEvent {
  const { what } = event;
  if (what.kind !== 'message' || what.bytes <= MAX_BYTES) return event;
  return { ...event, what: { ...what, message: headOf(what.message), cut: true } };
}

function shown(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (+${text.length - MAX_TEXT})`;
}

function saysError({ error, result, method, params }: Readonly<Record<string, unknown>>): boolean {
  if (error !== undefined || (isRecord(result) && result['isError'] === true)) return true;
  return method === 'notifications/message' && isRecord(params) && ERROR_LEVELS.has(params['level']);
}

type Message = Extract<RecordedEvent['what'], { kind: 'message' }>;

function noteOf(what: Message, { decisionOf, words }: EventRowParts): string {
  const { http, bytes, cut, call, direction, message } = what;
  const headers = Object.entries(http?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const isRequest = direction === 'sent' && 'method' in message && 'id' in message;
  return [
    ...(isRequest ? [words.era(eraOf(message))] : []),
    ...(call ? [words.call(call.callId), decisionOf(call.callId)] : []),
    ...(call && call.attempt > 1 ? [words.attempt(call.attempt, call.after ?? '')] : []),
    ...(http ? [`HTTP ${http.status}`, ...headers] : []),
    `${bytes} B`,
    ...(cut ? ['…'] : []),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** By what the request itself says: those of 2026-07-28 have the version in them. */
function eraOf(message: object): string {
  const { params } = message as { readonly params?: unknown };
  const meta = isRecord(params) ? params['_meta'] : undefined;
  const version = isRecord(meta) ? meta[VERSION_KEY] : undefined;
  return typeof version === 'string' ? version.slice(0, 40) : 'legacy';
}

/**
 * A message as a command for a POSIX shell that sends it. Headers that the definition gives stand there by name alone, and so
 * does what authorizes the request. Pure.
 * @param url as it is configured, its variables not replaced
 */
export function curlOf(message: string, url: string, headers: readonly string[]): string {
  const given = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
  const lines = [
    `curl ${quoted(url)}`,
    ...given.map((header) => `-H ${quoted(header)}`),
    ...headers.map((name) => `-H ${quoted(`${name}: …`)}`),
    `--data-raw ${quoted(message)}`,
  ];
  return lines.join(' \\\n  ');
}

/** A word of a POSIX shell: nothing in it is anything but itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
