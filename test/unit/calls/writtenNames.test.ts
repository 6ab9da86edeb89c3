import { strict as assert } from 'node:assert';
import { HookMatcher, hookNamesOf } from '../../../src/calls/hooks/hookMatcher.ts';
import { RuleSet } from '../../../src/calls/policy/rules/ruleSet.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { openCatalog } from '../../../src/catalog/catalogToolMaker.ts';
import type { CatalogTool } from '../../../src/catalog/catalogTool.ts';
import { isAlwaysLoaded } from '../../../src/catalog/exposure/loadedTools.ts';
import { meant, serverOf, serverSpellings, toolSpellings } from '../../../src/catalog/names/serverNames.ts';
import { ToolSearch } from '../../../src/catalog/search/toolSearch.ts';
import { readOverrides } from '../../../src/config/rules/toolOverrides.ts';
import { readRules, type RuleAction } from '../../../src/config/rules/permissionRules.ts';
import { entryRules } from '../../../src/config/rules/readToolRules.ts';
import { mcpTool } from '../catalog/tools.ts';

/** As a person names the server in the configuration. */
const CONFIGURED = 'Google Drive';
const OTHER = 'drive';
const TOOLS = ['files.delete', 'list'];

/** Every way to write the tool `files.delete` of the server. */
const TOOL_FORMS: Readonly<Record<string, string>> = {
  'the callable name': 'mcp__google__files_delete',
  mcp__configured__tool: 'mcp__Google Drive__files.delete',
  'configured/tool': 'Google Drive/files.delete',
  'the callable server with the own name': 'mcp__google__files.delete',
  'part/tool': 'google/files.delete',
  'the configured name as one word': 'mcp__Google_Drive__files.delete',
};
/** Every way to write the server. */
const SERVER_FORMS: Readonly<Record<string, string>> = {
  'the configured name': 'Google Drive',
  'the callable name': 'google',
  mcp__configured: 'mcp__Google Drive',
  mcp__callable: 'mcp__google',
};

interface Given {
  readonly catalog: Catalog;
  /** `files.delete` and `list` of the server, and `files.delete` of another. */
  readonly tools: readonly [CatalogTool, CatalogTool, CatalogTool];
}

function given(overrides: object = {}): Given {
  const catalog = openCatalog();
  const rules = { overrides: readOverrides(overrides, false).overrides, customTools: [] };
  const listed = (names: readonly string[]) => names.map((name) => mcpTool(name, `Does ${name}`));
  catalog.setServer('one', CONFIGURED, listed(TOOLS), { rules });
  catalog.setServer('two', OTHER, listed(['files.delete']));
  const [first, second] = catalog.toolsOf('one');
  const [third] = catalog.toolsOf('two');
  assert.ok(first && third);
  return { catalog, tools: [first, second ?? first, third] };
}

const ruled = (written: object, tool: CatalogTool): string | undefined =>
  new RuleSet(readRules([written], { source: 'user', mayAllow: true }).rules).match(tool, {})?.action;
const escaped = (text: string): string => text.replaceAll(/[./]/g, String.raw`\$&`);

/** Whether each place takes a form for the tool that is meant, and for it alone. */
const TOOL_PLACES: Readonly<Record<string, (form: string, all: Given) => readonly boolean[]>> = {
  ...Object.fromEntries(
    (['deny', 'ask', 'allow'] satisfies RuleAction[]).map((action) => [
      `a rule that says ${action}`,
      (form: string, { tools }: Given) => tools.map((tool) => ruled({ tool: form, action }, tool) === action),
    ]),
  ),
  'a rule in an entry': (form, { tools }) =>
    tools.map(
      (tool) =>
        new RuleSet(entryRules({ rules: [{ tool: form, action: 'deny' }] }, CONFIGURED, 'user').rules).match(tool, {})
          ?.action === 'deny',
    ),
  'the matcher of a hook': (form, { tools }) =>
    tools.map((tool) => new HookMatcher(escaped(form)).fits(hookNamesOf(tool))),
  alwaysLoadTools: (form, { tools }) =>
    tools.map((tool) => isAlwaysLoaded(tool, { alwaysLoad: [form] }, toolSpellings)),
  mcp_call_tool: (form, { catalog, tools }) => tools.map((tool) => catalog.meant(form) === tool),
  toolOverrides: (form) => {
    const { catalog } = given({ [form]: { hidden: true } });
    const left = new Set(catalog.tools.map((tool) => `${tool.serverId}/${tool.tool.name}`));
    catalog.dispose();
    return ['one/files.delete', 'one/list', 'two/files.delete'].map((name) => !left.has(name));
  },
};

