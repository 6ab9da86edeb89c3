// Loaded before the first server is.
import { isRecord, stableStringify } from '../base/json/json.ts';
import { mapSteps, type Steps } from '../base/timeSlices.ts';
import type { KeyValueStore } from '../base/keyValueStore.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import {
  comparePins,
  isAsPinned,
  pinAll,
  pinTool,
  unreadablePins,
  type PinChange,
  type ServerPins,
  type ToolPin,
} from './pinChanges.ts';
import { INSTRUCTIONS, type PinningMode } from './pinningModes.ts';

/**
 * Whether a tool may be offered and called as it is now. Under `warn` a change is shown; under `block` a changed tool
 * waits for a review, and a new or renamed tool is reported.
 */
export function pinVerdict(mode: PinningMode, change: PinChange | undefined): 'ok' | 'warn' | 'block' {
  if (mode === 'off' || change === undefined) return 'ok';
  switch (change.kind) {
    case 'changed':
      return mode;
    case 'renamed':
      return 'warn';
    case 'added':
      return mode === 'block' ? 'warn' : 'ok';
    case 'removed':
      return 'ok';
  }
}

/** A change that the user hasn't reviewed yet, and its consequence. */
export interface OpenChange {
  readonly of: Pinned;
  readonly change: PinChange;
  readonly verdict: 'warn' | 'block';
}

export const NO_CHANGES: ReadonlyMap<string, OpenChange> = new Map();

/** What is pinned, each kind in a record of its own. */
export type Pinned = 'tool' | 'prompt' | 'skill';
const PREFIXES: Readonly<Record<Pinned, string>> = { tool: 'pins/', prompt: 'promptPins/', skill: 'skillPins/' };

interface StoredPins {
  readonly pins: ServerPins;
  /** Tools that came after the server was approved, and that the user hasn't allowed a call of yet. */
  readonly unseen: readonly string[];
  /** What was approved couldn't be read once: whatever comes, and however late, may be another than what was approved. */
  readonly isLost?: boolean;
}

/**
 * What was approved of each server's tools, or of its prompts or skills in the form of tools. The first list after a server was approved
 * is what is approved of it.
 */
export class PinStore {
  readonly #store: KeyValueStore;
  readonly #of: Pinned;
  readonly #known = new WeakMap<McpTool, ToolPin>();
  /** What the store gives, once it was looked at. */
  readonly #checked = new WeakMap<object, StoredPins>();

  constructor(store: KeyValueStore, of: Pinned = 'tool') {
    this.#store = store;
    this.#of = of;
  }

