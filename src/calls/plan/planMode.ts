import { randomUUID } from 'node:crypto';
import { Sequencer } from '../../base/async.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { KeyValueStore } from '../../base/store.ts';
import type { ToolAnnotations } from '../../connection/connectionTypes.ts';

/** A call that waits on the plan's list. */
export interface PlannedCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Callable name. */
  readonly tool: string;
  readonly serverName: string;
  readonly args: JsonObject;
  /** What the tool was when it was planned. */
  readonly stamp?: string;
  /** Why it failed when it was run last. */
  readonly error?: string;
}

const KEYS = { on: 'plan.on', queue: 'plan.queue' } as const;

/** What plan mode makes of a call: it reads and goes on, it writes and waits, or it doesn't say and is asked about. */
export type PlanVerdict = 'pass' | 'queue' | 'ask';

/**
 * Sorts a call. A name that says that the tool writes goes before a claim to read only. Pure.
 * @param trusted whether the server's annotations count
 */
export function planModeVerdict(
  annotations: ToolAnnotations,
  writePattern: string | undefined,
  trusted: boolean,
): PlanVerdict {
  if (writePattern !== undefined) return 'queue';
  if (annotations.readOnlyHint === true) return trusted ? 'pass' : 'ask';
  return annotations.readOnlyHint === false || annotations.destructiveHint !== undefined ? 'queue' : 'ask';
}

/** Plan mode: whether it is on, and the calls that it holds back. Both survive a reload of the window. */
export class PlanMode {
  readonly #store: KeyValueStore;
  readonly #writes = new Sequencer();
  readonly #changed = new Emitter<void>();
  #on: boolean;
  #queue: readonly PlannedCall[];

  constructor(store: KeyValueStore) {
    this.#store = store;
    this.#on = store.get(KEYS.on) === true;
    const stored = store.get(KEYS.queue);
    this.#queue = Array.isArray(stored) ? stored.filter(isPlanned) : [];
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get on(): boolean {
    return this.#on;
  }

  /** In the order in which they were made. */
  get queue(): readonly PlannedCall[] {
    return this.#queue;
  }

  async setOn(on: boolean): Promise<void> {
    if (on === this.#on) return;
    this.#on = on;
    this.#changed.fire();
    await this.#writes.run(() => this.#store.set(KEYS.on, on ? true : undefined));
  }

  /** @returns its place on the list, from 1 */
  async add(call: Omit<PlannedCall, 'id'>): Promise<number> {
    await this.#set([...this.#queue, { ...call, id: randomUUID() }]);
    return this.#queue.length;
  }

  /** Puts other arguments in a call that waits, with which it hasn't failed yet, or the reason of a failure. */
  async update(id: string, change: Pick<PlannedCall, 'args'> | Required<Pick<PlannedCall, 'error'>>): Promise<void> {
    const updated = (call: PlannedCall): PlannedCall => {
      const { error: _, ...rest } = call;
      return { ...rest, ...change };
    };
    await this.#set(this.#queue.map((call) => (call.id === id ? updated(call) : call)));
  }

  async discard(id: string): Promise<void> {
    await this.#set(this.#queue.filter((call) => call.id !== id));
  }

  async clear(): Promise<void> {
    await this.#set([]);
  }

  async #set(queue: readonly PlannedCall[]): Promise<void> {
    this.#queue = queue;
    this.#changed.fire();
    await this.#writes.run(() => this.#store.set(KEYS.queue, this.#queue.length > 0 ? this.#queue : undefined));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function isPlanned(value: unknown): value is PlannedCall {
  return (
    isRecord(value) &&
    ['id', 'tool', 'serverName'].every((key) => typeof value[key] === 'string') &&
    typeof value['at'] === 'number' &&
    isRecord(value['args'])
  );
}
