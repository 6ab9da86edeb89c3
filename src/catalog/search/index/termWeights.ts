import { IntList } from '../../../base/intList.ts';
import type { Lexicon } from '../words/lexicon.ts';

/** What the terms of one tool weigh: filled for a tool, read, and cleared for the next. */
export class TermWeights {
  /** The numbers of the terms, in the order in which they came. */
  readonly terms = new IntList();
  readonly #lexicon: Lexicon;
  #weights = new Float64Array(1024);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  of(term: number): number {
    return this.#weights[term] ?? 0;
  }

  /** Adds a weight above 0 to each of the terms, as often as it is there. */
  add(terms: IntList, weight: number): void {
    if (this.#lexicon.termCount > this.#weights.length) this.#widen();
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms.at(at);
      const before = this.#weights[term] ?? 0;
      if (before === 0) this.terms.push(term);
      this.#weights[term] = before + weight;
    }
  }

  clear(): void {
    for (let at = 0; at < this.terms.length; at += 1) this.#weights[this.terms.at(at)] = 0;
    this.terms.cut(0);
  }

  #widen(): void {
    const wider = new Float64Array(this.#lexicon.termCount * 2);
    wider.set(this.#weights);
    this.#weights = wider;
  }
}
