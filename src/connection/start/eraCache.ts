import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { Attempt } from './protocolFallback.ts';

/** A server that was updated accepts the legacy era as well, so it is probed again after a day. */
const VERDICT_MS = 24 * 60 * 60 * 1000;
const PREFIX = 'connection.verdict.';

/**
 * Remembers which servers speak a legacy protocol, so that they aren't probed each time. For servers of 2026-07-28 the
 * probe is the handshake.
 */
export class EraCache {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What worked last; `undefined` where that is unknown or too long ago. */
  recall(key: string): Attempt | undefined {
    const value = this.#store.get(PREFIX + key);
    if (!isRecord(value) || typeof value['at'] !== 'number' || value['era'] !== 'legacy') return undefined;
    const age = this.#clock.now() - value['at'];
    const transport = value['transport'] as Attempt['transport'];
    if (age < 0 || age >= VERDICT_MS) return undefined;
    const { version, capabilities } = value;
    return {
      transport,
      era: 'legacy',
      ...(typeof version === 'string' ? { version } : {}),
      ...(capabilities === 'plain' || capabilities === 'none' ? { capabilities } : {}),
    };
  }

  /** Notes what worked, and the era that the server speaks. */
  async note(key: string, { transport, version, capabilities }: Attempt, era: 'legacy' | 'modern'): Promise<void> {
    if (era === 'modern') return this.forget(key);
    if (this.recall(key)) return;
    const offered = { ...(version === undefined ? {} : { version }), ...(capabilities ? { capabilities } : {}) };
    await this.#store.set(PREFIX + key, { transport, era, ...offered, at: this.#clock.now() });
  }

  async forget(key: string): Promise<void> {
    if (this.#store.get(PREFIX + key) !== undefined) await this.#store.set(PREFIX + key, undefined);
  }
}
