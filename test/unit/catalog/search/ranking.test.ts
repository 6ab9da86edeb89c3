import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Catalog } from '../../../../src/catalog/catalog.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { ToolSearch } from '../../../../src/catalog/search/toolSearch.ts';
import { packSynonyms } from '../../../../src/catalog/search/words/synonymLinks.ts';
import type { McpTool } from '../../../../src/connection/connectionTypes.ts';
import { mcpTool } from '../tools.ts';

interface Line {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: McpTool['inputSchema'];
}

const root = resolve(import.meta.dirname, '../../../..');
const fixtures = resolve(root, 'test/fixtures/catalog');
const retrieval = resolve(root, '../shared/retrieval');

function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as T); // prettier-ignore
}

function fill(catalog: Catalog, file: string): void {
  for (const [server, lines] of Map.groupBy(readLines<Line>(file), (line) => line.server)) {
    const tools = lines.map(({ name, description, inputSchema }) => ({
      ...mcpTool(name, description),
      inputSchema,
    }));
    catalog.setServer(server, server, tools);
  }
}

describe('ranking', () => {
  let catalog: Catalog;
  let search: ToolSearch;
  beforeEach(() => {
    catalog = openCatalog();
    search = new ToolSearch(catalog, {
      loadSynonyms: () => import('../../../../src/catalog/search/words/synonymTable.ts'),
    });
  });
  afterEach(() => {
    search.dispose();
    catalog.dispose();
  });
  const first = (query: string): string | undefined => search.search({ query }).hits[0]?.tool.tool.name;

  describe('over a small set', () => {
    beforeEach(async () => {
      fill(catalog, resolve(fixtures, 'tools.jsonl'));
      await search.ready();
    });

    const table: readonly (readonly [string, string, string])[] = [
      ['another form of a word', 'scaling deployments', 'deployments_scale'],
      ['a related word', 'leave a remark under a ticket', 'add_comment'],
      ['a typing error', 'recieve the atachment of a mesage', 'get-attachment'],
      ['what the request does', 'delete the file', 'deleteFile'],
      ['an address as such', 'load https://example.org/weather/mail/ticket', 'fetch'],
      ['words run together', 'list the data base tables', 'list_tables'],
      ['inflected words of another language', 'Archive durchsuchen', 'dokument_suchen'],
      ['a language without spaces', '预订船票', '预订船票'],
    ];
    for (const [by, query, name] of table) {
      it(`finds by ${by}`, () => equal(first(query), name));
    }

    it('gives the same answer each time, whatever the order of the servers', () => {
      const ask = (one: ToolSearch): string[] =>
        one.search({ query: 'show the text of a file' }).hits.map(({ tool }) => tool.name);
      const other = openCatalog();
      const otherSearch = new ToolSearch(other);
      for (const id of catalog.serverIds.toReversed()) {
        other.setServer(id, id, catalog.toolsOf(id).map(({ tool }) => tool));
      } // prettier-ignore
      const plain = new ToolSearch(catalog);
      deepEqual(ask(plain), ask(otherSearch));
      deepEqual(ask(plain), ask(plain));
      for (const one of [plain, otherSearch, other]) one.dispose();
    });
  });

  it('counts a rare word that stands for a common one no more than the common one', async () => {
    const shots = Array.from({ length: 20 }, (_unused, place) => mcpTool(`tool_${place}`, 'Loads a photo.'));
    const others = Array.from({ length: 200 }, (_unused, place) => mcpTool(`other_${place}`, 'Something else.'));
    catalog.setServer('1', 'one', [mcpTool('rare', 'Loads a portrait.'), ...shots, ...others]);
    const packed = packSynonyms(
      new Map([
        ['photo', [{ term: 'portrait', weight: 1 }]],
        ['portrait', []],
      ]),
    );
    const one = new ToolSearch(catalog, { loadSynonyms: () => Promise.resolve(packed) });
    await one.ready();
    const names = one.search({ query: 'photo', limit: 30 }).hits.map(({ tool }) => tool.tool.name);
    equal(names.length, 21);
    equal(names.at(-1), 'rare');
    one.dispose();
  });

  it('makes its index in slices', async () => {
    const tools = Array.from({ length: 300 }, (_unused, place) => mcpTool(`tool_${place}`, 'word '.repeat(300)));
    for (let server = 0; server < 10; server += 1) catalog.setServer(`${server}`, `s${server}`, tools);
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await search.ready();
    done = true;
    ok(turns > 3, `${turns} turns`);
  });

  it('knows a change that came while it made its index', async () => {
    catalog.setServer('1', 'one', [mcpTool('old_thing')]);
    const ready = search.ready();
    catalog.setServer('1', 'one', [mcpTool('new_thing')]);
    await ready;
    equal(first('thing'), 'new_thing');
    notEqual(first('old thing'), 'old_thing');
  });

  it('forgets what a server that went had', () => {
    catalog.setServer('1', 'one', [mcpTool('unique_word')]);
    catalog.setServer('2', 'two', [mcpTool('something_else', 'unlike')]);
    equal(first('uniqe word'), 'unique_word');
    catalog.removeServer('1');
    equal(first('uniqe word'), undefined);
  });

  /** What `search` gives; its limit is in real time, which other processes take from it on a busy machine. */
  function unhurried<T>(search: () => T): T {
    for (let tries = 1; ; tries++) {
      try {
        return search();
      } catch (error) {
        if (tries === 5 || !/takes too long/.test(String(error))) throw error;
      }
    }
  }

  describe('by regular expression over real tools', function () {
    if (!existsSync(retrieval)) return;
    const patterns = readLines<{
      id: string;
      pattern: string;
      nameMatches: { server: string; name: string }[];
      descriptionOnlyMatches: number;
    }>(resolve(retrieval, 'regex_queries.dev.jsonl'));
    const key = (server: string, name: string): string => `${server}/${name}`;
    let shared: Catalog;
    before(() => {
      shared = openCatalog();
      fill(shared, resolve(retrieval, 'devtools/tools.jsonl'));
    });
    after(() => shared.dispose());

    for (const { id, pattern, nameMatches, descriptionOnlyMatches } of patterns) {
      it(`${id} ${pattern}`, () => {
        const one = new ToolSearch(shared);
        const { hits, total } = unhurried(() => one.search({ query: pattern, regex: true, limit: 10_000 }));
        const names = hits.slice(0, nameMatches.length).map(({ tool }) => key(tool.serverName, tool.tool.name));
        deepEqual(names.toSorted(), nameMatches.map(({ server, name }) => key(server, name)).toSorted());
        equal(total, nameMatches.length + descriptionOnlyMatches);
        one.dispose();
      });
    }
  });
});
