import type { Disposable } from '../../base/disposable.ts';
import { inSlices, nextTurn } from '../../base/timeSlices.ts';
import type { Catalog } from '../catalog.ts';
import { Lexicon } from './words/lexicon.ts';
import { ServerIndexMaker, type ServerIndex } from './index/serverIndex.ts';
import { Synonyms, type SynonymModule } from './words/synonyms.ts';
import { TermIndex } from './index/termIndex.ts';
import type { CatalogTool } from '../catalogTool.ts';
import type { RankingSources } from './termScores.ts';
import { TermMaker } from './words/splitWords.ts';

/**
 * Words of tools that went stay known; of more words than this, and than twice what the tools have, everything is
 * indexed anew.
 */
const MAX_WORDS = 100_000;

/** Keeps the index of a catalog up to date, server by server. */
export class SearchIndexer implements Disposable {
  readonly #catalog: Catalog;
  readonly #maker = new TermMaker();
  #index = emptyIndex(this.#maker);
  #maxWords = MAX_WORDS;
  readonly #loadSynonyms: (() => Promise<SynonymModule>) | undefined;
  readonly #subscription: Disposable;
  #byServer = new Map<string, ServerIndex>();
  #work: Generator<void, void, void> | undefined;
  #isStale = true;
  #synonyms: Synonyms | undefined;
  #loading: Promise<void> | undefined;

  constructor(catalog: Catalog, loadSynonyms: (() => Promise<SynonymModule>) | undefined) {
    this.#catalog = catalog;
    this.#loadSynonyms = loadSynonyms;
    this.#subscription = catalog.onDidChange(() => {
      this.#isStale = true;
    });
  }

  /** The servers' indexes in the order of the catalog, as of the last call of `sources`. */
  get servers(): readonly ServerIndex[] {
    return [...this.#byServer.values()];
  }

  /** How many words it knows, those of tools that went among them. */
  get wordCount(): number {
    return this.#index.lexicon.wordCount;
  }

  /** What ranking needs, up to date: what is left to index is indexed at once. */
  sources(): RankingSources {
    while (this.#step());
    return { index: this.#index.terms, maker: this.#maker, synonyms: this.#synonyms };
  }

  /** Indexes what is left in slices, with other work let in between them, and loads the synonyms. */
  async ready(): Promise<void> {
    this.#loading ??= this.#load();
    await this.#loading;
    await nextTurn();
    await inSlices({ next: () => ({ done: !this.#step(), value: undefined }) });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#byServer.clear();
    this.#isStale = false;
    this.#work = undefined;
  }

  async #load(): Promise<void> {
    if (this.#loadSynonyms === undefined) return;
    const table = await this.#loadSynonyms();
    await nextTurn();
    this.#synonyms = new Synonyms(table);
  }

  /** Does a little of what is left. False when nothing is. */
  #step(): boolean {
    if (this.#work === undefined) {
      if (!this.#isStale) return false;
      this.#isStale = false;
      this.#work = this.#update();
    }
    if (this.#work.next().done === true) this.#work = undefined;
    return true;
  }

  *#update(): Generator<void, void, void> {
    const isFull = this.wordCount > this.#maxWords;
    if (isFull) {
      this.#index = emptyIndex(this.#maker);
      this.#byServer = new Map();
    }
    const next = new Map<string, ServerIndex>();
    for (const id of this.#catalog.serverIds) {
      const tools = this.#catalog.toolsOf(id);
      const known = this.#byServer.get(id);
      next.set(id, known?.tools === tools ? known : yield* this.#replace(known, tools));
    }
    for (const [id, index] of this.#byServer) if (!next.has(id)) yield* this.#index.terms.remove(index);
    this.#byServer = next;
    if (isFull) this.#maxWords = Math.max(MAX_WORDS, 2 * this.wordCount);
  }

  *#replace(known: ServerIndex | undefined, tools: readonly CatalogTool[]): Generator<void, ServerIndex, void> {
    const index = yield* this.#index.servers.make(tools);
    if (known) yield* this.#index.terms.remove(known);
    yield* this.#index.terms.add(index);
    yield;
    return index;
  }
}

interface Index {
  readonly lexicon: Lexicon;
  readonly terms: TermIndex;
  readonly servers: ServerIndexMaker;
}

function emptyIndex(maker: TermMaker): Index {
  const lexicon = new Lexicon();
  return { lexicon, terms: new TermIndex(lexicon), servers: new ServerIndexMaker(lexicon, maker) };
}
