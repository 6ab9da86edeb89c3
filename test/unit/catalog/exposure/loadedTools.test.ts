import { deepEqual, equal } from 'node:assert/strict';
import type { Catalog } from '../../../../src/catalog/catalog.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { toolSpellings } from '../../../../src/catalog/names/serverNames.ts';
import { isAlwaysLoaded, LoadedTools, type LoadingRules } from '../../../../src/catalog/exposure/loadedTools.ts';
import { entryOf } from '../entries.ts';
import { mcpTool } from '../tools.ts';

describe('loaded tools', () => {
  let catalog: Catalog;
  let loaded: LoadedTools;
  let rules: LoadingRules;
  let told: (readonly string[])[];
  let changes: number;
  const name = (tool: string, server = 's'): string => `mcp__${server}__${tool}`;

  beforeEach(() => {
    rules = { alwaysLoad: [], searchOnly: [], loadFound: true, maxLoaded: 2 };
    told = [];
    changes = 0;
    catalog = openCatalog();
    catalog.setServer(
      's',
      's',
      ['a', 'b', 'c', 'pinned'].map((tool) => mcpTool(tool)),
    );
    loaded = new LoadedTools({ catalog, rules: () => rules, onDidLoad: (names) => told.push(names) });
    loaded.onDidChange(() => (changes += 1));
  });

  afterEach(() => {
    loaded.dispose();
    catalog.dispose();
  });

  it('are always those of a glob by either name, and those that their server or its entry wants to be', () => {
    const globs = { alwaysLoad: ['mcp__s__pin*', 't/*'] };
    const entry = (tool: string, server = 's'): ReturnType<typeof entryOf> => entryOf(mcpTool(tool), server);
    const wished = entryOf({ ...mcpTool('x'), alwaysLoad: true });
    deepEqual(
      [entry('pinned'), entry('x', 't'), entry('x'), wished, { ...entry('x'), alwaysLoad: true }].map((one) =>
        isAlwaysLoaded(one, globs, toolSpellings),
      ),
      [true, true, false, true, true],
    );
  });

  it('are none of those that only search finds, until they are found or picked', () => {
    rules = { ...rules, alwaysLoad: ['s/*'], searchOnly: ['mcp__s__a'] };
    const [a, b] = catalog.tools;
    const states = (): boolean[] =>
      [a, b].flatMap((tool) => (tool ? [loaded.has(tool), loaded.isSearchOnly(tool)] : []));
    deepEqual(states(), [false, true, true, false]);
    loaded.load([name('a')]);
    deepEqual(states(), [true, false, true, false]);
  });

  it('are those used last, as many as the limit, and each is told once', () => {
    loaded.use([name('a'), name('b')]);
    loaded.use([name('a')]);
    equal(changes, 1);
    loaded.use([name('c')]);
    deepEqual(loaded.joined, [name('a'), name('c')]);
    deepEqual(told, [[name('a'), name('b')], [name('c')]]);
    const offered = catalog.tools.filter((tool) => loaded.has(tool)).map((tool) => tool.tool.name);
    deepEqual(offered, ['a', 'c']);
  });

  it('take no place of the limit where they are always there, and are never what isn’t there', () => {
    rules = { ...rules, alwaysLoad: ['s/pinned'] };
    loaded.use([name('pinned'), name('nothing')]);
    deepEqual([loaded.joined, told, changes], [[], [], 0]);
  });

  it('are none that was only found where found tools are not loaded, but those that the user picked', () => {
    rules = { ...rules, loadFound: false };
    loaded.use([name('a')]);
    deepEqual(loaded.joined, []);
    deepEqual(loaded.load([name('b')]), [name('b')]);
    deepEqual(loaded.load([name('b')]), []);
    loaded.load([name('c')]);
    loaded.use([name('b')]);
    deepEqual(loaded.joined, [name('c'), name('b')]);
  });

  it('are no longer those that were found once the setting is off; what was picked stays', () => {
    loaded.use([name('a')]);
    loaded.load([name('b')]);
    rules = { ...rules, loadFound: false };
    deepEqual(loaded.joined, [name('b')]);
    deepEqual(
      catalog.tools.filter((tool) => loaded.has(tool)).map((tool) => tool.name),
      [name('b')],
    );
  });

  it('are forgotten with their server, also where its tools are remembered, and don’t come back with it', () => {
    loaded.use([name('a')]);
    catalog.setServer('s', 's', [mcpTool('a')], { cachedAt: 1 });
    deepEqual(loaded.joined, []);
    loaded.use([name('a')]);
    deepEqual(loaded.joined, []);
    catalog.setServer('s', 's', [mcpTool('a')]);
    deepEqual(loaded.joined, []);
    loaded.use([name('a')]);
    catalog.removeServer('s');
    deepEqual(loaded.joined, []);
    equal(changes, 4);
  });

  it('are forgotten when the names are made another way', () => {
    loaded.use([name('a')]);
    catalog.setFormat('{server}__{tool}');
    deepEqual(loaded.joined, []);
  });
});
