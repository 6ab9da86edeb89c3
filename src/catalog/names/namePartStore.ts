import { isRecord } from '../../base/json/json.ts';
import { MemoryStore, type KeyValueStore } from '../../base/keyValueStore.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import { isOwn } from '../../servers/trust/serverStatus.ts';
import { freePart, isPart, readableParts } from '../../servers/nameParts.ts';

const STORE_KEY = 'names.servers';
/** So many parts of servers that are gone are kept. */
const MAX_GONE = 200;

/** A server, as far as its part depends on it. */
export interface PartOwner {
  readonly id: string;
  /** As configured. */
  readonly configuredName: string;
  /** As shown. */
  readonly name: string;
  /** Whether the user's own files define it. */
  readonly isOwn?: boolean;
}

/** A definition as an owner of a part. */
export function partOwnerOf({ id, name, entry }: ServerDefinition): PartOwner {
  return { id, name, configuredName: entry.name, isOwn: isOwn(entry) };
}

/** A part and the server that has it: by id, or the next one of the same configured name. */
interface KeptPart {
  readonly part: string;
  readonly id: string;
  readonly name: string;
}

/**
 * The server parts of callable names, kept for the workspace: a server that has one keeps it, whatever others come and go.
 * A server that isn't there any more leaves its part to one that needs it.
 */
export class ServerPartStore {
  readonly #store: KeyValueStore;
  #kept: readonly KeptPart[];
  /** Ids of those that hold on to their parts. */
  #holding: ReadonlySet<string> = new Set();

  constructor(store: KeyValueStore = new MemoryStore()) {
    this.#store = store;
    const stored = store.get(STORE_KEY);
    const kept = (Array.isArray(stored) ? (stored as unknown[]) : []).filter(isKept);
    const ofParts = new Map(kept.map((each) => [each.part, each])).values();
    // A server has one.
    this.#kept = [...new Map([...ofParts].map((each) => [each.id, each])).values()];
  }

  /**
   * Gives every server that may run its part, in their order, before the first of them is listed: which of them connects first
   * doesn't matter. One that may not run gets none, and keeps what it has; one that another hides doesn't. A preset changes
   * no names: one that only the active preset lacks gets its part.
   */
  settle(definitions: readonly ServerDefinition[]): void {
    this.#holding = holdersIn(definitions);
    this.#keep(withParts(this.#kept, ownersIn(definitions), this.#holding));
  }

  /** The parts that servers have, by id, or would get if these were settled. */
  previewAll(definitions: readonly ServerDefinition[]): ReadonlyMap<string, string> {
    const kept = withParts(this.#kept, ownersIn(definitions), holdersIn(definitions));
    return new Map(kept.map(({ id, part }) => [id, part]));
  }

  /** The part of a server; one that has none gets one. */
  partOf(owner: PartOwner): string {
    if (!hasPart(this.#kept, owner)) {
      this.#holding = new Set([...this.#holding, owner.id]);
      this.#keep(withParts(this.#kept, [owner], this.#holding));
    }
    return this.#partIn(this.#kept, owner);
  }

  /** The part that a server has, or would get now. */
  previewOf(owner: PartOwner): string {
    return this.#partIn(withParts(this.#kept, [owner], this.#holding), owner);
  }

  /** The part that a server of this id has. */
  known(id: string): string | undefined {
    return this.#kept.find((each) => each.id === id)?.part;
  }

  /** The id of the server that has the part for which this is true. */
  holderOf(isMeant: (part: string) => boolean): string | undefined {
    return this.#kept.find(({ part, id }) => this.#holding.has(id) && isMeant(part))?.id;
  }

  #partIn(kept: readonly KeptPart[], { id }: PartOwner): string {
    return kept.find((each) => each.id === id)?.part ?? '';
  }

  #keep(kept: readonly KeptPart[]): void {
    if (kept === this.#kept) return;
    const gone = kept.filter(({ id }) => !this.#holding.has(id));
    const forgotten = new Set(gone.slice(0, Math.max(0, gone.length - MAX_GONE)));
    this.#kept = kept.filter((each) => !forgotten.has(each));
    void this.#store.set(STORE_KEY, this.#kept);
  }
}

/** Ids of those that hold on to their parts. */
function holdersIn(definitions: readonly ServerDefinition[]): ReadonlySet<string> {
  return new Set(definitions.filter(({ status }) => status.kind !== 'shadowed').map(({ id }) => id));
}

/** Those that need a part: they may run, as far as it isn't for the active preset. */
function ownersIn(definitions: readonly ServerDefinition[]): readonly PartOwner[] {
  const mayRun = ({ status }: ServerDefinition): boolean =>
    status.kind === 'ready' || (status.kind === 'disabled' && status.by === 'preset');
  return definitions.filter(mayRun).map(partOwnerOf);
}

function hasPart(kept: readonly KeptPart[], { id, configuredName }: PartOwner): boolean {
  return kept.some((each) => each.id === id && each.name === configuredName);
}

/**
 * The parts that are kept, with those of `owners`; the same list where nothing changes. Whoever has a part keeps it. Of the
 * others, the user's own servers choose first, and of these one whose configured name is a part as it is.
 */
function withParts(
  before: readonly KeptPart[],
  owners: readonly PartOwner[],
  holding: ReadonlySet<string>,
): readonly KeptPart[] {
  const byId = new Map(before.map((each) => [each.id, each]));
  const waiting = owners.filter(({ id, configuredName }) => byId.get(id)?.name !== configuredName);
  if (waiting.length === 0) return before;
  const kept = new Map(before.map((each) => [each.part, each]));
  const held = new Set([...holding, ...owners.map(({ id }) => id)]);
  const taken = new Set(before.filter(({ id }) => held.has(id)).map(({ part }) => part));
  const left = Map.groupBy(
    before.filter(({ id }) => !held.has(id)),
    ({ name }) => name,
  );
  const isPlain = ({ configuredName }: PartOwner): boolean => readableParts(configuredName)[0] === configuredName;
  // The user's own come first: what others bring doesn't take a name from them.
  const rank = (owner: PartOwner): number => (owner.isOwn === true ? 0 : 2) + (isPlain(owner) ? 0 : 1);
  const ranked = waiting.map((owner) => ({ owner, rank: rank(owner) })).toSorted((one, other) => one.rank - other.rank);
  for (const { owner } of ranked) {
    const own = byId.get(owner.id);
    if (own && kept.delete(own.part)) taken.delete(own.part);
    // The same server in another file, or in another scope.
    const former = left.get(owner.configuredName)?.find((each) => kept.get(each.part) === each);
    const part = former?.part ?? freePart(owner.id, [owner.configuredName, owner.name], taken);
    // The latest last.
    kept.delete(part);
    kept.set(part, { part, id: owner.id, name: owner.configuredName });
    taken.add(part);
  }
  return [...kept.values()];
}

function isKept(value: unknown): value is KeptPart {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['name'] === 'string' &&
    typeof value['part'] === 'string' &&
    isPart(value['part'])
  );
}
