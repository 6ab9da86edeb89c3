import type { Postings, ServerIndex } from './serverIndex.ts';
import { Vocabulary } from './vocabulary.ts';

/** One term over all servers. */
export interface TermEntry {
  /** How many tools have it as their own. */
  readonly frequency: number;
  /** Each server that has it, with the term's postings there. */
  readonly holders: ReadonlyMap<ServerIndex, Postings>;
}

interface MutableTermEntry {
  frequency: number;
  readonly holders: Map<ServerIndex, Postings>;
}

/** The indexes of all servers, and which of them have a term. Adding or removing one costs as much as it has terms. */
export class TermIndex {
  readonly vocabulary = new Vocabulary();
  readonly #entries = new Map<string, MutableTermEntry>();
  readonly #servers = new Set<ServerIndex>();
  readonly #serverNames = new Map<string, number>();
  #toolCount = 0;

  get servers(): ReadonlySet<ServerIndex> {
    return this.#servers;
  }

  get toolCount(): number {
    return this.#toolCount;
  }

  entry(term: string): TermEntry | undefined {
    return this.#entries.get(term);
  }

  /** How telling a term is: high for one that few tools have (BM25's inverse document frequency). */
  rarity(term: string): number {
    return rarityOf(this.#entries.get(term)?.frequency ?? 0, this.#toolCount);
  }

  /** How telling a term is of a server, by how many servers have it anywhere. */
  rarityAmongServers(term: string): number {
    return rarityOf(this.#entries.get(term)?.holders.size ?? 0, this.#servers.size);
  }

  /** How telling a term is of a server, by how many servers have it in their name; 0 where none has. */
  rarityAmongServerNames(term: string): number {
    const count = this.#serverNames.get(term);
    return count === undefined ? 0 : rarityOf(count, this.#servers.size);
  }

  add(index: ServerIndex): void {
    this.#servers.add(index);
    this.#toolCount += index.tools.length;
    for (const term of new Set(index.serverTerms)) this.#serverNames.set(term, (this.#serverNames.get(term) ?? 0) + 1);
    for (const [term, postings] of index.postings) {
      let entry = this.#entries.get(term);
      if (entry === undefined) {
        entry = { frequency: 0, holders: new Map() };
        this.#entries.set(term, entry);
        this.vocabulary.add(term);
      }
      entry.frequency += postings.frequency;
      entry.holders.set(index, postings);
    }
  }

  remove(index: ServerIndex): void {
    if (!this.#servers.delete(index)) return;
    this.#toolCount -= index.tools.length;
    for (const term of new Set(index.serverTerms)) {
      const left = (this.#serverNames.get(term) ?? 0) - 1;
      if (left > 0) this.#serverNames.set(term, left);
      else this.#serverNames.delete(term);
    }
    for (const [term, { frequency }] of index.postings) {
      const entry = this.#entries.get(term);
      if (entry === undefined) continue;
      entry.frequency -= frequency;
      entry.holders.delete(index);
      if (entry.holders.size > 0) continue;
      this.#entries.delete(term);
      this.vocabulary.remove(term);
    }
  }
}

function rarityOf(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}
