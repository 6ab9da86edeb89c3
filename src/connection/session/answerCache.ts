import type { Clock } from '../../base/clock.ts';
import { isRecord, stableStringify, type JsonObject } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { asksOtherwise } from '../protocol/ownMeta.ts';
import type { ServerNotification } from '../connectionTypes.ts';

/** What servers of 2026-07-28 may have kept, and what drops it. Tools have a list of their own. */
const DROPPED_BY: Readonly<Record<string, string>> = {
  'resources/list': 'notifications/resources/list_changed',
  'resources/templates/list': 'notifications/resources/list_changed',
  'resources/read': 'notifications/resources/list_changed',
  'prompts/list': 'notifications/prompts/list_changed',
};
const UPDATED = 'notifications/resources/updated';

/** An answer is kept for an hour at most, however long the server says, in milliseconds. */
const LONGEST_MS = 60 * 60_000;
/** What all answers of a session may weigh (`jsonWeight`), and one of them. */
const MAX_WEIGHT = 8 * 1024 * 1024;
const MAX_ANSWER_WEIGHT = 2 * 1024 * 1024;
/** An answer weighs as much as its key, too, at 2 bytes a character, and what keeps it. */
const KEEPING_WEIGHT = 100;
const MAX_ANSWERS = 1_000;

interface Kept {
  readonly result: JsonObject;
  readonly method: string;
  readonly uri: unknown;
  readonly staleAt: number;
  readonly weight: number;
}

/**
 * Answers of a server that said for how long they hold (specification 2026-07-28: *Caching*). One cache per session: a session
 * has one account, so that what is private to it is given to no other, and what is public is asked for once per session.
 */
export class AnswerCache {
  readonly #clock: Clock;
  /** Those kept first come first. */
  readonly #kept = new Map<string, Kept>();
  #weight = 0;
  /** Counts what dropped something: an answer that was asked for before may be of before. */
  #drops = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer that still holds, or what `ask` gives. A request that says something of its own (`_meta`) is always asked. */
  async answer(method: string, params: JsonObject, ask: () => Promise<JsonObject>): Promise<JsonObject> {
    const { _meta: meta, ...rest } = params;
    if (!Object.hasOwn(DROPPED_BY, method) || asksOtherwise(meta)) return ask();
    const key = `${method} ${stableStringify(rest)}`;
    const known = this.#kept.get(key);
    const left = known ? known.staleAt - this.#clock.now() : 0;
    if (known && left > 0) return { ...known.result, ttlMs: left };
    if (known) this.#drop(key, known);
    const drops = this.#drops;
    const result = await ask();
    if (this.#drops === drops) this.#keep(key, method, params['uri'], result);
    return result;
  }

  /** Drops what a notification says is another now; of what is updated, also what it is a part of. */
  heard({ method, params }: ServerNotification): void {
    const uri = isRecord(params) ? params['uri'] : undefined;
    this.#dropAll((kept) =>
      method === UPDATED
        ? typeof uri === 'string' && typeof kept.uri === 'string' && uri.startsWith(kept.uri)
        : DROPPED_BY[kept.method] === method,
    );
  }

  /** The user wants to see what the server has now. */
  forget(): void {
    this.#dropAll(() => true);
  }

  #keep(key: string, method: string, uri: unknown, result: JsonObject): void {
    // Another request for the same may have been faster.
    const before = this.#kept.get(key);
    if (before) this.#drop(key, before);
    const { ttlMs } = result;
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return;
    const weight = jsonWeight(result, MAX_ANSWER_WEIGHT) + 2 * key.length + KEEPING_WEIGHT;
    if (weight > MAX_ANSWER_WEIGHT) return;
    for (const [oldest, kept] of this.#kept) {
      if (this.#weight + weight <= MAX_WEIGHT && this.#kept.size < MAX_ANSWERS) break;
      this.#drop(oldest, kept);
    }
    this.#weight += weight;
    this.#kept.set(key, { result, method, uri, weight, staleAt: this.#clock.now() + Math.min(ttlMs, LONGEST_MS) });
  }

  #dropAll(isOld: (kept: Kept) => boolean): void {
    this.#drops += 1;
    for (const [key, kept] of this.#kept) if (isOld(kept)) this.#drop(key, kept);
  }

  #drop(key: string, { weight }: Kept): void {
    if (this.#kept.delete(key)) this.#weight -= weight;
  }
}
