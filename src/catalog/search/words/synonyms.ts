/** What the generated module has to export: see `scripts/synonyms.mjs` for the form. */
export interface SynonymModule {
  readonly SYNONYM_TERMS: string;
  readonly SYNONYM_LINKS: string;
}

/** A related term and how near it is, from 0 to 1. */
export interface RelatedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Characters of a link: two for the place of the term, one for the weight. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_ !#$%&()*+,./:;<=>?@[]^{|}~';
const WEIGHT_STEPS = 50;

/**
 * Terms that mean nearly the same, from a table that was distilled from WordNet. It stays the two texts that it comes as, with numbers
 * that say where its parts begin: as many strings and entries of a map would take ten times the memory.
 */
export class Synonyms {
  readonly #terms: string;
  readonly #links: string;
  readonly #termStarts: Uint32Array;
  readonly #linkStarts: Uint32Array;
  /** A hash table with open addressing: places in the table plus one, 0 for none. */
  readonly #places: Uint32Array;

  constructor({ SYNONYM_TERMS: terms, SYNONYM_LINKS: links }: SynonymModule) {
    this.#terms = terms;
    this.#links = links;
    this.#termStarts = startsOf(terms, ' ');
    this.#linkStarts = startsOf(links, '\n');
    const count = this.#termStarts.length - 1;
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
    const links = place < 0 ? '' : this.#links.slice(this.#linkStarts[place], (this.#linkStarts[place + 1] ?? 0) - 1);
    const related: RelatedTerm[] = [];
    for (let at = 0; at + 2 < links.length; at += 3) {
      const other = DIGITS.indexOf(links.charAt(at)) * DIGITS.length + DIGITS.indexOf(links.charAt(at + 1));
      const weight = (DIGITS.indexOf(links.charAt(at + 2)) + 1) / WEIGHT_STEPS;
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

/** Where the parts of a text begin that a sign separates, and where one more would. */
function startsOf(text: string, separator: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return Uint32Array.from(starts);
}

/** FNV-1a of a part of a text. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Writes a table in the form that {@link Synonyms} reads. Links lead to the first terms of the table, as many as two digits
 * can number; others are left out.
 */
export function packSynonyms(table: ReadonlyMap<string, readonly RelatedTerm[]>): SynonymModule {
  const terms = [...table.keys()];
  const places = new Map(terms.slice(0, DIGITS.length ** 2).map((term, place) => [term, place]));
  const links = terms.map((term) =>
    (table.get(term) ?? [])
      .map(({ term: other, weight }) => {
        const place = places.get(other);
        if (place === undefined) return '';
        const step = Math.min(WEIGHT_STEPS, Math.max(1, Math.round(weight * WEIGHT_STEPS))) - 1;
        return (
          DIGITS.charAt(Math.floor(place / DIGITS.length)) + DIGITS.charAt(place % DIGITS.length) + DIGITS.charAt(step)
        );
      })
      .join(''),
  );
  return { SYNONYM_TERMS: terms.join(' '), SYNONYM_LINKS: links.join('\n') };
}
