import type { LogLevel } from '../../../base/log.ts';

/** What servers send otherwise than the protocol says, and what is done about it; for the server's log. */
const SENTENCES = {
  'byte order mark': 'a byte order mark before messages; it is skipped',
  'text around a message': 'other text on the line of a message; it is skipped',
  'control characters': 'control characters in JSON that must be escaped; they are read as meant',
  'not a number': 'numbers that JSON doesn’t have, like NaN; they are passed on as text',
  'invalid JSON': 'JSON with invalid escapes, commas or literals; it is read as meant',
  'several messages in one': 'several messages in one; each is taken',
  'headers before a message': 'headers with the length of each message, as language servers do; it is taken',
  'lines in a message': 'messages with line breaks in them; they are joined',
  'no jsonrpc': 'messages without "jsonrpc": "2.0"; they are taken as JSON-RPC 2.0',
  'id of another type': 'the ids of requests in another form; they are taken as meant',
  'no id': 'errors without the id of the request; they are taken for the only one that waits',
  'null for absent': 'null for members that are absent; they are skipped',
  'empty error': 'an empty error beside a result; the result is taken',
  'error of another form': 'errors without a numeric code or a message; they are completed',
  'extra members': 'answers that also have members of requests; the answer is taken',
  'result of another form': 'results that are no objects; they are taken as meant',
  'params of another form': 'parameters that are no object; they are taken as empty',
  'array for object': 'empty arrays for empty objects; they are taken as meant',
  'handshake of another form': 'a handshake with members missing or of the wrong type; they are completed',
  'list of another form': 'lists that are no arrays; their members are taken',
  'item of another form': 'list items with members of the wrong type; those members are skipped',
  'cursor of another type': 'cursors that are no strings; they are sent back as they came',
  'caching of another form': 'invalid "ttlMs" or "cacheScope"; they count as 0 and “private”',
  'content of another form': 'content blocks in another form; they are taken as meant',
  'content type': 'answers with the wrong content type; they are read by what they are',
  'event name': 'messages in events of another name; they are taken',
  'event without end': 'a last event without a blank line; it is taken',
  'progress of another form': 'progress with numbers as text; it is taken as meant',
  'level of another name': 'log entries with a level that the protocol doesn’t have; they are shown',
} as const;

/** A kind of deviation from the protocol that costs nothing. */
export type Tolerated = keyof typeof SENTENCES;
export type Tolerate = (kind: Tolerated) => void;

/** After so many of a kind it is said again how many there were. */
const SAY_EVERY = 1000;

/** Counts what is tolerated of one server, and says each kind in its log once. */
export class Tolerances {
  readonly #counts = new Map<Tolerated, number>();
  readonly #log: (level: LogLevel, message: string) => unknown;

  constructor(log: (level: LogLevel, message: string) => unknown) {
    this.#log = log;
  }

  readonly note: Tolerate = (kind) => {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count === 1) this.#log('info', `Tolerated: the server sends ${SENTENCES[kind]}.`);
    else if (count % SAY_EVERY === 0) this.#log('info', `Tolerated ${count} times so far: ${SENTENCES[kind]}.`);
  };
}
