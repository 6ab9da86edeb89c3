import type { Action } from './actions.ts';
import { longestOf, nameKeysOf, type NameKeys } from './nameMatch.ts';
import { termsOfTool } from './toolFields.ts';
import type { CatalogTool } from './types.ts';
import type { TermMaker } from './words.ts';

/** Where a term is in one server's tools. */
export interface Postings {
  /** How many tools have it as their own, parameter descriptions aside. */
  readonly frequency: number;
  /** Places in the server's `tools` and the term's weight there, alternating. */
  readonly places: readonly number[];
}

/** What one server's tools are found by. A server that changes gets a new one. */
export interface ServerIndex {
  readonly tools: readonly CatalogTool[];
  readonly postings: ReadonlyMap<string, Postings>;
  readonly nameTerms: readonly (readonly string[])[];
  readonly nameKeys: readonly NameKeys[];
  /** Of the tools' names, in characters. */
  readonly longestName: number;
  readonly actions: readonly (Action | undefined)[];
  /** The terms of the server's own name. */
  readonly serverTerms: readonly string[];
}

/** Indexes one server's tools; yields after each, so that the caller can let others run. */
export function* indexServer(tools: readonly CatalogTool[], maker: TermMaker): Generator<void, ServerIndex, void> {
  const postings = new Map<string, { frequency: number; readonly places: number[] }>();
  const nameTerms: (readonly string[])[] = [];
  const nameKeys: NameKeys[] = [];
  const actions: (Action | undefined)[] = [];
  for (const [place, entry] of tools.entries()) {
    const terms = termsOfTool(entry, maker);
    // Its own terms come first.
    let own = terms.ownCount;
    for (const [term, weight] of terms.weights) {
      const frequency = own > 0 ? 1 : 0;
      own -= 1;
      const known = postings.get(term);
      if (known === undefined) {
        postings.set(term, { frequency, places: [place, weight] });
      } else {
        known.frequency += frequency;
        known.places.push(place, weight);
      }
    }
    nameTerms.push(terms.nameTerms);
    nameKeys.push(nameKeysOf(entry));
    actions.push(terms.action);
    yield;
  }
  return {
    tools,
    postings,
    nameTerms,
    nameKeys,
    longestName: Math.max(0, ...nameKeys.map(longestOf)),
    actions,
    serverTerms: maker.termsOf(tools[0]?.serverName ?? ''),
  };
}
