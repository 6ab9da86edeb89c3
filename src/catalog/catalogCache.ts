import type { Clock } from '../base/clock.ts';
import { isRecord, type JsonObject } from '../base/json/json.ts';
import type { KeyValueStore } from '../base/keyValueStore.ts';
import type { McpTool } from '../connection/connectionTypes.ts';

/** What is remembered of a server, so that search works before it is up. */
export interface CachedServer {
  /** Of what would run or be reached: another one makes the memory worthless. */
  readonly fingerprint: string;
  readonly serverVersion: string;
  readonly protocolVersion: string;
  readonly era: 'legacy' | 'modern';
  readonly instructions?: string;
  /** What the server said that it can do. */
  readonly capabilities?: JsonObject;
  readonly tools: readonly McpTool[];
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

const PREFIX = 'catalog/';
/** Older memory isn't worth showing, in milliseconds: 30 days. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** The memory of servers' tools over sessions of the editor. */
export class CatalogCache {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Remembers a server as it is now. */
  async save(serverId: string, server: Omit<CachedServer, 'savedAt'>): Promise<void> {
    await this.#store.set(PREFIX + serverId, { ...server, savedAt: this.#clock.now() });
  }

  /** What is remembered, if it is of the same server, readable and not too old. */
  load(serverId: string, fingerprint: string): CachedServer | undefined {
    const value = this.#store.get(PREFIX + serverId);
    if (!isRecord(value) || value['fingerprint'] !== fingerprint) return undefined;
    if (!isCachedServer(value)) return undefined;
    const ageMs = this.#clock.now() - value.savedAt;
    return ageMs >= 0 && ageMs <= MAX_AGE_MS ? value : undefined;
  }

  /** Forgets a server: it was removed, its tools are refused, or its session is gone for good. */
  async drop(serverId: string): Promise<void> {
    await this.#store.set(PREFIX + serverId, undefined);
  }
}

function isCachedServer(value: unknown): value is CachedServer {
  if (!isRecord(value) || !Number.isFinite(value['savedAt']) || !Array.isArray(value['tools'])) return false;
  const texts = [value['fingerprint'], value['serverVersion'], value['protocolVersion'], value['instructions'] ?? ''];
  const isEra = value['era'] === 'legacy' || value['era'] === 'modern';
  const { capabilities } = value;
  if (capabilities !== undefined && !isRecord(capabilities)) return false;
  return isEra && texts.every((text) => typeof text === 'string') && value['tools'].every(isTool);
}

/** By the type of each field of a tool; all but the first three may be absent. */
const TOOL_FIELDS = { name: '', inputSchema: {}, annotations: {}, title: '', description: '', alwaysLoad: true, outputSchema: {}, meta: {} }; // prettier-ignore

function isTool(value: unknown): value is McpTool {
  if (!isRecord(value)) return false;
  const fields = Object.entries(TOOL_FIELDS);
  const isGood = ([field, example]: [string, unknown], at: number): boolean => {
    const content = value[field];
    return (
      (at > 2 && content === undefined) ||
      (typeof content === typeof example && !Array.isArray(content) && content !== null)
    );
  };
  const hints =
    fields.every(isGood) && Array.isArray(value['icons'] ?? [])
      ? Object.entries(value['annotations'] as object)
      : undefined;
  return hints?.every(([hint, said]) => typeof said === (hint === 'title' ? 'string' : 'boolean')) === true;
}
