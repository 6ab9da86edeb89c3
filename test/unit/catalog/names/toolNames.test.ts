import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { array, assert, constantFrom, oneof, property, record, string } from 'fast-check';
import { Catalog } from '../../../../src/catalog/catalog.ts';
import type { ToolNameFormat } from '../../../../src/catalog/names/toolNames.ts';
import { mcpTool } from '../tools.ts';

interface NamedServer {
  readonly id: string;
  readonly name: string;
  readonly tools: readonly string[];
}

/** The callable names that a catalog gives, by server id and the server's own name of the tool. */
function namesIn(servers: readonly NamedServer[], format?: ToolNameFormat): Map<string, Map<string, string>> {
  const catalog = new Catalog(format);
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

  const CHANGED_SERVERS = ['GitHub', 'my server', 'a__b', '_a', 'a_', 'a.b', 'longer-than-eleven', '数据库', '', '__'];
  for (const name of CHANGED_SERVERS) {
    it(`give the server name ${JSON.stringify(name)} a hash and keep it within 11 characters`, () => {
      const callable = nameOf([server(name, 'run')], name, 'run');
      match(callable, /^mcp__[a-z0-9](?:[a-z0-9-]|_(?!_))*-[a-z0-9]{4}__run$/);
      ok((callable.split('__')[1] ?? '').length <= 11, callable);
    });
  }

  const CHANGED_TOOLS = ['a.b', 'a/b', 'with space', 'ü', '', 'x'.repeat(128)];
  for (const tool of CHANGED_TOOLS) {
    it(`give the tool name ${JSON.stringify(tool.slice(0, 12))} a hash and keep the whole within 64 characters`, () => {
      const callable = nameOf([server('longer-than-eleven', tool)], 'longer-than-eleven', tool);
      match(callable, /^[A-Za-z0-9_-]{1,64}$/);
      match(callable, /_[a-z0-9]{6}$/);
    });
  }

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

  it('never change when another server comes, goes, or is renamed', () => {
    const mine = server('GitHub Enterprise', 'a', 'b.c');
    const alone = namesIn([mine]).get(mine.id);
    const others = ['github', 'GitHub Enterprise 2', 'github-ente', 'Github-Enterprise', 'github_enterprise'];
    for (const other of others) {
      deepEqual(namesIn([server(other, 'a', 'b.c'), mine]).get(mine.id), alone);
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
