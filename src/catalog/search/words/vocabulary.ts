import { editDistance } from '../../../base/text/editDistance.ts';
import type { RelatedTerm } from './synonyms.ts';

/** Terms of at least this length are looked for inside others. */
const MIN_PART = 4;
/** Terms of at least this length may have one wrong letter; twice as long ones two. */
const MIN_TYPO = 5;
const MAX_LOOKALIKES = 8;
/** An unknown word matches a known one that shares at least this part of its character trigrams. */
const MIN_SHARED_TRIGRAMS = 0.5;

/** All terms of the catalog, to find those that look like a given one. */
export class Vocabulary {
  readonly #byStart = new Map<string, string[]>();
  readonly #byEnd = new Map<string, string[]>();
  readonly #byTwo = new Map<string, string[]>();

  add(term: string): void {
    if (term.length < MIN_PART) return;
    put(this.#byStart, term.slice(0, MIN_PART), term);
    put(this.#byEnd, term.slice(-MIN_PART), term);
    put(this.#byTwo, term.slice(0, 2), term);
  }

  remove(term: string): void {
    take(this.#byStart, term.slice(0, MIN_PART), term);
    take(this.#byEnd, term.slice(-MIN_PART), term);
    take(this.#byTwo, term.slice(0, 2), term);
  }

  /** Terms that start or end with the given one or that it starts or ends with; weight is the share they have in common. */
  containing(term: string): readonly RelatedTerm[] {
    if (term.length < MIN_PART) return [];
    const found: RelatedTerm[] = [];
    for (const other of this.#byStart.get(term.slice(0, MIN_PART)) ?? []) {
      if (other !== term && (other.startsWith(term) || term.startsWith(other))) found.push(shareOf(term, other));
    }
    for (const other of this.#byEnd.get(term.slice(-MIN_PART)) ?? []) {
      if (other !== term && (other.endsWith(term) || term.endsWith(other))) found.push(shareOf(term, other));
    }
    return nearest(found);
  }

  /**
   * Terms that an unknown one may stand for: a few letters wrong, or another form of the word, told by common
   * trigrams of characters, which works in any language that has inflection at the end.
   */
  resembling(term: string): readonly RelatedTerm[] {
    if (term.length < MIN_TYPO) return [];
    const allowed = term.length >= 2 * MIN_TYPO ? 2 : 1;
    const trigrams = trigramsOf(term);
    const found: RelatedTerm[] = [];
    for (const other of this.#byTwo.get(term.slice(0, 2)) ?? []) {
      const edits = editDistance(term, other, allowed);
      if (edits <= allowed) found.push({ term: other, weight: 1 - edits / term.length });
      else {
        const shared = sharedPart(trigrams, trigramsOf(other));
        if (shared >= MIN_SHARED_TRIGRAMS) found.push({ term: other, weight: shared });
      }
    }
    return nearest(found);
  }
}

function put(map: Map<string, string[]>, key: string, term: string): void {
  const terms = map.get(key);
  if (terms === undefined) map.set(key, [term]);
  else terms.push(term);
}

function take(map: Map<string, string[]>, key: string, term: string): void {
  const terms = map.get(key);
  const at = terms?.indexOf(term) ?? -1;
  if (at >= 0) terms?.splice(at, 1);
  if (terms?.length === 0) map.delete(key);
}

function shareOf(term: string, other: string): RelatedTerm {
  return { term: other, weight: Math.min(term.length, other.length) / Math.max(term.length, other.length) };
}

function nearest(found: RelatedTerm[]): readonly RelatedTerm[] {
  found.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  return found.slice(0, MAX_LOOKALIKES);
}

function trigramsOf(term: string): ReadonlySet<string> {
  const padded = `^${term}`;
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  return trigrams;
}

/** Dice's coefficient. */
function sharedPart(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const trigram of a) if (b.has(trigram)) common += 1;
  return (2 * common) / (a.size + b.size);
}
