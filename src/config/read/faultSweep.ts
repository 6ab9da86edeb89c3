import type { SyntaxFault } from '../syntax/readJsonc.ts';
import type { Span } from '../syntax/sourceText.ts';

/** Hands out the faults of a text to the entries that they stand in, in one pass over both. */
export class FaultSweep {
  readonly #faults: readonly SyntaxFault[];
  readonly #outside: SyntaxFault[] = [];
  #next = 0;

  /** @param faults in the order of the text */
  constructor(faults: readonly SyntaxFault[]) {
    this.#faults = faults;
  }

  /** The faults within `span`; ask in the order of the text. */
  takeWithin(span: Span): SyntaxFault[] {
    const within: SyntaxFault[] = [];
    for (; this.#next < this.#faults.length; this.#next += 1) {
      const fault = this.#faults[this.#next];
      if (!fault || fault.scope === 'file' || fault.span.offset >= span.offset + span.length) break;
      if (fault.span.offset < span.offset) this.#outside.push(fault);
      else within.push(fault);
    }
    return within;
  }

  /** The faults that no entry has taken. */
  outside(): readonly SyntaxFault[] {
    return [...this.#outside, ...this.#faults.slice(this.#next)];
  }
}
