import { readMessages, readOwnMessage } from '../reading/readMessages.ts';
import type { HttpFrame, RecordedWhat, SentFor } from './recordedEvent.ts';
import type { RingRecord } from './ringChunk.ts';

/** What the texts of a record are: what a call consists of goes without JSON. */
const KINDS = {
  /** JSON of all of it. */
  other: 0,
  /** The message, and JSON of what is known beside it. */
  sent: 1,
  received: 2,
  /** The message, and the id of the call that it is sent for, for the first time. */
  sentForCall: 3,
  /** `callId`, `method`, `tool`, `outcome` and `why`. */
  decision: 4,
} as const;

type Message = Extract<RecordedWhat, { readonly kind: 'message' }>;

/** What is known of a message beside its text. */
interface Beside {
  readonly http?: HttpFrame | undefined;
  readonly call?: SentFor | undefined;
  /** It was too large, and had so many bytes. */
  readonly cutFrom?: number | undefined;
}

/** An event as bytes take it: what its texts are, and the texts. */
export interface KeptForm {
  readonly kind: number;
  readonly texts: readonly string[];
}

/** @param text the message as JSON */
export function messageForm(direction: Message['direction'], text: string, beside: Beside): KeptForm {
  const { http, call, cutFrom } = beside;
  if (call && !http && call.attempt === 1 && cutFrom === undefined)
    return { kind: KINDS.sentForCall, texts: [text, call.callId] };
  const isKnown = http || call || cutFrom !== undefined;
  return { kind: KINDS[direction], texts: isKnown ? [text, JSON.stringify(beside)] : [text] };
}

export function otherForm(what: Exclude<RecordedWhat, Message>): KeptForm {
  if (what.kind !== 'decision') return { kind: KINDS.other, texts: [JSON.stringify(what)] };
  const { callId, method, tool, outcome, why } = what;
  return { kind: KINDS.decision, texts: [callId, method, tool, outcome, why] };
}

/** What a record says. A message is read when it is asked for. */
export function whatOf(record: RingRecord): RecordedWhat {
  if (record.kind === KINDS.other) return JSON.parse(record.text(0)) as RecordedWhat;
  if (record.kind === KINDS.decision) {
    const [callId, method, tool] = [record.text(0), record.text(1), record.text(2)];
    return { kind: 'decision', callId, method, tool, outcome: record.text(3), why: record.text(4) };
  }
  const beside = besideOf(record);
  const { http, call, cutFrom } = beside;
  const direction = record.kind === KINDS.received ? 'received' : 'sent';
  let read: object | undefined;
  return {
    kind: 'message',
    direction,
    get message() {
      return (read ??= direction === 'sent' ? readOwnMessage(record.text(0)) : receivedIn(record.text(0)));
    },
    bytes: cutFrom ?? record.bytesOf(0),
    ...(cutFrom === undefined ? {} : { cut: true as const }),
    ...(http ? { http } : {}),
    ...(call ? { call } : {}),
  };
}

function besideOf(record: RingRecord): Beside {
  if (record.kind === KINDS.sentForCall) return { call: { callId: record.text(1), attempt: 1 } };
  return record.bytesOf(1) > 0 ? (JSON.parse(record.text(1)) as Beside) : {};
}

/** As it was read when it came: with its numbers as they were written. */
function receivedIn(text: string): object {
  const read = readMessages(text);
  return (read.kind === 'messages' && read.messages[0]) || (JSON.parse(text) as object);
}
