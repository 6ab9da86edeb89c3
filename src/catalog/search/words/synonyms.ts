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

/** Terms that mean nearly the same, from a table that was distilled from WordNet. */
export class Synonyms {
  readonly #terms: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #links: readonly string[];

  constructor(source: SynonymModule) {
    this.#terms = source.SYNONYM_TERMS.split(' ');
    this.#places = new Map(this.#terms.map((term, place) => [term, place]));
    this.#links = source.SYNONYM_LINKS.split('\n');
  }

  /** Nearest first; empty for a term that isn't in the table. */
  of(term: string): readonly RelatedTerm[] {
    const place = this.#places.get(term);
    const links = place === undefined ? '' : (this.#links[place] ?? '');
    const related: RelatedTerm[] = [];
    for (let at = 0; at + 2 < links.length; at += 3) {
      const other = DIGITS.indexOf(links.charAt(at)) * DIGITS.length + DIGITS.indexOf(links.charAt(at + 1));
      const weight = (DIGITS.indexOf(links.charAt(at + 2)) + 1) / WEIGHT_STEPS;
      related.push({ term: this.#terms[other] ?? '', weight });
    }
    return related;
  }
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
