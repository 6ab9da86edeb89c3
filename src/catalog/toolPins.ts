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
  /** Sorted JSON of the hints; absent in what an earlier version stored. */
  readonly annotations?: string;
  /** Digest of the output schema; absent in what an earlier version stored. */
  readonly output?: string;
}

/** The pins of one server's tools, by tool name. */
export type ServerPins = Readonly<Record<string, ToolPin>>;

/** How a server's tools differ from what was pinned. */
export type PinChange =
  | { readonly kind: 'added'; readonly name: string }
  | { readonly kind: 'removed'; readonly name: string; readonly pinned: ToolPin }
  | { readonly kind: 'renamed'; readonly name: string; readonly before: string }
  | {
      readonly kind: 'changed';
      readonly name: string;
      readonly pinned: ToolPin;
      readonly current: ToolPin;
      /** Its name before, where that is another, too. */
      readonly before?: string;
    };

/** The pin of a tool: SHA-256 over name, title, description and input schema (design: *Catalog*), and its hints. */
export function pinTool(tool: McpTool): ToolPin {
  const title = tool.title ?? tool.annotations.title ?? '';
  const description = tool.description ?? '';
  const inputSchema = stableStringify(tool.inputSchema);
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
  return {
    hash: sha256(stableStringify([tool.name, title, description, inputSchema])),
    bodyHash: sha256(stableStringify([title, description, inputSchema])),
    title,
    description,
    inputSchema,
    annotations: stableStringify({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }),
    output: tool.outputSchema === undefined ? '' : sha256(stableStringify(tool.outputSchema)),
  };
}

/** Whether a tool is another than was pinned. What an earlier version didn't store counts as the same. */
function differs(pinned: ToolPin, current: ToolPin): boolean {
  const { annotations = current.annotations, output = current.output } = pinned;
  return pinned.hash !== current.hash || annotations !== current.annotations || output !== current.output;
}

/** Of tools with one name, the first counts, as in the catalog. */
export function pinAll(tools: readonly McpTool[]): ServerPins {
  return Object.fromEntries(tools.toReversed().map((tool) => [tool.name, pinTool(tool)]));
}

/**
 * What changed since the tools were pinned, by name. A tool that is gone and one that is new with the same body are one
 * rename, where no other tool has that body; with a similar body, the new one is a change of the other.
 */
export function comparePins(pinned: ServerPins, current: ServerPins): PinChange[] {
  const gone = Object.keys(pinned).filter((name) => !Object.hasOwn(current, name));
  const fresh = Object.keys(current).filter((name) => !Object.hasOwn(pinned, name));
  const renames = findRenames(gone, fresh, pinned, current);
  const before = new Set(renames.values());
  const likestOf = likestAmong(gone, pinned);
  const changes: PinChange[] = [];
  for (const [name, pin] of Object.entries(current)) {
    const old = Object.hasOwn(pinned, name) ? pinned[name] : undefined;
    const oldName = renames.get(name);
    if (oldName !== undefined) changes.push({ kind: 'renamed', name, before: oldName });
    else if (old === undefined) {
      const likest = likestOf(name, pin);
      const was = likest === undefined ? undefined : pinned[likest];
      if (likest === undefined || was === undefined) changes.push({ kind: 'added', name });
      else changes.push({ kind: 'changed', name, pinned: was, current: pin, before: likest });
    } else if (differs(old, pin)) changes.push({ kind: 'changed', name, pinned: old, current: pin });
  }
  for (const name of gone) {
    const old = pinned[name];
    if (old !== undefined && !before.has(name)) changes.push({ kind: 'removed', name, pinned: old });
  }
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** How many of the words of two tools have to be the same for one to be the other, renamed and edited. */
const ALIKE = 0.5;

/** How many pairs of tools are compared. */
const MAX_PAIRS = 1_000;

/**
 * Finds the tool that is gone which a new one may be, renamed and edited: they share their description, their parameters,
 * or most of their words. Where too many went and came at once to compare them, any may be.
 */
function likestAmong(gone: readonly string[], pinned: ServerPins): (name: string, pin: ToolPin) => string | undefined {
  let words: readonly ReadonlySet<string>[] | undefined;
  let pairs = 0;
  return (name, pin) => {
    pairs += gone.length;
    if (pairs > MAX_PAIRS) return gone[0];
    words ??= gone.map((old) => wordsOf(old, pinned[old]));
    const own = [...wordsOf(name, pin)];
    return gone.find((old, at) => isAlike(pinned[old], pin) || sharesWords(words?.[at], own));
  };
}

function isAlike(old: ToolPin | undefined, { description, inputSchema }: ToolPin): boolean {
  if (description !== '' && description === old?.description) return true;
  return inputSchema === old?.inputSchema && /"properties":\{"/.test(inputSchema);
}

function sharesWords(old: ReadonlySet<string> = new Set(), own: readonly string[]): boolean {
  const shared = own.filter((word) => old.has(word)).length;
  return shared > 0 && shared / (old.size + own.length - shared) >= ALIKE;
}

/** Of a longer text only the beginning is compared, in characters. */
const MAX_COMPARED = 8_000;

function wordsOf(name: string, pin?: ToolPin): ReadonlySet<string> {
  const said = `${pin?.title} ${pin?.description} ${pin?.inputSchema}`.slice(0, MAX_COMPARED);
  const text = `${name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')} ${said}`;
  const common = new Set(['type', 'object', 'properties', 'string', 'required', 'description', 'the', 'a', 'of']);
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !common.has(word)));
}

