import { nextTurn } from '../../base/timeSlices.ts';
import { summarise } from './descriptions.ts';
import { definitionText, summaryText, type TokenCounter } from './toolDefinition.ts';
import type { CatalogTool } from '../catalogTool.ts';

/** A number of things and the tokens that they cost. */
export interface Cost {
  readonly count: number;
  readonly tokens: number;
}

/** What the catalog costs of a model's context, and what it would cost in full. */
export interface ContextStats {
  readonly instructions: Cost;
  /** One line for each tool. */
  readonly summaries: Cost;
  /** Definitions that the model has now. */
  readonly loaded: Cost;
  /** All definitions. */
  readonly all: Cost;
  /** What the model doesn't get of all definitions, less the instructions; per cent, from 0 to 100. */
  readonly savedPercent: number;
  readonly servers: readonly ServerStats[];
}

export interface ServerStats {
  readonly serverName: string;
  readonly definitions: Cost;
  readonly summaries: Cost;
  readonly tools: readonly ToolStats[];
}

/** What a tool's definition costs, and its line where only summaries are shown; in tokens. */
export interface ToolCost {
  readonly tokens: number;
  readonly summaryTokens: number;
}

export interface ToolStats extends ToolCost {
  /** Callable name. */
  readonly name: string;
  readonly isLoaded: boolean;
}

export interface ContextStatsInput {
  readonly tools: readonly CatalogTool[];
  /** Callable names whose definitions the model has. */
  readonly loaded: ReadonlySet<string>;
  /** What the model is told about the servers. */
  readonly instructions: string;
}

/** So many tools are counted before others may run. */
const AT_ONCE = 16;

/**
 * Counts what the tools cost, by `count`; other work goes on meanwhile.
 * @param known what `count` has counted before
 */
export async function contextStats(
  input: ContextStatsInput,
  count: TokenCounter,
  known: WeakMap<CatalogTool, ToolCost> = new WeakMap(),
): Promise<ContextStats> {
  const unknown = input.tools.filter((tool) => !known.has(tool));
  for (let start = 0; start < unknown.length; start += AT_ONCE) {
    const tools = unknown.slice(start, start + AT_ONCE);
    await Promise.all(tools.map(async (tool) => known.set(tool, await measureTool(tool, count))));
    await nextTurn();
  }
  const servers: ServerStats[] = [];
  for (const [serverName, tools] of Map.groupBy(input.tools, (tool) => tool.serverName)) {
    const rows = tools.map((tool): ToolStats => {
      const { tokens = 0, summaryTokens = 0 } = known.get(tool) ?? {};
      return { name: tool.name, tokens, summaryTokens, isLoaded: input.loaded.has(tool.name) };
    });
    servers.push({
      serverName,
      definitions: { count: rows.length, tokens: sum(rows.map(({ tokens }) => tokens)) },
      summaries: { count: rows.length, tokens: sum(rows.map(({ summaryTokens }) => summaryTokens)) },
      tools: rows,
    });
  }
  const loaded = servers.flatMap(({ tools }) => tools.filter(({ isLoaded }) => isLoaded));
  const all = total(servers.map(({ definitions }) => definitions));
  const instructions = { count: servers.length, tokens: await count(input.instructions) };
  const loadedTokens = sum(loaded.map(({ tokens }) => tokens));
  const spent = loadedTokens + instructions.tokens;
  return {
    instructions,
    summaries: total(servers.map(({ summaries }) => summaries)),
    loaded: { count: loaded.length, tokens: loadedTokens },
    all,
    savedPercent: all.tokens === 0 ? 0 : Math.max(0, Math.min(100, 100 * (1 - spent / all.tokens))),
    servers,
  };
}

async function measureTool(tool: CatalogTool, count: TokenCounter): Promise<ToolCost> {
  return {
    tokens: await count(definitionText(tool)),
    summaryTokens: await count(summaryText(tool, summarise(tool))),
  };
}

function total(costs: readonly Cost[]): Cost {
  return { count: sum(costs.map(({ count }) => count)), tokens: sum(costs.map(({ tokens }) => tokens)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
