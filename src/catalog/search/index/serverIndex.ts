import type { Action } from '../words/actionVerbs.ts';
import { longestOf, nameKeysOf, serverKeyOf, type NameKeys } from '../nameMatch.ts';
import type { Lexicon } from '../words/lexicon.ts';
import { IntList } from './intList.ts';
import { PostingsMaker, type Postings } from './postings.ts';
import { ToolFields } from './toolFields.ts';
import type { CatalogTool } from '../../catalogTool.ts';
import type { TermMaker } from '../words/splitWords.ts';

/** What one server's tools are found by. A server that changes gets a new one. */
export interface ServerIndex {
  readonly tools: readonly CatalogTool[];
  readonly postings: Postings;
  /** The terms of the tools' names by their numbers, one tool after the other. */
  readonly nameTerms: Int32Array;
  /** Where each tool's terms end in `nameTerms`. */
  readonly nameEnds: Int32Array;
  readonly nameKeys: readonly NameKeys[];
  /** To compare the server's own name with queries. */
  readonly serverKey: string;
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
  readonly #nameTerms = new IntList();

  constructor(lexicon: Lexicon, maker: TermMaker) {
    this.#maker = maker;
    this.#fields = new ToolFields(lexicon);
    this.#postings = new PostingsMaker(lexicon);
  }

  /** Indexes one server's tools; yields after each, so that the caller can let others run, and has to be run to its end. */
  *make(tools: readonly CatalogTool[]): Generator<void, ServerIndex, void> {
    this.#nameTerms.cut(0);
    const nameEnds = new Int32Array(tools.length);
    const serverKey = serverKeyOf(tools[0]?.serverName ?? '');
    const nameKeys: NameKeys[] = [];
    const actions: (Action | undefined)[] = [];
    let longestName = 0;
    for (const [place, entry] of tools.entries()) {
      actions.push(this.#fields.read(entry, this.#nameTerms));
      this.#postings.add(place, this.#fields.weights, this.#fields.ownCount);
      const keys = nameKeysOf(entry);
      nameEnds[place] = this.#nameTerms.length;
      nameKeys.push(keys);
      longestName = Math.max(longestName, longestOf(keys, serverKey));
      yield;
    }
    const postings = yield* this.#postings.finish();
    const serverTerms = this.#maker.termsOf(tools[0]?.serverName ?? '');
    const nameTerms = this.#nameTerms.toArray();
    return { tools, postings, nameTerms, nameEnds, nameKeys, serverKey, longestName, actions, serverTerms };
  }
}