  /**
   * Holds a server's list against what was approved: what is new and needs no look is pinned; a tool that is gone stays
   * pinned, so that it can't come back as another one unseen. Where what was approved can't be read, all of it waits for a look.
   * @param fingerprint of what runs: another one was approved anew, and its tools with it
   * @param ownConsent gives those of the first list that the user hasn't allowed yet all the same
   * @returns what waits for a look, by tool name
   */
  examine(
    serverId: string,
    fingerprint: string,
    tools: readonly McpTool[],
    mode: PinningMode,
    ownConsent: () => readonly string[] = () => [],
  ): ReadonlyMap<string, OpenChange> {
    const current = pinAll(tools, this.pinOf);
    const stored =
      mode === 'off' ? this.#load(serverId, fingerprint) : this.#withLost(serverId, fingerprint, current, ownConsent);
    if (!stored || mode === 'off') {
      const isKnown = stored !== undefined && isSame(stored.pins, current);
      if (!isKnown) this.#save(serverId, fingerprint, { pins: current, unseen: ownConsent() });
      return NO_CHANGES;
    }
    const { pins: pinned, unseen } = stored;
    const open = new Map<string, OpenChange>();
    const names = Object.keys(current);
    // Tools that are gone need no look.
    if (names.every((name) => isAsPinned(pinned, current, name))) {
      // The same pins, but what the store has read holds texts of its own.
      Object.assign(pinned, current);
      return NO_CHANGES;
    }
    for (const change of comparePins(pinned, current)) {
      // An earlier version didn't pin instructions.
      const verdict = change.kind === 'added' && change.name === INSTRUCTIONS ? 'ok' : pinVerdict(mode, change);
      if (verdict !== 'ok') open.set(change.name, { of: this.#of, change, verdict });
    }
    const added = names.filter((name) => !open.has(name) && !Object.hasOwn(pinned, name));
    const known = names.filter((name) => !open.has(name) && pinned[name]?.annotations === undefined);
    if (known.length > 0) {
      const fresh = Object.fromEntries(known.flatMap((name) => (current[name] ? [[name, current[name]]] : [])));
      const seen = added.filter((name) => name !== INSTRUCTIONS);
      const all = [...new Set([...unseen, ...seen])];
      this.#save(serverId, fingerprint, { ...stored, pins: { ...pinned, ...fresh }, unseen: all });
    }
    return open;
  }

  /** Whether one of this name was approved, or nobody can tell. */
  has(serverId: string, fingerprint: string, name: string): boolean {
    if (this.#isUnreadable(serverId, fingerprint)) return true;
    return Object.hasOwn(this.#load(serverId, fingerprint)?.pins ?? {}, name);
  }

  /** Tools that came after the server was approved, and that the user hasn't allowed a call of yet. */
  unseen(serverId: string, fingerprint: string): readonly string[] {
    return this.#load(serverId, fingerprint)?.unseen ?? [];
  }

  /** The names of what is pinned of a server. */
  pinnedOf(serverId: string, fingerprint: string): readonly string[] {
    return Object.keys(this.#load(serverId, fingerprint)?.pins ?? {});
  }

  /** The user allowed a call of this tool. */
  acknowledge(serverId: string, fingerprint: string, tool: string): void {
    const stored = this.#load(serverId, fingerprint);
    if (!stored?.unseen.includes(tool)) return;
    this.#save(serverId, fingerprint, { ...stored, unseen: stored.unseen.filter((name) => name !== tool) });
  }

  /** The user has reviewed these tools as they are now. */
  accept(serverId: string, fingerprint: string, tools: readonly McpTool[]): void {
    const stored = this.#load(serverId, fingerprint) ?? { pins: {}, unseen: [] };
    const names = new Set(tools.map(({ name }) => name));
    this.#save(serverId, fingerprint, {
      ...stored,
      pins: { ...stored.pins, ...pinAll(tools) },
      unseen: stored.unseen.filter((name) => !names.has(name)),
    });
  }

  /** Does in steps what `examine` of these tools would do at once. */
  prepare(tools: readonly McpTool[]): Steps<unknown> {
    return mapSteps(tools, this.pinOf);
  }

  /** As `pinTool`, once for each tool: hashing costs more than everything else here. */
  readonly pinOf = (tool: McpTool): ToolPin => {
    let pin = this.#known.get(tool);
    if (!pin) {
      pin = pinTool(tool);
      this.#known.set(tool, pin);
    }
    return pin;
  };

  /** What is stored; where the pins were lost, with all that came since as unreadable, too: a server could list less at first. */
  #withLost(
    serverId: string,
    fingerprint: string,
    current: ServerPins,
    ownConsent: () => readonly string[],
  ): StoredPins | undefined {
    const isUnreadable = this.#isUnreadable(serverId, fingerprint);
    const stored: StoredPins | undefined = isUnreadable
      ? { pins: {}, unseen: ownConsent(), isLost: true }
      : this.#load(serverId, fingerprint);
    if (stored?.isLost !== true) return stored;
    const came = Object.entries(current).filter(([name]) => !Object.hasOwn(stored.pins, name));
    if (came.length === 0 && !isUnreadable) return stored;
    const all = { ...stored, pins: { ...stored.pins, ...unreadablePins(Object.fromEntries(came)) } };
    this.#save(serverId, fingerprint, all);
    return all;
  }

  #load(serverId: string, fingerprint: string): StoredPins | undefined {
    const value = this.#store.get(PREFIXES[this.#of] + serverId);
    if (!isRecord(value) || value['fingerprint'] !== fingerprint) return undefined;
    let checked = this.#checked.get(value);
    if (!checked && isRecord(value['pins']) && Object.values(value['pins']).every(isPin)) {
      const unseen: readonly unknown[] = Array.isArray(value['unseen']) ? value['unseen'] : [];
      checked = {
        pins: value['pins'] as ServerPins,
        unseen: unseen.filter((name) => typeof name === 'string'),
        ...(value['isLost'] === true ? { isLost: true } : {}),
      };
      this.#checked.set(value, checked);
    }
    return checked;
  }

  /** Whether something was approved and nobody can tell what. */
  #isUnreadable(serverId: string, fingerprint: string): boolean {
    const key = PREFIXES[this.#of] + serverId;
    const value = this.#store.get(key);
    if (value === undefined) return this.#store.isUnreadable?.(key) === true;
    const bound = isRecord(value) ? value['fingerprint'] : undefined;
    return typeof bound !== 'string' || (bound === fingerprint && !this.#load(serverId, fingerprint));
  }

  /** The store answers with the new value as soon as writing has begun. */
  #save(serverId: string, fingerprint: string, { pins, unseen, isLost = false }: StoredPins): void {
    const value = { fingerprint, pins, ...(unseen.length > 0 ? { unseen } : {}), ...(isLost ? { isLost } : {}) };
    this.#checked.set(value, { pins, unseen, ...(isLost ? { isLost } : {}) });
    void this.#store.set(PREFIXES[this.#of] + serverId, value);
  }
}

const FIELDS = ['hash', 'bodyHash', 'title', 'description', 'inputSchema'] as const;
const LATER_FIELDS = ['annotations', 'output'] as const;

function isPin(value: unknown): boolean {
  return (
    isRecord(value) &&
    FIELDS.every((field) => typeof value[field] === 'string') &&
    LATER_FIELDS.every((field) => value[field] === undefined || typeof value[field] === 'string')
  );
}

function isSame(one: ServerPins, other: ServerPins): boolean {
  const names = Object.keys(other);
  return (
    Object.keys(one).length === names.length &&
    names.every((name) => Object.hasOwn(one, name) && stableStringify(one[name]) === stableStringify(other[name]))
  );
}
