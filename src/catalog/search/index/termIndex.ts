import { IntList } from './intList.ts';
import type { Lexicon } from '../words/lexicon.ts';
import { rowOf } from './postings.ts';
import type { ServerIndex } from './serverIndex.ts';
import { Vocabulary } from '../words/vocabulary.ts';

/** One term over all servers. */
export interface TermEntry {
  /** The term's number. */
  readonly number: number;
  /** How many tools have it as their own. */
  readonly frequency: number;
  /** Alternating: the slot of each server that has it, and the term's row in that server's postings. */
  readonly holders: readonly number[];
}

interface MutableTermEntry extends TermEntry {
  frequency: number;
  readonly holders: number[];
}

/** Terms of which no more are entered in one step. */
const STEP = 500;

/**
 * The indexes of all servers, and which of them have a term. Adding or removing one costs as much as it has terms, and
 * is done in steps: it holds what it should again after the last.
 */
export class TermIndex {
  readonly vocabulary = new Vocabulary();
  readonly #lexicon: Lexicon;
  /** By the terms' numbers. */
  readonly #entries: (MutableTermEntry | undefined)[] = [];
  readonly #slots = new Map<ServerIndex, number>();
  readonly #bySlot: (ServerIndex | undefined)[] = [];
  readonly #freeSlots = new IntList();
  readonly #serverNames = new Map<string, number>();
  #toolCount = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  get toolCount(): number {
    return this.#toolCount;
  }

  /** Every server by its slot; free slots are `undefined`. */
  get servers(): readonly (ServerIndex | undefined)[] {
    return this.#bySlot;
  }

  /** The slot of a server: a small number of its own for as long as it is here; -1 for one that isn't. */
  slotOf(server: ServerIndex): number {
    return this.#slots.get(server) ?? -1;
  }

  entry(term: string): TermEntry | undefined {
    const number = this.#lexicon.numberOf(term);
    return number === undefined ? undefined : this.#entries[number];
  }

  /** How telling a term is: high for one that few tools have (BM25's inverse document frequency). */
  rarity(term: string): number {
    return rarityOf(this.entry(term)?.frequency ?? 0, this.#toolCount);
  }

  /** As `rarity`, of the term of a number. */
  rarityOf(number: number): number {
    return rarityOf(this.#entries[number]?.frequency ?? 0, this.#toolCount);
  }

  /** How telling a term is of a server, by how many servers have it anywhere. */
  rarityAmongServers(term: string): number {
    return rarityOf((this.entry(term)?.holders.length ?? 0) / 2, this.#slots.size);
  }

  /** How telling a term is of a server, by how many servers have it in their name; 0 where none has. */
  rarityAmongServerNames(term: string): number {
    const count = this.#serverNames.get(term);
    return count === undefined ? 0 : rarityOf(count, this.#slots.size);
  }

  *add(server: ServerIndex): Generator<void, void, void> {
    const slot = this.#takeSlot(server);
    this.#toolCount += server.tools.length;
    for (const term of new Set(server.serverTerms)) this.#serverNames.set(term, (this.#serverNames.get(term) ?? 0) + 1);
    const { terms, frequencies } = server.postings;
    for (let row = 0; row < terms.length; row += 1) {
      const number = terms[row] ?? 0;
      const frequency = frequencies[row] ?? 0;
      const entry = this.#entries[number];
      if (entry) {
        entry.frequency += frequency;
        entry.holders.push(slot, row);
      } else {
        // Most terms have one holder: a list that isn't made to grow takes a fifth of the room.
        this.#entries[number] = { number, frequency, holders: [slot, row] };
        this.vocabulary.add(this.#lexicon.termAt(number));
      }
      if (row % STEP === STEP - 1) yield;
    }
  }

  *remove(server: ServerIndex): Generator<void, void, void> {
    const slot = this.slotOf(server);
    if (slot < 0) return;
    this.#slots.delete(server);
    this.#bySlot[slot] = undefined;
    this.#toolCount -= server.tools.length;
    for (const term of new Set(server.serverTerms)) {
      const left = (this.#serverNames.get(term) ?? 0) - 1;
      if (left > 0) this.#serverNames.set(term, left);
      else this.#serverNames.delete(term);
    }
    const { terms, frequencies } = server.postings;
    for (let row = 0; row < terms.length; row += 1) {
      const number = terms[row] ?? 0;
      const entry = this.#entries[number];
      if (entry) this.#drop(entry, slot, frequencies[row] ?? 0);
      if (row % STEP === STEP - 1) yield;
    }
    this.#freeSlots.push(slot);
  }

  #takeSlot(server: ServerIndex): number {
    const free = this.#freeSlots.length - 1;
    const slot = free >= 0 ? this.#freeSlots.at(free) : this.#bySlot.length;
    this.#freeSlots.cut(free);
    this.#bySlot[slot] = server;
    this.#slots.set(server, slot);
    return slot;
  }

  #drop(entry: MutableTermEntry, slot: number, frequency: number): void {
    const { holders, number } = entry;
    entry.frequency -= frequency;
    for (let at = 0; at < holders.length; at += 2) {
      if (holders[at] !== slot) continue;
      holders.splice(at, 2);
      break;
    }
    if (holders.length > 0) return;
    this.#entries[number] = undefined;
    this.vocabulary.remove(this.#lexicon.termAt(number));
  }
}

/** How many of a server's tools have a term, given by its number, as their own. */
export function frequencyIn({ postings }: ServerIndex, term: number): number {
  return postings.frequencies[rowOf(postings, term)] ?? 0;
}

function rarityOf(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}
