import { deepEqual, equal, notEqual } from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { CatalogTool } from '../../../src/catalog/catalogTool.ts';
import type { Catalog } from '../../../src/catalog/catalog.ts';
import { openCatalog } from '../../../src/catalog/catalogToolMaker.ts';
import type { McpTool } from '../../../src/connection/connectionTypes.ts';
import { mcpTool } from './tools.ts';

describe('catalog', () => {
  let catalog: Catalog;
  beforeEach(() => {
    catalog = openCatalog();
  });
  afterEach(() => catalog.dispose());

  it('routes by its map, whatever a name holds', () => {
    catalog.setServer('1', 'a', [mcpTool('b__c'), mcpTool('mcp__x')]);
    catalog.setServer('2', 'a__b', [mcpTool('c')]);
    for (const tool of catalog.tools) equal(catalog.find(tool.name), tool);
    equal(catalog.find('mcp__a__b__c')?.serverId, '1');
    equal(catalog.find('mcp__a__c'), undefined);
  });

  it('keeps same-named tools of two servers apart', () => {
    catalog.setServer('1', 'one', [mcpTool('search')]);
    catalog.setServer('2', 'two', [mcpTool('search')]);
    deepEqual(
      catalog.tools.map(({ name, serverName }) => [name, serverName]),
      [
        ['mcp__one__search', 'one'],
        ['mcp__two__search', 'two'],
      ],
    );
  });

  it('takes the first of two tools with one name', () => {
    catalog.setServer('1', 'one', [mcpTool('x', 'first'), mcpTool('x', 'second')]);
    deepEqual(
      catalog.tools.map(({ tool }) => tool.description),
      ['first'],
    );
  });

  it('keeps what a server has for its app alone apart from what models may have', () => {
    const withApp = (name: string, visibility?: unknown): McpTool => ({
      ...mcpTool(name),
      meta: { ui: { resourceUri: 'ui://x', ...(visibility === undefined ? {} : { visibility }) } as JsonObject },
    });
    const tools = [mcpTool('plain'), withApp('both'), withApp('model', ['model', 'app']), withApp('app', ['app'])];
    catalog.setServer('1', 'one', [...tools, withApp('odd', 'app'), withApp('none', [])]);
    const names = (list: readonly CatalogTool[]): readonly string[] => list.map(({ tool }) => tool.name);
    deepEqual(names(catalog.tools), ['plain', 'both', 'model', 'odd']);
    deepEqual(names(catalog.appToolsOf('1')), ['app', 'none']);
    equal(catalog.find('mcp__one__app')?.serverId, '1');
    catalog.removeServer('1');
    equal(catalog.find('mcp__one__app'), undefined);
  });

  it('tells of changes, and only of changes', () => {
    let fired = 0;
    const subscription = catalog.onDidChange(() => (fired += 1));
    const tools = [mcpTool('x')];
    catalog.setServer('1', 'one', tools);
    catalog.setServer('1', 'one', tools);
    catalog.removeServer('2');
    equal(fired, 1);
    catalog.removeServer('1');
    equal(fired, 2);
    deepEqual(catalog.tools, []);
    subscription.dispose();
  });

  it("keeps the array of a server's tools while another server changes", () => {
    catalog.setServer('1', 'one', [mcpTool('x')]);
    const before = catalog.toolsOf('1');
    catalog.setServer('2', 'two', [mcpTool('y')]);
    equal(catalog.toolsOf('1'), before);
    catalog.setServer('1', 'one', [mcpTool('x')]);
    notEqual(catalog.toolsOf('1'), before);
  });

  it('finds names that look like a mistaken one', () => {
    catalog.setServer('1', 'github', [mcpTool('create_issue'), mcpTool('list_issues'), mcpTool('merge')]);
    equal(catalog.closestNames('mcp__github__create_isue', 3)[0], 'mcp__github__create_issue');
    equal(catalog.closestNames('createIssue', 3)[0], 'mcp__github__create_issue');
    equal(catalog.closestNames('mcp_github_list_issues', 3)[0], 'mcp__github__list_issues');
    deepEqual(catalog.closestNames('zzzz', 3), []);
    deepEqual(catalog.closestNames('', 3), []);
  });
});
