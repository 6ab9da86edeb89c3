import { readLink, type RelatedTerm, type SynonymLinks, type SynonymModule, unpackLinks } from './synonymLinks.ts';

export type { RelatedTerm, SynonymModule } from './synonymLinks.ts';

/**
 * Terms that mean nearly the same, from a table that was distilled from WordNet. Terms stay the text that they come as, and links
 * are numbers: as many strings and entries of a map would take ten times the memory.
 */
export class Synonyms {
  readonly #terms: string;
  readonly #termStarts: Uint32Array;
  readonly #related: SynonymLinks;
  /** A hash table with open addressing: places in the table plus one, 0 for none. */
  readonly #places: Uint32Array;

  constructor(packed: SynonymModule) {
    const terms = packed.SYNONYM_TERMS;
    this.#terms = terms;
    this.#termStarts = startsOf(terms);
    const count = this.#termStarts.length - 1;
    this.#related = unpackLinks(packed, count);
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    for (let place = 0; place < count; place += 1) {
      let slot = this.#slotOf(hashOf(terms, this.#termStarts[place] ?? 0, this.#endOf(place)));
      while (this.#places[slot] !== 0) slot = this.#slotOf(slot + 1);
      this.#places[slot] = place + 1;
    }
  }

  /** Nearest first; empty for a term that isn't in the table. */
  of(term: string): readonly RelatedTerm[] {
    const place = this.#placeOf(term);
    const { links, starts } = this.#related;
    const related: RelatedTerm[] = [];
    for (let at = (starts[place + 1] ?? 0) - 1; at >= (starts[place] ?? Infinity); at -= 1) {
      const { place: other, weight } = readLink(links[at] ?? 0);
      related.push({ term: this.#terms.slice(this.#termStarts[other], this.#endOf(other)), weight });
    }
    return related;
  }

  /** -1 for none. */
  #placeOf(term: string): number {
    for (let slot = this.#slotOf(hashOf(term, 0, term.length)); ; slot = this.#slotOf(slot + 1)) {
      const place = (this.#places[slot] ?? 0) - 1;
      const from = this.#termStarts[place] ?? 0;
      if (place < 0 || (this.#endOf(place) - from === term.length && this.#terms.startsWith(term, from))) return place;
    }
  }

  #endOf(place: number): number {
    return (this.#termStarts[place + 1] ?? 0) - 1;
  }

  #slotOf(hash: number): number {
    return hash & (this.#places.length - 1);
  }
}

/** Where the terms of a text begin, and where one more would. */
function startsOf(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return Uint32Array.from(starts);
}

/** FNV-1a of a part of a text. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
