import type { Action } from '../words/actionVerbs.ts';
import { longestOf, nameKeysOf, type NameKeys } from '../nameMatch.ts';
import type { Lexicon } from '../words/lexicon.ts';
import { PostingsMaker, type Postings } from './postings.ts';
import { ToolFields } from './toolFields.ts';
import type { CatalogTool } from '../../catalogTool.ts';
import type { TermMaker } from '../words/splitWords.ts';

/** What one server's tools are found by. A server that changes gets a new one. */
export interface ServerIndex {
  readonly tools: readonly CatalogTool[];
  readonly postings: Postings;
  readonly nameTerms: readonly (readonly string[])[];
  readonly nameKeys: readonly NameKeys[];
  /** Of the tools' names, in characters. */
  readonly longestName: number;
  readonly actions: readonly (Action | undefined)[];
  /** The terms of the server's own name. */
  readonly serverTerms: readonly string[];
}

/** Makes the indexes of servers, one after the other. */
export class ServerIndexMaker {
  readonly #maker: TermMaker;
  readonly #fields: ToolFields;
  readonly #postings: PostingsMaker;

  constructor(lexicon: Lexicon, maker: TermMaker) {
    this.#maker = maker;
    this.#fields = new ToolFields(lexicon);
    this.#postings = new PostingsMaker(lexicon);
  }

  /** Indexes one server's tools; yields after each, so that the caller can let others run, and has to be run to its end. */
  *make(tools: readonly CatalogTool[]): Generator<void, ServerIndex, void> {
    const nameTerms: (readonly string[])[] = [];
    const nameKeys: NameKeys[] = [];
    const actions: (Action | undefined)[] = [];
    let longestName = 0;
    for (const [place, entry] of tools.entries()) {
      const { terms, action } = this.#fields.read(entry);
      this.#postings.add(place, this.#fields.weights, this.#fields.ownCount);
      const keys = nameKeysOf(entry);
      nameTerms.push(terms);
      nameKeys.push(keys);
      actions.push(action);
      longestName = Math.max(longestName, longestOf(keys));
      yield;
    }
    const postings = yield* this.#postings.finish();
    const serverTerms = this.#maker.termsOf(tools[0]?.serverName ?? '');
    return { tools, postings, nameTerms, nameKeys, longestName, actions, serverTerms };
  }
}
