import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { array, assert, constantFrom, oneof, property, record, string } from 'fast-check';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import type { ToolNameFormat } from '../../../../src/catalog/names/toolNamePrefix.ts';
import { mcpTool } from '../tools.ts';

interface NamedServer {
  readonly id: string;
  readonly name: string;
  readonly tools: readonly string[];
}

/** The callable names that a catalog gives, by server id and the server's own name of the tool. */
function namesIn(servers: readonly NamedServer[], format?: ToolNameFormat): Map<string, Map<string, string>> {
  const catalog = openCatalog(format);
  for (const { id, name, tools } of servers)
    catalog.setServer(
      id,
      name,
      tools.map((tool) => mcpTool(tool)),
    );
  const names = servers.map(
    ({ id }) => [id, new Map(catalog.toolsOf(id).map((entry) => [entry.tool.name, entry.name]))] as const,
  );
  catalog.dispose();
  return new Map(names);
}

const server = (name: string, ...tools: string[]): NamedServer => ({ id: `project:${name}`, name, tools });

function nameOf(servers: readonly NamedServer[], name: string, tool: string): string {
  return namesIn(servers).get(`project:${name}`)?.get(tool) ?? '';
}

function allNames(servers: readonly NamedServer[]): string[] {
  return [...namesIn(servers).values()].flatMap((names) => [...names.values()]);
}

/** What the editor makes of a name: its prefix in lower case, dots as underscores. */
const asEditorMaps = (name: string): string => name.toLowerCase().replaceAll('.', '_');

describe('callable names', () => {
  it('are mcp__server__tool where both names fit', () => {
    equal(nameOf([server('github', 'create_issue')], 'github', 'create_issue'), 'mcp__github__create_issue');
    equal(nameOf([server('a', 'readFile')], 'a', 'readFile'), 'mcp__a__readFile');
  });

  it('leave out the prefix with the short format', () => {
    const names = namesIn([server('github', 'search')], '{server}__{tool}');
    equal(names.get('project:github')?.get('search'), 'github__search');
  });

  const READABLE_TOOLS: readonly (readonly [tool: string, name: string])[] = [
    ['a.b', 'a_b'],
    ['a/b', 'a_b'],
    ['with space', 'with_space'],
    ['ñandú', 'nandu'],
    [`read_${'very_long_'.repeat(10)}name`, 'read_very_long_very_long_very_long_very_long_very'],
    ['x'.repeat(128), 'x'.repeat(52)],
  ];
  for (const [tool, name] of READABLE_TOOLS) {
    it(`make the tool name ${JSON.stringify(tool.slice(0, 20))} readable, within 64 characters`, () => {
      equal(nameOf([server('files', tool)], 'files', tool), `mcp__files__${name}`);
    });
  }

  for (const tool of ['数据', 'дата', 'read\u200b', '', '.']) {
    it(`give the tool name ${JSON.stringify(tool)}, whose letters would be lost, a hash`, () => {
      match(nameOf([server('files', tool)], 'files', tool), /^mcp__files__[A-Za-z_]*_[a-z0-9]{6}$/);
    });
  }

  it('of a server’s tools don’t depend on the order of its list', () => {
    for (const tools of [
      ['a.b', 'a/b', 'c'],
      ['a.b', 'a_b', 'A_B'],
      ['read', 'Read', 'READ'],
    ]) {
      const there = namesIn([server('s', ...tools)]).get('project:s');
      const back = namesIn([server('s', ...tools.toReversed())]).get('project:s');
      for (const tool of tools) equal(there?.get(tool), back?.get(tool), tool);
    }
  });

  it('stay apart where two long names are cut at the same place', () => {
    const long = 'get_the_very_long_name_of_a_thing_that_goes_on_and_on_';
    const names = allNames([server('s', `${long}first`, `${long}second`)]);
    equal(new Set(names).size, 2);
  });

  it('stay apart after the editor has mapped them', () => {
    const names = allNames([server('s', 'a.b', 'a_b', 'Read', 'read', 'READ')]);
    equal(new Set(names.map(asEditorMaps)).size, 5);
    ok(names.includes('mcp__s__a_b'));
    ok(names.includes('mcp__s__read'));
  });

  it('stay apart whatever separators the names hold', () => {
    const names = allNames([
      server('a', 'b__c', '_b', 'mcp__x'),
      server('a__b', 'c'),
      server('a_', 'b'),
      server('mcp', 'a__b'),
    ]);
    equal(new Set(names).size, names.length);
  });

  it('stay apart where two servers have one name', () => {
    const twins = [
      { id: 'one', name: 'github', tools: ['x'] },
      { id: 'two', name: 'github', tools: ['x'] },
    ];
    const names = namesIn(twins);
    equal(names.get('one')?.get('x'), 'mcp__github__x');
    notEqual(names.get('two')?.get('x'), 'mcp__github__x');
  });

  it('never change when another server comes, goes, or is renamed afterwards', () => {
    const mine = server('GitHub Enterprise', 'a', 'b.c');
    const alone = namesIn([mine]).get(mine.id);
    const others = ['github', 'GitHub Enterprise 2', 'github-ente', 'Github-Enterprise', 'github_enterprise'];
    for (const other of others) {
      notEqual(nameOf([server(other, 'a'), mine], mine.name, 'a'), nameOf([server(other, 'a'), mine], other, 'a'));
      deepEqual(namesIn([mine, server(other, 'a')]).get(mine.id), alone);
    }
  });

  it('are unique and valid for any servers and tools', () => {
    const part = oneof(
      string(),
      string({ unit: 'binary' }),
      constantFrom('a', 'A', 'a_', '_a', 'a.b', 'a_b', 'mcp', '__', 'x'.repeat(70)),
    );
    const anyServers = array(record({ name: part, tools: array(part, { maxLength: 6 }) }), { maxLength: 6 });
    assert(
      property(anyServers, (servers) => {
        const named = servers.map(({ name, tools }, index) => ({ id: `${index}`, name, tools }));
        for (const format of ['mcp__{server}__{tool}', '{server}__{tool}'] as const) {
          const names = [...namesIn(named, format).values()].flatMap((some) => [...some.values()]);
          for (const name of names) match(name, /^[A-Za-z0-9_-]{1,64}$/);
          equal(new Set(names.map(asEditorMaps)).size, names.length);
        }
      }),
    );
  });
});
