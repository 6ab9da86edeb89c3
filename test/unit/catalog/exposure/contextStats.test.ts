import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord } from '../../../../src/base/json/json.ts';
import { openCatalog } from '../../../../src/catalog/catalogToolMaker.ts';
import { contextStats } from '../../../../src/catalog/exposure/contextStats.ts';
import { decideExposure } from '../../../../src/catalog/exposure/toolExposure.ts';
import {
  instructionsFor,
  MAX_SUMMARIES,
  type InstructedServer,
} from '../../../../src/catalog/exposure/instructions.ts';
import { estimateTokens } from '../../../../src/catalog/exposure/toolDefinition.ts';
import type { McpTool } from '../../../../src/connection/connectionTypes.ts';
import { entryOf } from '../entries.ts';
import { mcpTool } from '../tools.ts';

const sharedTools = resolve(import.meta.dirname, '../../../../../shared/tools');

describe('exposure', () => {
  const table = [
    [{ setting: 'auto', toolCount: 10, definitionTokens: 5_000 }, 'native', 64],
    [{ setting: 'auto', toolCount: 10, definitionTokens: 12_800 }, 'search', 0],
    [{ setting: 'auto', toolCount: 10, definitionTokens: 12_800, contextTokens: 200_000 }, 'native', 64],
    [{ setting: 'auto', toolCount: 65, definitionTokens: 1_000 }, 'search', 0],
    [{ setting: 'auto', toolCount: 0, definitionTokens: 0 }, 'native', 64],
    [{ setting: 'native', toolCount: 100, definitionTokens: 1 }, 'native', 64],
    [{ setting: 'summaries', toolCount: 1, definitionTokens: 1 }, 'summaries', 0],
    [{ setting: 'search', toolCount: 1, definitionTokens: 1 }, 'search', 0],
  ] as const;
  for (const [input, exposure, nativeLimit] of table) {
    it(`of ${JSON.stringify(input)} is ${exposure}, with a reason`, () => {
      const decision = decideExposure(input);
      deepEqual([decision.exposure, decision.nativeLimit], [exposure, nativeLimit]);
      ok(decision.reason.endsWith('.'));
    });
  }
});

describe('instructions', () => {
  const server = (serverName: string, instructions?: string): InstructedServer => ({
    serverName,
    ...(instructions === undefined ? {} : { instructions }),
    tools: [entryOf(mcpTool('read_it', 'Reads it'), serverName)],
  });

  it('name every server in one line', () => {
    const text = instructionsFor([server('a', 'Say\nmuch.'), server('b')], 'search');
    equal(text.split('\n').length, 3);
    ok(text.includes('- a (1 tool): Say much.') && text.includes('- b (1 tool): read_it'));
  });

  it('have a line for each tool with summaries', () => {
    ok(instructionsFor([server('a')], 'summaries').includes('  mcp__a__read_it: Reads it'));
  });

  it('end at a thousand summaries, and say how many tools are left', () => {
    const tools = Array.from({ length: MAX_SUMMARIES + 5 }, (_unused, place) => entryOf(mcpTool(`t${place}`), 'many'));
    const lines = instructionsFor([{ serverName: 'many', tools }], 'summaries').split('\n');
    equal(lines.filter((line) => line.startsWith('  mcp__many__')).length, MAX_SUMMARIES);
    equal(lines.at(-1), 'and 5 more');
    const last = instructionsFor([{ serverName: 'many', tools: tools.slice(5) }], 'summaries');
    ok(last.endsWith(`mcp__many__t${MAX_SUMMARIES + 4}: MCP tool t${MAX_SUMMARIES + 4} from many`), last.slice(-80));
  });

  it('say so where there is no server', () => equal(instructionsFor([], 'native'), 'No MCP server is connected.'));
});

describe('context statistics', () => {
  it('count tools and tokens, per server and in all', async () => {
    const tools = [entryOf(mcpTool('x', 'one')), entryOf(mcpTool('y', 'two')), entryOf(mcpTool('z', 'three'), 't')];
    const stats = await contextStats(
      { tools, loaded: new Set(['mcp__s__x']), instructions: 'abc' },
      (text) => text.length,
    );
    deepEqual(stats.instructions, { count: 2, tokens: 3 });
    equal(stats.all.count, 3);
    equal(stats.loaded.count, 1);
    equal(
      stats.all.tokens,
      stats.servers.reduce((sum, { definitions }) => sum + definitions.tokens, 0),
    );
    equal(stats.loaded.tokens, stats.servers[0]?.tools[0]?.tokens);
    ok(stats.savedPercent > 50 && stats.savedPercent < 70, `${stats.savedPercent}`);
  });

  it('of nothing are nothing', async () => {
    const stats = await contextStats({ tools: [], loaded: new Set(), instructions: '' }, estimateTokens);
    equal(stats.savedPercent, 0);
  });

  // Only where real lists of tools are at hand.
  if (existsSync(sharedTools))
    it('of real servers: search costs at most 3% and 1,500 tokens', costOfRealServers).timeout(60_000);
});

async function costOfRealServers(): Promise<void> {
  const catalog = openCatalog();
  const servers: InstructedServer[] = [];
  for (const file of readdirSync(sharedTools)) {
    const content: unknown = JSON.parse(readFileSync(resolve(sharedTools, file), 'utf8'));
    const listed = (isRecord(content) ? content['tools'] : content) as McpTool[];
    const name = file.replace('.json', '');
    catalog.setServer(name, name, listed.map((tool) => ({ ...tool, annotations: tool.annotations ?? {} }))); // prettier-ignore
    servers.push({ serverName: name, tools: catalog.toolsOf(name) });
  }
  const instructions = instructionsFor(servers, 'search');
  const { tools } = catalog;
  const stats = await contextStats({ tools, loaded: new Set(), instructions }, estimateTokens);
  ok(stats.instructions.tokens <= 1_100, `${stats.instructions.tokens} of ${stats.all.tokens} tokens`);
  ok(stats.savedPercent >= 98, `${stats.savedPercent}%`);
  catalog.dispose();
}
