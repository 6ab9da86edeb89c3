import { numberOf } from '../../../base/json/exactNumber.ts';
import { isRecord } from '../../../base/json/json.ts';
import { MASK } from '../../../base/text/secrets.ts';
import { isMessage, type RecordedLine } from '../recordingFormat.ts';

type Message = Readonly<Record<string, unknown>>;

/** What a server sent after something of ours: its answer, or what came before and after that. */
export interface Follow {
  /** Milliseconds after what it follows. */
  readonly afterMs: number;
  readonly message: Message;
  /** Its text was too large to keep. */
  readonly isCut: boolean;
}

/** Something that we sent, with all that the server sent upon it. */
export interface Exchange {
  readonly method: string;
  readonly params: unknown;
  /** Of a request; `undefined`: a notification. */
  readonly id: unknown;
  readonly follows: readonly Follow[];
}

type OpenExchange = Exchange & { readonly at: number; readonly follows: Follow[]; isAnswered: boolean };

/** What was sent in one connection, by what the server's messages name. Finding it takes no longer where there is more of it. */
class SentExchanges {
  /** Those that wait for their answer, by id. */
  readonly #waitingById = new Map<unknown, OpenExchange[]>();
  /** The last one of each id and each token of progress. */
  readonly #named = new Map<unknown, OpenExchange>();
  /** Answered ones are taken from its end when it is looked at. */
  readonly #waiting: OpenExchange[] = [];
  #last: OpenExchange | undefined;

  add(exchange: OpenExchange): void {
    this.#last = exchange;
    for (const name of [exchange.id, tokenOf(exchange.params)]) if (name !== undefined) this.#named.set(name, exchange);
    if (exchange.isAnswered) return;
    this.#waiting.push(exchange);
    const same = this.#waitingById.get(exchange.id);
    if (same) same.push(exchange);
    else this.#waitingById.set(exchange.id, [exchange]);
  }

  /** What a message of the server follows; an answer to it is the last. */
  followedBy({ id, method, params }: Message): OpenExchange | undefined {
    if (typeof method !== 'string') {
      const answered = this.#waitingById.get(plain(id))?.pop();
      if (answered) answered.isAnswered = true;
      return answered;
    }
    const token = isRecord(params) ? plain(params['progressToken'] ?? subscriptionOf(params)) : undefined;
    const named = token === undefined ? undefined : this.#named.get(token);
    if (named) return named;
    while (this.#waiting.at(-1)?.isAnswered === true) this.#waiting.pop();
    return this.#waiting.at(-1) ?? this.#last;
  }
}

/** The names of the servers in a recording. */
export function serversIn(lines: readonly RecordedLine[]): readonly string[] {
  return [...new Set(lines.filter(isMessage).map(({ server }) => server))];
}

/**
 * What was asked of a server and what came of it, in order. What a server sent by itself follows the request that it reports the
 * progress of, else the last that waited for its answer, else what was sent last. Pure.
 */
export function exchangesOf(lines: readonly RecordedLine[], server: string): readonly Exchange[] {
  const exchanges: OpenExchange[] = [];
  const links = new Map<number, SentExchanges>();
  for (const line of lines) {
    if (line.server !== server || !isMessage(line)) continue;
    const message = line.message as Message;
    const own = links.get(line.connection) ?? new SentExchanges();
    links.set(line.connection, own);
    const { method, params } = message;
    if (line.direction === 'sent') {
      // Answers to questions of the server are the caller's own.
      if (typeof method !== 'string') continue;
      const id = plain(message['id']);
      const exchange = { method, params, id, follows: [], at: line.at, isAnswered: id === undefined };
      own.add(exchange);
      exchanges.push(exchange);
      continue;
    }
    const followed = own.followedBy(message);
    followed?.follows.push({ afterMs: Math.max(0, line.at - followed.at), message, isCut: line.cut === true });
  }
  return exchanges;
}

/** What the server's progress of a request is known by. */
export function tokenOf(params: unknown): unknown {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) ? plain(meta['progressToken']) : undefined;
}

/** The member of `_meta` with the id of the subscription that a notification is for (specification 2026-07-28). */
export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

function subscriptionOf(params: Message): unknown {
  const meta = params['_meta'];
  return isRecord(meta) ? plain(meta[SUBSCRIPTION]) : undefined;
}

/** A number that stands as its text is the number that it is to a program, and so that of whom it is compared with. */
export function plain(value: unknown): unknown {
  return numberOf(value) ?? value;
}

/** Whether a value is the recorded one: numbers by what they are, however they are written. What was masked stands for any text. */
export function isSame(recorded: unknown, given: unknown): boolean {
  if (typeof recorded === 'string' && recorded.includes(MASK)) return fitsMasked(recorded, given);
  if (Array.isArray(recorded))
    return (
      Array.isArray(given) && recorded.length === given.length && recorded.every((each, at) => isSame(each, given[at]))
    );
  if (!isRecord(recorded)) return plain(recorded) === plain(given);
  if (!isRecord(given)) return false;
  const keys = Object.keys(recorded);
  return (
    keys.length === Object.keys(given).length && keys.every((key) => key in given && isSame(recorded[key], given[key]))
  );
}

/** Whether the parts of a masked text stand in another, in their order; linear. A value that is masked whole may be a number. */
function fitsMasked(recorded: string, given: unknown): boolean {
  if (recorded === MASK) return typeof given === 'string' || numberOf(given) !== undefined;
  if (typeof given !== 'string') return false;
  const parts = recorded.split(MASK);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (!given.startsWith(first) || !given.endsWith(last) || given.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = given.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= given.length - last.length;
}
