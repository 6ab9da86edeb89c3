import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { KeyValueStore } from '../../base/store.ts';
import type { Attempt } from './protocolFallback.ts';

/** A stale "legacy" would never fail loudly, so it is asked anew after a day. */
const VERDICT_MS = 24 * 60 * 60 * 1000;
const PREFIX = 'connection.verdict.';

/**
 * Remembers which servers don't know the question for their era, so that they aren't asked it each time. Servers of
 * 2026-07-28 need no memory: for them that question *is* the handshake.
 */
export class EraCache {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What worked last for what `key` stands for; `undefined` where that isn't known or too long ago. */
  recall(key: string): Attempt | undefined {
    const value = this.#store.get(PREFIX + key);
    if (!isRecord(value) || typeof value['at'] !== 'number' || value['era'] !== 'legacy') return undefined;
    const age = this.#clock.now() - value['at'];
    const transport = value['transport'] as Attempt['transport'];
    return age >= 0 && age < VERDICT_MS ? { transport, era: 'legacy' } : undefined;
  }

  /** Notes what worked. `era` is what the server turned out to speak. */
  async note(key: string, transport: Attempt['transport'], era: 'legacy' | 'modern'): Promise<void> {
    if (era === 'modern') await this.forget(key);
    else if (!this.recall(key)) await this.#store.set(PREFIX + key, { transport, era, at: this.#clock.now() });
  }

  async forget(key: string): Promise<void> {
    if (this.#store.get(PREFIX + key) !== undefined) await this.#store.set(PREFIX + key, undefined);
  }
}
