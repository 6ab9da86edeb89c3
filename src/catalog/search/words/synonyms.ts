/** What the generated module has to export: see `scripts/synonyms.mjs` for the form. */
export interface SynonymModule {
  readonly SYNONYM_TERMS: string;
  /** How many links each term has, a digit each. */
  readonly SYNONYM_COUNTS: string;
  /** Of all links, one term's after the other's: the places of their terms, and how near these are. */
  readonly SYNONYM_TARGETS: string;
  readonly SYNONYM_WEIGHTS: string;
}

/** A related term and how near it is, from 0 to 1. */
export interface RelatedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Two for the place of a term, one for a weight or a number of links. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_ !#$%&()*+,./:;<=>?@[]^{|}~';
const WEIGHT_STEPS = 50;

/**
 * Terms that mean nearly the same, from a table that was distilled from WordNet. It stays the texts that it comes as, with numbers
 * that say where its parts begin: as many strings and entries of a map would take ten times the memory.
 */
export class Synonyms {
  readonly #terms: string;
  readonly #targets: string;
  readonly #weights: string;
  readonly #termStarts: Uint32Array;
  readonly #linkStarts: Uint32Array;
  /** A hash table with open addressing: places in the table plus one, 0 for none. */
  readonly #places: Uint32Array;

  constructor({ SYNONYM_TERMS: terms, ...links }: SynonymModule) {
    this.#terms = terms;
    this.#targets = links.SYNONYM_TARGETS;
    this.#weights = links.SYNONYM_WEIGHTS;
    this.#termStarts = startsOf(terms);
    this.#linkStarts = startsOfCounts(links.SYNONYM_COUNTS);
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
    const related: RelatedTerm[] = [];
    for (let at = this.#linkStarts[place] ?? 0; at < (this.#linkStarts[place + 1] ?? 0); at += 1) {
      const other = digitAt(this.#targets, 2 * at) * DIGITS.length + digitAt(this.#targets, 2 * at + 1);
      const weight = (digitAt(this.#weights, at) + 1) / WEIGHT_STEPS;
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

function digitAt(text: string, at: number): number {
  return DIGITS.indexOf(text.charAt(at));
}

/** Where the terms of a text begin, and where one more would. */
function startsOf(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return Uint32Array.from(starts);
}

/** Where the links of each term begin, and where those of one more would. */
function startsOfCounts(counts: string): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = (starts[at] ?? 0) + digitAt(counts, at);
  return starts;
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
    (table.get(term) ?? []).flatMap(({ term: other, weight }) => {
      const place = places.get(other);
      const step = Math.min(WEIGHT_STEPS, Math.max(1, Math.round(weight * WEIGHT_STEPS))) - 1;
      return place === undefined ? [] : { place, step };
    }),
  );
  const all = links.flat();
  const digits = (numbers: readonly number[]): string => numbers.map((number) => DIGITS.charAt(number)).join('');
  return {
    SYNONYM_TERMS: terms.join(' '),
    // A column each is packed a fifth tighter than rows.
    SYNONYM_COUNTS: digits(links.map(({ length }) => length)),
    SYNONYM_TARGETS: digits(all.flatMap(({ place }) => [Math.floor(place / DIGITS.length), place % DIGITS.length])),
    SYNONYM_WEIGHTS: digits(all.map(({ step }) => step)),
  };
}
