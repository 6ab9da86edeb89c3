import { mayHaveExactNumbers, mayHaveExactSteps, parseExactSteps } from '../../base/json/exactJson.ts';
import { isRecord } from '../../base/json/json.ts';
import { readSteps, type ReadJson } from '../../base/json/jsonSteps.ts';
import type { Written } from '../../base/json/pieceReader.ts';
import { MAX_MEMBERS, TooDeep } from '../../base/json/readingLimits.ts';
import { hasEachNameOnce, keepSourceText } from '../../base/json/sourceText.ts';
import { atOnce, type Steps } from '../../base/timeSlices.ts';
import { isTooDeep } from '../../base/json/jsonDepth.ts';
import { idInFragment, type RpcMessage } from '../protocol/rpcMessages.ts';
import type { Tolerated } from '../protocol/guard/tolerances.ts';
import { lenientJson, type Repair } from './lenientJson.ts';

/** How a message was read; goes with it up to the guard. */
export const READING = Symbol('reading');

export interface Reading {
  /** The message with numbers that stand as their text; there where it may have any. */
  readonly exact?: (keeps?: (digits: string) => boolean) => Steps<unknown>;
  readonly tolerated?: readonly Tolerated[];
  /** Its text had others, too. */
  readonly isOfSeveral?: true;
  /** How many members of its objects were left out. */
  readonly cut?: number;
}

/** A message as it came, whatever its members are. */
export type RawMessage = Readonly<Record<string, unknown>> & { readonly [READING]?: Reading };

export type ReadText =
  | { readonly kind: 'messages'; readonly messages: readonly RawMessage[] }
  /** Not JSON-RPC. */
  | { readonly kind: 'noise' }
  /** An answer, or what begins as a message does, that can't be read. `isOpen`: it ends in the middle. */
  | {
      readonly kind: 'unreadable';
      readonly id: string | number | undefined;
      readonly reason: string;
      readonly isOpen: boolean;
    };

/** Read once more, as much is left out as the first time. */
const MEMBERS = { maxMembers: MAX_MEMBERS, onCut: (): void => undefined };

/** How much of each end of a text is looked at for the id of the request that it answers, in characters. */
const END_CHARS = 1024;

/**
 * The messages of a text: a line, an event or a body. One, several where it is an array (specification 2025-03-26) or
 * where they stand one behind the other. What isn't JSON is read as far as what it means is beyond doubt.
 */
export function readMessages(text: string): ReadText {
  return atOnce(readMessageSteps(text));
}

/** As `readMessages`, in steps. */
export function* readMessageSteps(text: string): Steps<ReadText> {
  let whole: ReadJson;
  const withoutMark = text.charCodeAt(0) === 0xfeff;
  const body = withoutMark ? text.slice(1) : text;
  let cut = 0;
  try {
    const limits = { maxMembers: MAX_MEMBERS, onCut: (count: number) => (cut += count), limitsNesting: true };
    whole = yield* readSteps(body, undefined, limits);
  } catch (error) {
    // What is no JSON was read only up to that place.
    const deep = error instanceof TooDeep ? error : (yield* isTooDeep(body)) ? new TooDeep() : undefined;
    return deep ? unlessNoise(body, deep.message, false) : readLeniently(body, error);
  }
  const { value, written } = whole;
  const messages = messagesIn(value);
  if (!messages) return { kind: 'noise' };
  if (written && cut === 0) yield* keepStructured(body, messages, written);
  const tolerated: readonly Tolerated[] = withoutMark ? ['byte order mark'] : [];
  const read = yield* withReading(body, messages, tolerated, Array.isArray(value), cut, written);
  return { kind: 'messages', messages: read };
}

/** Structured content is given to models as its JSON: where a server writes it as we would, it isn't written again. */
function* keepStructured(text: string, messages: readonly RawMessage[], written: Written): Steps<void> {
  if (written.hasBlanks || written.mayHaveExactNumbers) return;
  // Looked for only where there is structured content: of a large text it takes as long as reading a tenth of it.
  let hasEscapes: boolean | undefined;
  for (const { result } of messages) {
    const structured = isRecord(result) ? result['structuredContent'] : undefined;
    const place = written.places.get(structured);
    if (!place) continue;
    hasEscapes ??= text.includes(String.raw`\u`) || text.includes(String.raw`\/`);
    if (hasEscapes) return;
    const source = text.slice(...place);
    if (yield* hasEachNameOnce(source, structured)) keepSourceText(structured as object, source);
  }
}

function readLeniently(text: string, error: unknown): ReadText {
  if (!isLikeAMessage(text)) return { kind: 'noise' };
  const { texts, repairs, isOpen } = lenientJson(text);
  const messages: RawMessage[] = [];
  for (const each of texts) {
    try {
      const value: unknown = JSON.parse(each);
      const some = messagesIn(value);
      if (some) messages.push(...atOnce(withReading(each, some, toldOf(repairs), Array.isArray(value))));
    } catch {
      // What else is on the line may be read.
    }
  }
  if (messages.length > 0) return { kind: 'messages', messages };
  return unlessNoise(text, isOpen ? 'it ends in the middle' : reasonOf(error), isOpen);
}

