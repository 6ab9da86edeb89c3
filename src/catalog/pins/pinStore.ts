import { isRecord } from '../../base/json.ts';
import type { KeyValueStore } from '../../base/store.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import { comparePins, judgePin, pinAll, type PinChange, type PinningMode, type ServerPins } from './toolPin.ts';

/** A difference that the person hasn't looked at yet, and what follows from it. */
export interface OpenChange {
  readonly change: PinChange;
  readonly verdict: 'warn' | 'block';
}

const PREFIX = 'pins/';

/** What was approved of each server's tools. The first list after a server was approved is what is approved of it. */
export class PinBook {
  readonly #store: KeyValueStore;
  readonly #known = new WeakMap<readonly McpTool[], ServerPins>();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /**
   * Holds a server's list against what was approved: what is new and needs no look is pinned; a tool that is gone stays
   * pinned, so that it can't come back as another one unseen.
   * @param fingerprint of what runs: another one was approved anew, and its tools with it
   * @returns what waits for a look, by tool name
   */
  examine(
    serverId: string,
    fingerprint: string,
    tools: readonly McpTool[],
    mode: PinningMode,
  ): ReadonlyMap<string, OpenChange> {
    const current = this.#pinsOf(tools);
    const pinned = this.#load(serverId, fingerprint);
    if (!pinned || mode === 'off') {
      if (!pinned || !isSame(pinned, current)) this.#save(serverId, fingerprint, current);
      return new Map();
    }
    const open = new Map<string, OpenChange>();
    for (const change of comparePins(pinned, current)) {
      const verdict = judgePin(mode, change);
      if (verdict !== 'ok') open.set(change.name, { change, verdict });
    }
    const fresh = Object.entries(current).filter(([name]) => !open.has(name) && !Object.hasOwn(pinned, name));
    if (fresh.length > 0) this.#save(serverId, fingerprint, { ...pinned, ...Object.fromEntries(fresh) });
    return open;
  }

  /** The person has looked at these tools as they are now. */
  accept(serverId: string, fingerprint: string, tools: readonly McpTool[]): void {
    this.#save(serverId, fingerprint, { ...this.#load(serverId, fingerprint), ...pinAll(tools) });
  }

  /** Once for each list: hashing costs more than everything else here. */
  #pinsOf(tools: readonly McpTool[]): ServerPins {
    let pins = this.#known.get(tools);
    if (!pins) {
      pins = pinAll(tools);
      this.#known.set(tools, pins);
    }
    return pins;
  }

  #load(serverId: string, fingerprint: string): ServerPins | undefined {
    const value = this.#store.get(PREFIX + serverId);
    if (!isRecord(value) || value['fingerprint'] !== fingerprint || !isRecord(value['pins'])) return undefined;
    return Object.values(value['pins']).every(isPin) ? (value['pins'] as ServerPins) : undefined;
  }

  /** The store answers with the new value as soon as writing has begun. */
  #save(serverId: string, fingerprint: string, pins: ServerPins): void {
    void this.#store.set(PREFIX + serverId, { fingerprint, pins });
  }
}

function isPin(value: unknown): boolean {
  const fields = ['hash', 'bodyHash', 'title', 'description', 'inputSchema'];
  return isRecord(value) && fields.every((field) => typeof value[field] === 'string');
}

function isSame(one: ServerPins, other: ServerPins): boolean {
  const names = Object.keys(other);
  return (
    Object.keys(one).length === names.length &&
    names.every((name) => Object.hasOwn(one, name) && one[name]?.hash === other[name]?.hash)
  );
}
