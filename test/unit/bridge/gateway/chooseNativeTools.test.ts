import { strict as assert } from 'node:assert';
import { AUTO_LIMIT, chooseNativeTools } from '../../../../src/bridge/gateway/chooseNativeTools.ts';
import { labelsFor } from '../../../../src/bridge/gateway/editor/endpointLabels.ts';
import { showsApps, takesNamesFromServers } from '../../../../src/bridge/gateway/editor/editorVersions.ts';
import { ToolDefinitions } from '../../../../src/bridge/gateway/listedTools.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { editorNameOf, editorServerName, TOOL_NAME_FORMATS } from '../../../../src/catalog/names/toolNamePrefix.ts';
import type { ExposureSetting, Loaded } from '../../../../src/catalog/exposure/toolExposure.ts';
import type { CatalogTool } from '../../../../src/catalog/catalogTool.ts';
import { mcpTool } from '../../catalog/tools.ts';

const tools = (count: number): readonly CatalogTool[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `mcp__s__t${index}`,
    serverId: 's',
    serverName: 's',
    serverPart: 's',
    tool: { name: `t${index}`, inputSchema: { type: 'object' }, annotations: {} },
  }));

const loaded = (
  has: (name: string) => boolean,
  joined: readonly string[] = [],
  searchOnly: readonly string[] = [],
): Loaded => ({
  joined,
  has: ({ name }) => joined.includes(name) || has(name),
  isSearchOnly: ({ name }) => searchOnly.includes(name),
});

const exposed = (setting: ExposureSetting, count: number, tokens = 10, pinned: readonly string[] = []): number =>
  chooseNativeTools({
    setting,
    tools: tools(count),
    tokensOf: () => tokens,
    loaded: loaded((name) => pinned.includes(name)),
  }).names.size;

describe('gateway: which tools are native', () => {
  it('those that only search finds are none of them, nor count for the others', () => {
    const searchOnly = ['mcp__s__t0', 'mcp__s__t1'];
    const choose = (setting: ExposureSetting, count: number): ReadonlySet<string> =>
      chooseNativeTools({
        setting,
        tools: tools(count),
        tokensOf: () => 10,
        loaded: loaded(() => false, [], searchOnly),
      }).names;
    assert.equal(choose('native', 100).size, 64);
    assert.ok(searchOnly.every((name) => !choose('native', 100).has(name)));
    assert.equal(choose('auto', AUTO_LIMIT + 2).size, AUTO_LIMIT);
  });

  for (const [setting, count, tokens, pinned, expected] of [
    ['auto', AUTO_LIMIT, 10, [], AUTO_LIMIT],
    ['auto', AUTO_LIMIT + 1, 10, [], 0],
    ['auto', 10, 2_000, [], 0],
    ['auto', 100, 10, ['mcp__s__t99'], 1],
    ['native', 100, 10, [], 64],
    ['native', 100, 10, ['mcp__s__t99'], 64],
    ['search', 3, 10, [], 0],
    ['summaries', 3, 10, ['mcp__s__t1'], 1],
  ] as const) {
    it(`${setting}, ${count} tools of ${tokens} tokens, ${pinned.length} pinned: ${expected}`, () => {
      assert.equal(exposed(setting, count, tokens, pinned), expected);
    });
  }
});

describe('gateway: of more than 64 tools that are always loaded', () => {
  for (const setting of ['search', 'native'] as const)
    it(`64 are offered, those that joined among them (${setting})`, () => {
      const joined = ['mcp__s__t98', 'mcp__s__t99'];
      const { names } = chooseNativeTools({
        setting,
        tools: tools(100),
        tokensOf: () => 10,
        loaded: loaded(() => true, joined),
      });
      assert.equal(names.size, 64);
      assert.ok(joined.every((name) => names.has(name)));
    });
});

describe('gateway: the smallest model’s context', () => {
  const decide = (contextTokens?: number): string =>
    chooseNativeTools({
      setting: 'auto',
      tools: tools(10),
      contextTokens,
      tokensOf: () => 100,
      loaded: loaded(() => false),
    }).decision.reason;
  it('is what auto measures against, 128,000 where none is known', () => {
    assert.match(
      decide(8_000),
      /^The definitions of 10 tools use about 1000 tokens, at least a tenth of the model's 8000/,
    );
    assert.match(decide(), /less than a tenth of the model's 128000/);
  });
});

describe('gateway: labels', () => {
  const servers = ['a', 'A', 'b', 'a (Switchboard)'].map((serverName) => ({ serverName, infoName: `_${serverName}_` }));
  const labels = (namesFromServers: boolean): readonly string[] => [...labelsFor(servers, namesFromServers).values()];

  it('are the configured names, told apart from each other, whatever the case', () => {
    assert.deepEqual(labels(true), ['a', 'A (Switchboard 2)', 'b', 'a (Switchboard)']);
  });

  it('are what an older editor makes the tools’ names of', () => {
    assert.deepEqual(labels(false), ['_a_', '_A_ (Switchboard 2)', '_b_', '_a (Switchboard)_']);
    assert.deepEqual(['1.106.3', '1.123.9', '1.124.0', '1.139.1', '2.0.0'].map(takesNamesFromServers), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('servers are told of apps where the editor draws them, and the user hasn’t turned them off', () => {
    assert.deepEqual(
      ['1.106.3', '1.108.9', '1.109.0', '1.139.1'].map((version) => showsApps(version, undefined)),
      [false, false, true, true],
    );
    assert.deepEqual(
      [true, false].map((setting) => showsApps('1.139.1', setting)),
      [true, false],
    );
  });
});

describe('gateway: names', () => {
  it('come out of the editor as they are called, for any server and tool', () => {
    const servers = ['notes', 'GitHub Enterprise', 'a_b', 'x'.repeat(40), 'mcp', '_odd_'].map((name, id) => ({
      id: String(id),
      name,
      tools: ['list', '_under', 'two__parts', 'Dotted.name', 'y'.repeat(80)],
    }));
    for (const format of TOOL_NAME_FORMATS) {
      const catalog = openCatalog(format);
      for (const { id, name, tools } of servers)
        catalog.setServer(
          id,
          name,
          tools.map((tool) => mcpTool(tool)),
        );
      const lister = new ToolDefinitions(catalog);
      for (const tool of catalog.tools) {
        // What the editor does: 13 characters of the server's name, and 64 in all.
        const server = editorServerName(catalog.partOf(tool.serverId), format).toLowerCase().slice(0, 13);
        const made = `mcp_${server}_${lister.listed(tool)?.name}`.slice(0, 64);
        assert.equal(made, editorNameOf(tool.name, format));
        assert.equal(made, format === '{server}__{tool}' ? `mcp_${tool.name}` : tool.name);
      }
      catalog.dispose();
    }
  });
});