/** New name to old name. */
function findRenames(
  gone: readonly string[],
  fresh: readonly string[],
  pinned: ServerPins,
  current: ServerPins,
): Map<string, string> {
  const byBody = (names: readonly string[], pins: ServerPins): Map<string | undefined, string[]> =>
    Map.groupBy(names, (name) => pins[name]?.bodyHash);
  const olds = byBody(gone, pinned);
  const renames = new Map<string, string>();
  for (const [body, news] of byBody(fresh, current)) {
    const [name, secondNew] = news;
    const [old, secondOld] = olds.get(body) ?? [];
    if (name !== undefined && old !== undefined && secondNew === undefined && secondOld === undefined)
      renames.set(name, old);
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
/** What a server's instructions are pinned as, beside its tools. */
export const INSTRUCTIONS = 'instructions of the server';

interface StoredPins {
  readonly pins: ServerPins;
  /** Tools that came after the server was approved, and that the user hasn't allowed a call of yet. */
  readonly unseen: readonly string[];
}

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
    const stored = this.#load(serverId, fingerprint);
    if (!stored || mode === 'off') {
      if (!stored || !isSame(stored.pins, current)) this.#save(serverId, fingerprint, { pins: current, unseen: [] });
      return new Map();
    }
    const { pins: pinned, unseen } = stored;
    const open = new Map<string, OpenChange>();
    for (const change of comparePins(pinned, current)) {
      // An earlier version didn't pin instructions.
      const verdict = change.kind === 'added' && change.name === INSTRUCTIONS ? 'ok' : pinVerdict(mode, change);
      if (verdict !== 'ok') open.set(change.name, { change, verdict });
    }
    const added = Object.keys(current).filter((name) => !open.has(name) && !Object.hasOwn(pinned, name));
    const known = Object.keys(current).filter((name) => !open.has(name) && pinned[name]?.annotations === undefined);
    if (known.length > 0) {
      const fresh = Object.fromEntries(known.flatMap((name) => (current[name] ? [[name, current[name]]] : [])));
      const seen = added.filter((name) => name !== INSTRUCTIONS);
      this.#save(serverId, fingerprint, { pins: { ...pinned, ...fresh }, unseen: [...new Set([...unseen, ...seen])] });
    }
    return open;
  }

  /** Tools that came after the server was approved, and that the user hasn't allowed a call of yet. */
  unseen(serverId: string, fingerprint: string): readonly string[] {
    return this.#load(serverId, fingerprint)?.unseen ?? [];
  }

  /** The user allowed a call of this tool. */
  acknowledge(serverId: string, fingerprint: string, tool: string): void {
    const stored = this.#load(serverId, fingerprint);
    if (!stored?.unseen.includes(tool)) return;
    this.#save(serverId, fingerprint, { ...stored, unseen: stored.unseen.filter((name) => name !== tool) });
  }

  /** The user has reviewed these tools as they are now. */
  accept(serverId: string, fingerprint: string, tools: readonly McpTool[]): void {
    const { pins, unseen } = this.#load(serverId, fingerprint) ?? { pins: {}, unseen: [] };
    const names = new Set(tools.map(({ name }) => name));
    this.#save(serverId, fingerprint, {
      pins: { ...pins, ...pinAll(tools) },
      unseen: unseen.filter((name) => !names.has(name)),
    });
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

  #load(serverId: string, fingerprint: string): StoredPins | undefined {
    const value = this.#store.get(PREFIX + serverId);
    if (!isRecord(value) || value['fingerprint'] !== fingerprint || !isRecord(value['pins'])) return undefined;
    if (!Object.values(value['pins']).every(isPin)) return undefined;
    const unseen: readonly unknown[] = Array.isArray(value['unseen']) ? value['unseen'] : [];
    return { pins: value['pins'] as ServerPins, unseen: unseen.filter((name) => typeof name === 'string') };
  }

  /** The store answers with the new value as soon as writing has begun. */
  #save(serverId: string, fingerprint: string, { pins, unseen }: StoredPins): void {
    void this.#store.set(PREFIX + serverId, { fingerprint, pins, ...(unseen.length > 0 ? { unseen } : {}) });
  }
}

function isPin(value: unknown): boolean {
  const fields = ['hash', 'bodyHash', 'title', 'description', 'inputSchema'];
  const later = ['annotations', 'output'];
  return (
    isRecord(value) &&
    fields.every((field) => typeof value[field] === 'string') &&
    later.every((field) => value[field] === undefined || typeof value[field] === 'string')
  );
}

function isSame(one: ServerPins, other: ServerPins): boolean {
  const names = Object.keys(other);
  return (
    Object.keys(one).length === names.length &&
    names.every((name) => Object.hasOwn(one, name) && stableStringify(one[name]) === stableStringify(other[name]))
  );
}