const SERVER_PLACES: Readonly<Record<string, (form: string, all: Given) => readonly boolean[]>> = {
  ...Object.fromEntries(
    (['deny', 'ask', 'allow'] satisfies RuleAction[]).map((action) => [
      `the server of a rule that says ${action}`,
      (form: string, { tools }: Given) =>
        tools.map((tool) => ruled({ tool: 'files.*', server: form, action }, tool) === action),
    ]),
  ),
  'the server of a search': (form, { catalog, tools }) => {
    const search = new ToolSearch(catalog, {
      loadSynonyms: () => import('../../../src/catalog/search/words/synonymTable.ts'),
    });
    const found = search.search({ query: 'files', server: form }).hits.map(({ tool }) => tool);
    search.dispose();
    return tools.map((tool) => found.includes(tool));
  },
  'a server that a person or a model names': (form, { tools }) => {
    const found = meant(form, [tools[0], tools[2]], (tool) => serverSpellings(serverOf(tool)));
    return [found === tools[0], false, found === tools[2]];
  },
};

describe('a name, as a person, a file or a model writes it', () => {
  let all: Given;
  beforeEach(() => (all = given()));
  afterEach(() => all.catalog.dispose());

  for (const [place, takes] of Object.entries(TOOL_PLACES)) {
    it(`of a tool, means it in ${place}, in every form`, () => {
      for (const [what, form] of Object.entries(TOOL_FORMS)) {
        // What opens has to name the server exactly.
        const isMeant = !(place.endsWith('allow') && what.endsWith('one word'));
        assert.deepEqual(takes(form, all), [isMeant, false, false], what);
      }
    });
  }

  for (const [place, takes] of Object.entries(SERVER_PLACES)) {
    it(`of a server, means it in ${place}, in every form`, () => {
      for (const [what, form] of Object.entries(SERVER_FORMS))
        assert.deepEqual(takes(form, all), [true, false, false], what);
    });
  }

  it('means the server that is configured by it before one that is only called so', () => {
    const catalog = openCatalog();
    catalog.setServer('first', 'GitHub', [mcpTool('search')]);
    catalog.setServer('second', 'github', [mcpTool('search')]);
    const [first, second] = catalog.tools;
    assert.ok(first && second);
    assert.equal(first.name, 'mcp__github__search');
    const server = (name: string) => meant(name, [first, second], (tool) => serverSpellings(serverOf(tool)));
    assert.equal(server('github'), second);
    assert.equal(server('mcp__github'), second);
    assert.equal(server('GitHub'), first);
    assert.equal(server('GITHUB'), undefined, 'it could be either');
    assert.equal(catalog.meant('github/search'), second);
    assert.equal(catalog.meant('GitHub/search'), first);
    assert.equal(catalog.meant('mcp__GitHub__search'), first);
    // The name that lists give is what they say, whatever others are called.
    assert.equal(catalog.meant('mcp__github__search'), first);
    catalog.dispose();
  });

  it('that two servers have means the one that callable names call so, and nothing where it is empty', () => {
    const catalog = openCatalog();
    catalog.setServer('first', 'notes (a)', [mcpTool('add')], { configuredName: 'notes' });
    catalog.setServer('second', 'notes (b)', [mcpTool('add')], { configuredName: 'notes' });
    assert.equal(catalog.meant('notes/add')?.serverId, 'first');
    assert.equal(catalog.meant('notes (a)/add')?.serverId, 'first');
    assert.equal(catalog.meant('notes (b)/add')?.serverId, 'second');
    for (const name of ['', '/', 'mcp__', 'add', 'mcp____add']) assert.equal(catalog.meant(name), undefined, name);
    catalog.dispose();
  });

  it('of what is kept back is no other tool’s', () => {
    const catalog = openCatalog();
    catalog.setServer('one', CONFIGURED, [mcpTool('list')], { blocked: new Set(['list']) });
    for (const name of ['mcp__google__list', 'Google Drive/list', 'mcp__Google Drive__list']) {
      assert.equal(catalog.meant(name), undefined, name);
      assert.equal(catalog.findKeptBack(name)?.serverId, 'one', name);
    }
    catalog.dispose();
  });
});
