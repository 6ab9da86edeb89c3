import { randomUUID } from 'node:crypto';
import { Sequencer } from '../../base/async.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord, stableStringify, type JsonObject } from '../../base/json/json.ts';
import type { Mask } from '../../base/text/secrets.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';

/** A call that failed for good. */
export interface FailedCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tool: string;
  readonly serverName: string;
  /** With secrets masked. */
  readonly args: JsonObject;
  /** Something in `args` was masked, so that it can be repeated only for as long as the window is open. */
  readonly isMasked: boolean;
  /** With secrets masked, and cut. */
  readonly error: string;
  readonly attempts: number;
  /** What the tool was then. */
  readonly stamp?: string;
}

const STORE_KEY = 'deadLetters';
const MAX_LETTERS = 200;
/** In UTF-16 units. */
const MAX_ERROR = 1_000;

/** Calls that failed for good: the last 200, kept in the workspace's store with their secrets masked. */
export class FailedCalls {
  readonly #store: KeyValueStore;
  readonly #mask: Mask;
  readonly #writes = new Sequencer();
  readonly #whole = new Map<string, JsonObject>();
  readonly #changed = new Emitter<void>();
  #letters: readonly FailedCall[];

  /** @param mask for secrets that are known */
  constructor(store: KeyValueStore, mask: Mask) {
    this.#store = store;
    this.#mask = mask;
    const stored = store.get(STORE_KEY);
    this.#letters = Array.isArray(stored) ? stored.filter(isFailedCall) : [];
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Oldest first. */
  get all(): readonly FailedCall[] {
    return this.#letters;
  }

  async add(letter: Omit<FailedCall, 'id' | 'isMasked'>): Promise<void> {
    const { recordedArguments, recordedText } = await import('../results/masking.ts');
    const args = recordedArguments(letter.args, this.#mask);
    const isMasked = stableStringify(args) !== stableStringify(letter.args);
    const error = recordedText(letter.error, letter.args, this.#mask).slice(0, MAX_ERROR);
    const added = { ...letter, id: randomUUID(), args, error, isMasked };
    this.#whole.set(added.id, letter.args);
    await this.#set([...this.#letters, added].slice(-MAX_LETTERS));
  }

  /** The arguments as they were; `undefined` where only the masked ones are left. */
  argsOf(letter: FailedCall): JsonObject | undefined {
    return this.#whole.get(letter.id) ?? (letter.isMasked ? undefined : letter.args);
  }

  async discard(id: string): Promise<void> {
    await this.#set(this.#letters.filter((letter) => letter.id !== id));
  }

  async clear(): Promise<void> {
    await this.#set([]);
  }

  async #set(letters: readonly FailedCall[]): Promise<void> {
    this.#letters = letters;
    const ids = new Set(letters.map(({ id }) => id));
    for (const id of this.#whole.keys()) if (!ids.has(id)) this.#whole.delete(id);
    this.#changed.fire();
    await this.#writes.run(() => this.#store.set(STORE_KEY, this.#letters.length > 0 ? this.#letters : undefined));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function isFailedCall(value: unknown): value is FailedCall {
  return (
    isRecord(value) &&
    ['id', 'tool', 'serverName', 'error'].every((key) => typeof value[key] === 'string') &&
    ['at', 'attempts'].every((key) => typeof value[key] === 'number') &&
    typeof value['isMasked'] === 'boolean' &&
    isRecord(value['args'])
  );
}

/** Whether a failed call is kept: it was allowed to run, and the cause of the failure can be temporary. */
export function isFinalFailure(error: unknown): boolean {
  if (!(error instanceof SwitchboardError)) return true;
  switch (error.code) {
    case 'denied':
    case 'unknown-tool':
    case 'unknown-server':
    case 'invalid-arguments':
    case 'call-cancelled':
    case 'tool-error':
      return false;
    default:
      return true;
  }
}
