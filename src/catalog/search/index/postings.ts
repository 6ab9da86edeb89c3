import { IntList } from './intList.ts';
import type { Lexicon } from '../words/lexicon.ts';
import type { TermWeights } from './toolFields.ts';

/** Which terms are where in one server's tools: one row for each term, in the order of the terms' numbers. */
export interface Postings {
  readonly terms: Int32Array;
  /** Of each term: how many tools have it as their own, parameter descriptions aside. */
  readonly frequencies: Int32Array;
  /** Of each term: where its row starts in `places` and `weights`; the next one's start is its end. */
  readonly starts: Int32Array;
  /** The tools that have the term, by their places in the server's list. */
  readonly places: Int32Array;
  /** What the term weighs there. */
  readonly weights: Float64Array;
}

/** Postings of which no more is done in one step. */
const STEP = 4_000;

/** Gathers the postings of one server, tool by tool. */
export class PostingsMaker {
  readonly #lexicon: Lexicon;
  readonly #terms = new IntList(1024);
  readonly #places = new IntList(1024);
  #weights = new Float64Array(1024);
  readonly #distinct = new IntList();
  /** By the terms' numbers; all 0 between servers. */
  #counts = new Int32Array(1024);
  #frequencies = new Int32Array(1024);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Adds the tool at a place; the first `ownCount` of the terms are its own. */
  add(place: number, weights: TermWeights, ownCount: number): void {
    this.#widen(weights.terms.length);
    for (let at = 0; at < weights.terms.length; at += 1) {
      const term = weights.terms.at(at);
      const count = this.#counts[term] ?? 0;
      if (count === 0) this.#distinct.push(term);
      this.#counts[term] = count + 1;
      if (at < ownCount) this.#frequencies[term] = (this.#frequencies[term] ?? 0) + 1;
      this.#weights[this.#terms.length] = weights.of(term);
      this.#terms.push(term);
      this.#places.push(place);
    }
  }

  /** What was added, by term; ready for the next server afterwards. Yields now and then. */
  *finish(): Generator<void, Postings, void> {
    const terms = this.#distinct.toArray().sort();
    const frequencies = new Int32Array(terms.length);
    const starts = new Int32Array(terms.length + 1);
    let start = 0;
    for (let row = 0; row < terms.length; row += 1) {
      const term = terms[row] ?? 0;
      frequencies[row] = this.#frequencies[term] ?? 0;
      starts[row] = start;
      start += this.#counts[term] ?? 0;
      // From here on where the term's next posting goes.
      this.#counts[term] = starts[row] ?? 0;
      if (row % STEP === STEP - 1) yield;
    }
    starts[terms.length] = start;
    const places = new Int32Array(start);
    const weights = new Float64Array(start);
    for (let at = 0; at < start; at += 1) {
      const term = this.#terms.at(at);
      const to = this.#counts[term] ?? 0;
      places[to] = this.#places.at(at);
      weights[to] = this.#weights[at] ?? 0;
      this.#counts[term] = to + 1;
      if (at % STEP === STEP - 1) yield;
    }
    for (let row = 0; row < terms.length; row += 1) {
      const term = terms[row] ?? 0;
      this.#counts[term] = 0;
      this.#frequencies[term] = 0;
    }
    for (const list of [this.#terms, this.#places, this.#distinct]) list.cut(0);
    return { terms, frequencies, starts, places, weights };
  }

  /** Makes room for so many further postings. */
  #widen(further: number): void {
    const { termCount } = this.#lexicon;
    if (termCount > this.#counts.length) {
      this.#counts = widened(this.#counts, new Int32Array(termCount * 2));
      this.#frequencies = widened(this.#frequencies, new Int32Array(termCount * 2));
    }
    const room = this.#terms.length + further;
    if (room > this.#weights.length) this.#weights = widened(this.#weights, new Float64Array(room * 2));
  }
}

function widened<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The row of a term, or -1. */
export function rowOf({ terms }: Postings, term: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const other = terms[middle] ?? 0;
    if (other === term) return middle;
    if (other < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