/** What a text is that ends in the middle of a value, as far as its ends tell. */
export function readCutOff(text: string): ReadText {
  return unlessNoise(text, 'it ends in the middle', true);
}

function unlessNoise(text: string, reason: string, isOpen: boolean): ReadText {
  if (!isLikeAMessage(text)) return { kind: 'noise' };
  const id = idInFragment(text.slice(-END_CHARS), text.slice(0, END_CHARS));
  return { kind: 'unreadable', id, reason, isOpen };
}

/** Members that messages have. */
const MEMBER = /"(?:jsonrpc|id|result|error|method)"/;

/** So far a text is looked at for them, in characters. */
const MEMBER_WITHIN = 1024 * 1024;

/** So that other lines cost nothing: each character is looked at once. */
function isLikeAMessage(text: string): boolean {
  const begin = text.slice(0, MEMBER_WITHIN).search(/[{[]/);
  return begin >= 0 && MEMBER.test(text.slice(begin, begin + MEMBER_WITHIN));
}

/** What the parser says without the text that it quotes: that is the server's data. */
function reasonOf(error: unknown): string {
  const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return at === undefined ? 'it is not valid JSON' : `it is not valid JSON at character ${at}`;
}

function messagesIn(value: unknown): readonly RawMessage[] | undefined {
  if (!Array.isArray(value)) return isMessage(value) ? [value] : undefined;
  const messages = value.filter(isMessage);
  return messages.length > 0 ? messages : undefined;
}

/** Methods that servers send. */
const FROM_SERVERS = /^(?:notifications|roots|sampling|elicitation|tasks)\/|^ping$/;

/** Members of an entry of a log, which may have an id and an error, too. */
const OF_LOGS = ['level', 'severity', 'msg', 'time', 'timestamp', '@timestamp', 'logger'];

/** Whether an object is meant as a message of JSON-RPC, and not, say, as an entry of a log. */
function isMessage(value: unknown): value is RawMessage {
  if (!isRecord(value)) return false;
  if (value['jsonrpc'] !== undefined && value['jsonrpc'] !== null) return true;
  if (OF_LOGS.some((name) => name in value)) return false;
  const { id, method } = value;
  const isAnswer = (typeof id === 'string' || typeof id === 'number') && ('result' in value || 'error' in value);
  return isAnswer || (typeof method === 'string' && FROM_SERVERS.test(method));
}

function* withReading(
  text: string,
  messages: readonly RawMessage[],
  told: readonly Tolerated[],
  isArray: boolean,
  cut = 0,
  written?: Written,
): Steps<readonly RawMessage[]> {
  const tolerated: readonly Tolerated[] = isArray ? [...told, 'several messages in one'] : told;
  const isExact = written ? written.mayHaveExactNumbers : yield* mayHaveExactSteps(text);
  if (!isExact && tolerated.length === 0 && cut === 0) return messages;
  return messages.map((message, index) => {
    const exact: Reading['exact'] = function* (keeps) {
      return messagesIn(yield* parseExactSteps(text, { ...MEMBERS, ...(keeps && { keeps }) }))?.[index];
    };
    const isOfSeveral = messages.length > 1 ? ({ isOfSeveral: true } as const) : {};
    const reading: Reading = { ...(isExact ? { exact } : {}), tolerated, ...isOfSeveral, ...(cut > 0 ? { cut } : {}) };
    return Object.defineProperty(message, READING, { value: reading });
  });
}

/** A message that was written here, from its text: the limits are for what servers send. @throws SyntaxError */
export function readOwnMessage(text: string): RawMessage {
  const message = JSON.parse(text) as RawMessage;
  if (!mayHaveExactNumbers(text)) return message;
  const exact: Reading['exact'] = (keeps) => parseExactSteps(text, keeps && { keeps });
  const reading: Reading = { exact };
  return Object.defineProperty(message, READING, { value: reading });
}

/** A message as JSON, with its numbers as they were written; not of several in one text: for each, all would be read again. */
export function messageText(message: object): string {
  const { exact, isOfSeveral } = (message as RawMessage)[READING] ?? {};
  return JSON.stringify(exact && isOfSeveral !== true ? atOnce(exact()) : message);
}

const TOLD: Readonly<Record<Repair, Tolerated>> = {
  'text around': 'text around a message',
  'control characters': 'control characters',
  'not a number': 'not a number',
  escapes: 'invalid JSON',
  commas: 'invalid JSON',
  literals: 'invalid JSON',
};

function toldOf(repairs: ReadonlySet<Repair>): readonly Tolerated[] {
  // Several messages on one line need no repair.
  return repairs.size === 0 ? ['several messages in one'] : [...new Set([...repairs].map((repair) => TOLD[repair]))];
}

/**
 * The result of a message, with its numbers as the server wrote them.
 * @param keeps which of those that a program would write otherwise; absent: all
 */
export function* exactResult(
  message: RawMessage & Pick<RpcMessage, 'result'>,
  keeps?: (digits: string) => boolean,
): Steps<unknown> {
  const read = message[READING]?.exact;
  const exact = read && (yield* read(keeps));
  return isRecord(exact) ? exact['result'] : message['result'];
}
