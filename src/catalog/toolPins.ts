import { isRecord, sha256, stableStringify } from '../base/json.ts';
import type { KeyValueStore } from '../base/store.ts';
import type { McpTool } from '../connection/connectionTypes.ts';

/** What the user approved of a tool: a digest to compare, and the text to show the difference. */
export interface ToolPin {
  readonly hash: string;
  /** Digest without the name: a renamed tool keeps it. */
  readonly bodyHash: string;
  readonly title: string;
  readonly description: string;
  /** Sorted JSON. */
  readonly inputSchema: string;
}

/** The pins of one server's tools, by tool name. */
export type ServerPins = Readonly<Record<string, ToolPin>>;

/** How a server's tools differ from what was pinned. */
export type PinChange =
  | { readonly kind: 'added'; readonly name: string }
  | { readonly kind: 'removed'; readonly name: string; readonly pinned: ToolPin }
  | { readonly kind: 'renamed'; readonly name: string; readonly before: string }
  | { readonly kind: 'changed'; readonly name: string; readonly pinned: ToolPin; readonly current: ToolPin };

/** The pin of a tool: SHA-256 over name, title, description and input schema (design: *Catalog*). */
export function pinTool(tool: McpTool): ToolPin {
  const title = tool.title ?? tool.annotations.title ?? '';
  const description = tool.description ?? '';
  const inputSchema = stableStringify(tool.inputSchema);
  return {
    hash: sha256(stableStringify([tool.name, title, description, inputSchema])),
    bodyHash: sha256(stableStringify([title, description, inputSchema])),
    title,
    description,
    inputSchema,
  };
}

export function pinAll(tools: readonly McpTool[]): ServerPins {
  return Object.fromEntries(tools.map((tool) => [tool.name, pinTool(tool)]));
}

/**
 * What changed since the tools were pinned, by name. A tool that is gone and one that is new with the same body are one
 * rename, where no other tool has that body.
 */
export function comparePins(pinned: ServerPins, current: ServerPins): PinChange[] {
  const gone = Object.keys(pinned).filter((name) => !Object.hasOwn(current, name));
  const fresh = Object.keys(current).filter((name) => !Object.hasOwn(pinned, name));
  const renames = findRenames(gone, fresh, pinned, current);
  const before = new Set(renames.values());
  const changes: PinChange[] = [];
  for (const [name, pin] of Object.entries(current)) {
    const old = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    const oldName = renames.get(name);
    if (oldName !== undefined) changes.push({ kind: 'renamed', name, before: oldName });
    else if (old === undefined) changes.push({ kind: 'added', name });
    else if (old.hash !== pin.hash) changes.push({ kind: 'changed', name, pinned: old, current: pin });
  }
  for (const name of gone) {
    const old = pinned[name];
    if (old !== undefined && !before.has(name)) changes.push({ kind: 'removed', name, pinned: old });
  }
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** New name to old name. */
function findRenames(
  gone: readonly string[],
  fresh: readonly string[],
  pinned: ServerPins,
  current: ServerPins,
): Map<string, string> {
  const renames = new Map<string, string>();
  for (const name of fresh) {
    const body = current[name]?.bodyHash;
    const olds = gone.filter((old) => pinned[old]?.bodyHash === body);
    const news = fresh.filter((other) => current[other]?.bodyHash === body);
    if (olds.length === 1 && news.length === 1 && olds[0] !== undefined) renames.set(name, olds[0]);
  }
  return renames;
}

/** What the setting `toolPinning` may be. */
export const PINNING_MODES = ['off', 'warn', 'block'] as const;
export type PinningMode = (typeof PINNING_MODES)[number];

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
  readonly change: PinChange;
  readonly verdict: 'warn' | 'block';
}

const PREFIX = 'pins/';

/** What was approved of each server's tools. The first list after a server was approved is what is approved of it. */
export class PinStore {
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
      const verdict = pinVerdict(mode, change);
      if (verdict !== 'ok') open.set(change.name, { change, verdict });
    }
    const fresh = Object.entries(current).filter(([name]) => !open.has(name) && !Object.hasOwn(pinned, name));
    if (fresh.length > 0) this.#save(serverId, fingerprint, { ...pinned, ...Object.fromEntries(fresh) });
    return open;
  }

  /** The user has reviewed these tools as they are now. */
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
