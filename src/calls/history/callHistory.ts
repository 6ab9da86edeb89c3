import { Emitter, type Event } from '../../base/event.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { InFlight } from '../../base/inFlight.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Answer, Decision, Surface } from '../callTypes.ts';

/** The record of one call. It includes arguments and results, masked, only if the user wants to keep them. */
export interface HistoryEntry {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly surface: Surface;
  /** The extension that called, by its id, where it wasn't the agent. */
  readonly caller?: string;
  /** The script that made the call, or that it is. */
  readonly script?: string;
  /** Empty where there was no such tool. */
  readonly serverName: string;
  /** The account that the server was called as, by its name. */
  readonly account?: string;
  /** Callable name. */
  readonly tool: string;
  /** Absent where the call never got as far as a decision. */
  readonly decision?: Decision;
  readonly answer?: Answer;
  readonly durationMs: number;
  /** Of it, the time that it waited for its turn. */
  readonly queueMs: number;
  /** Of it, the time that the user took to answer; absent where nobody was asked. */
  readonly askedMs?: number;
  readonly attempts: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** `queued`: added to the plan. */
  readonly result: 'ok' | 'queued' | ErrorCode;
  readonly args?: string;
  readonly content?: string;
}

/** What a call needs to be run again. Kept for the newest calls, until the window closes. */
export interface RepeatableCall {
  /** Callable name. */
  readonly name: string;
  readonly args: JsonObject;
  /** What the tool was then. */
  readonly stamp: string;
}

/** How long a call took, in milliseconds, without the time that it waited for its turn and for the user's answer. */
export function workedMs({ durationMs, queueMs, askedMs = 0 }: HistoryEntry): number {
  return Math.max(0, durationMs - queueMs - askedMs);
}

/** Whether a call failed: one that was denied or planned didn't. */
export function isError({ result }: HistoryEntry): boolean {
  return result !== 'ok' && result !== 'queued' && result !== 'denied';
}

/** How long the tool took, in milliseconds; `undefined` for a call that doesn't tell: it waited for the user, or never ran. */
export function runMs(entry: HistoryEntry): number | undefined {
  return entry.result === 'ok' && entry.answer === undefined ? workedMs(entry) : undefined;
}

/** What is known of one tool's calls. Times in milliseconds. */
export interface ToolStatistics {
  readonly tool: string;
  readonly count: number;
  readonly errors: number;
  /** How many calls the times are based on: the last ones that succeeded without a question. */
  readonly samples: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

const MAX_ENTRIES = 1_000;
const MAX_SAMPLES = 200;
/** So many calls can be run again, of no more than so many tokens of arguments. */
const REPEATABLE = { calls: 50, tokens: 8_000 };

/** What is counted of one tool while calls go on. */
interface Tally {
  readonly totals: {
    -readonly [Key in keyof Omit<ToolStatistics, 'p50Ms' | 'p95Ms' | 'samples'>]: ToolStatistics[Key];
  };
  /** The newest durations, in no order. */
  readonly samples: number[];
  /** How many durations there were. */
  ran: number;
}

/** The last thousand calls, and statistics over all of them since the start. */
export class History {
  #entries: HistoryEntry[] = [];
  #nextId = 1;
  readonly #statistics = new Map<string, Tally>();
  /** By id of the entry. */
  #repeatable = new InFlight<number, RepeatableCall>();
  readonly #added = new Emitter<HistoryEntry>();

  /** Fires with each new entry. */
  get onDidAdd(): Event<HistoryEntry> {
    return this.#added.event;
  }

  /** Oldest first. */
  get entries(): readonly HistoryEntry[] {
    return this.#entries.slice(-MAX_ENTRIES);
  }

  /** @param call what runs it again; absent: nothing does */
  add(entry: Omit<HistoryEntry, 'id'>, call?: RepeatableCall): HistoryEntry {
    const added = { ...entry, id: this.#nextId++ };
    this.#repeatable.take(added.id - REPEATABLE.calls);
    if (call && entry.tokensIn <= REPEATABLE.tokens) this.#repeatable.set(added.id, call);
    this.#entries.push(added);
    if (this.#entries.length > MAX_ENTRIES * 2) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    if (entry.serverName !== '') this.#count(added);
    this.#added.fire(added);
    return added;
  }

  /** What runs the call of an entry again; `undefined` if it is too old or too large, or was no call of a tool. */
  repeatable(id: number): RepeatableCall | undefined {
    return this.#repeatable.get(id);
  }

  clear(): void {
    this.#entries = [];
    this.#repeatable = new InFlight();
    this.#statistics.clear();
  }

  /** Per tool, the most called first. */
  get statistics(): readonly ToolStatistics[] {
    return [...this.#statistics.values()]
      .map(({ samples, totals }) => {
        const sorted = samples.toSorted((one, other) => one - other);
        return { ...totals, samples: sorted.length, p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
      })
      .toSorted((one, other) => other.count - one.count);
  }

  #count(entry: HistoryEntry): void {
    let tally = this.#statistics.get(entry.tool);
    if (!tally) {
      const totals = { tool: entry.tool, count: 0, errors: 0, tokensIn: 0, tokensOut: 0 };
      tally = { totals, samples: [], ran: 0 };
      this.#statistics.set(entry.tool, tally);
    }
    const { totals } = tally;
    totals.count += 1;
    totals.tokensIn += entry.tokensIn;
    totals.tokensOut += entry.tokensOut;
    if (isError(entry)) totals.errors += 1;
    const ms = runMs(entry);
    if (ms !== undefined) tally.samples[tally.ran++ % MAX_SAMPLES] = ms;
  }

  dispose(): void {
    this.#added.dispose();
  }
}

/**
 * The least value that a share of all is not above (nearest rank): of 20 durations, the 95th percentile is the 19th.
 * @param sorted from the least; 0 of none
 * @param q above 0 and at most 1
 */
export function quantile(sorted: readonly number[], q: number): number {
  // What a product of fractions is above a whole number is no next rank.
  return sorted[Math.ceil(sorted.length * q - 1e-9) - 1] ?? 0;
}
