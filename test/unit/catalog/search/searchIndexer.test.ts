import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { IntList } from '../../../../src/catalog/search/index/intList.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { Lexicon } from '../../../../src/catalog/search/words/lexicon.ts';
import { ToolSearch } from '../../../../src/catalog/search/toolSearch.ts';
import { SearchIndexer } from '../../../../src/catalog/search/searchIndexer.ts';
import { ServerIndexMaker } from '../../../../src/catalog/search/index/serverIndex.ts';
import { TermIndex } from '../../../../src/catalog/search/index/termIndex.ts';
import { TermMaker } from '../../../../src/catalog/search/words/splitWords.ts';
import { mcpTool } from '../tools.ts';

/** How often a generator lets others run, and what it gives. */
function drain<T>(work: Generator<void, T, void>): { readonly pauses: number; readonly result: T } {
  for (let pauses = 0; ; pauses += 1) {
    const next = work.next();
    if (next.done === true) return { pauses, result: next.value };
  }
}

describe('the index of the search', () => {
  it('has the terms of a text that a request for it has, in any language', () => {
    const lexicon = new Lexicon();
    const maker = new TermMaker();
    const text = oneof(
      string({ unit: 'binary' }),
      array(
        constantFrom('HTTPServer', 'getIssues2', 'the', 'Größe', '搜索文件', '😀', '…', '_', ' ', 'É', 'x', 'X'),
      ).map((parts) => parts.join('')),
    );
    assert(
      property(text, (some) => {
        const found = new IntList();
        lexicon.addTermsOf(some, found);
        const terms = Array.from(found.toArray(), (number) => lexicon.termAt(number));
        deepEqual(terms, maker.termsOf(some));
        for (const term of terms) equal(lexicon.termAt(lexicon.numberOf(term) ?? -1), term);
      }),
      { numRuns: 500 },
    );
  });

  it('numbers each of very many words once', () => {
    const lexicon = new Lexicon();
    const words = Array.from({ length: 30_000 }, (_unused, place) => `${place.toString(36).replaceAll(/\d/g, 'q')}zz`);
    const numbersOf = (): Int32Array => {
      const found = new IntList();
      for (const word of words) lexicon.addTermsOf(word, found);
      return found.toArray();
    };
    deepEqual(numbersOf(), numbersOf());
    const count = new Set(words).size;
    equal(lexicon.wordCount, count);
    lexicon.addTermsOf('HTTPServer http SERVER HTTPS', new IntList());
    equal(lexicon.wordCount, count + 3);
  });

  it('answers after any changes as one that was made of what is there now', () => {
    const words = ['issue', 'create', 'pull', 'mail', 'send', 'weather', 'file', 'read', 'note', 'größe'];
    const name = array(constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('_'));
    const tool = tuple(name, array(constantFrom(...words), { maxLength: 6 }));
    const change = record({
      server: integer({ min: 0, max: 4 }),
      tools: option(array(tool, { maxLength: 5 })),
      isAsked: boolean(),
    });
    assert(
      property(array(change, { maxLength: 12 }), (changes) => {
        const catalog = openCatalog();
        const search = new ToolSearch(catalog);
        for (const { server, tools, isAsked } of changes) {
          const id = `${words[server] ?? ''}-server`;
          if (tools === null) catalog.removeServer(id);
          else catalog.setServer(id, id, tools.map(([own, text]) => mcpTool(own, text.join(' '), { size: text[0] ?? '' }))); // prettier-ignore
          if (isAsked) search.search({ query: 'mail' });
        }
        const fresh = new ToolSearch(catalog);
        for (const query of ['create issue', 'send a mial', 'notes of the weather', 'files', 'größen'])
          deepEqual(search.search({ query }), fresh.search({ query }), query);
        for (const one of [search, fresh, catalog]) one.dispose();
      }),
    );
  });

  it('lets others run while it enters and removes one large server', () => {
    const lexicon = new Lexicon();
    const tools = Array.from({ length: 500 }, (_unused, place) =>
      mcpTool(`tool_${place}`, Array.from({ length: 20 }, (_none, at) => letters(place * 20 + at)).join(' ')),
    );
    const catalog = openCatalog();
    catalog.setServer('1', 'large', tools);
    const made = drain(new ServerIndexMaker(lexicon, new TermMaker()).make(catalog.toolsOf('1')));
    const postings = made.result.postings.places.length;
    ok(made.pauses >= tools.length + Math.floor(postings / 5_000), `${made.pauses} pauses for ${postings} postings`);
    const index = new TermIndex(lexicon);
    const least = Math.floor(lexicon.termCount / 1_000);
    ok(least > 5);
    ok(drain(index.add(made.result)).pauses >= least);
    equal(index.toolCount, 500);
    equal(index.vocabulary.resembling('toool').length, 1);
    ok(drain(index.remove(made.result)).pauses >= least);
    equal(index.toolCount, 0);
    equal(index.entry('tool'), undefined);
    equal(index.vocabulary.resembling('toool').length, 0);
    catalog.dispose();
  });

  it('does not remember the words of all tools that ever were', () => {
    const catalog = openCatalog();
    const indexer = new SearchIndexer(catalog, undefined);
    catalog.setServer('1', 'constant', [mcpTool('stays_here')]);
    for (let round = 0; round < 30; round += 1) {
      const text = Array.from({ length: 1_000 }, (_unused, at) => `${letters(round)}q${letters(at)}`).join(' ');
      catalog.setServer('2', 'changing', Array.from({ length: 5 }, (_unused, place) => mcpTool(`tool${round}${letters(place)}`, text.replaceAll('q', `q${letters(place)}q`)))); // prettier-ignore
      equal(indexer.sources().index.toolCount, 6);
      ok(indexer.wordCount < 106_000, `${indexer.wordCount} words after round ${round}`);
    }
    equal(indexer.sources().index.entry('stai')?.frequency, 1);
    indexer.dispose();
    catalog.dispose();
  });
});

/** The number in letters alone. */
function letters(number: number): string {
  return number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
}
