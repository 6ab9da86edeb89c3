import { randomUUID } from 'node:crypto';
import { Sequencer } from '../../base/async.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
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

/** The most that the list holds: an agent that repeats itself must not fill the workspace's storage. */
export const PLAN_LIMITS = { calls: 100, bytes: 256 * 1024 } as const;

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
    this.#queue = Array.isArray(stored) ? withinLimits(stored.filter(isPlanned)) : [];
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

  /** @returns its place on the list, from 1; `undefined` if the list is full */
  async add(call: Omit<PlannedCall, 'id'>): Promise<number | undefined> {
    const queue = [...this.#queue, { ...call, id: randomUUID() }];
    if (withinLimits(queue).length < queue.length) return undefined;
    await this.#set(queue);
    return queue.length;
  }

  /** Whether a call still waits as it was shown: with these arguments, for the tool as it was. */
  isAsShown(shown: PlannedCall): boolean {
    const now = this.#queue.find(({ id }) => id === shown.id);
    return now?.tool === shown.tool && now.args === shown.args && now.stamp === shown.stamp;
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

/** The first calls that the limits have room for. */
function withinLimits(calls: readonly PlannedCall[]): readonly PlannedCall[] {
  let bytes = 0;
  const end = calls.findIndex((call, index) => {
    bytes += Buffer.byteLength(JSON.stringify(call));
    return index >= PLAN_LIMITS.calls || bytes > PLAN_LIMITS.bytes;
  });
  return end < 0 ? calls : calls.slice(0, end);
}

function isPlanned(value: unknown): value is PlannedCall {
  return (
    isRecord(value) &&
    ['id', 'tool', 'serverName'].every((key) => typeof value[key] === 'string') &&
    typeof value['at'] === 'number' &&
    isRecord(value['args'])
  );
}
