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
  readonly tools: readonly { readonly name: string; readonly tokens: number; readonly isLoaded: boolean }[];
}

export interface ContextStatsInput {
  readonly tools: readonly CatalogTool[];
  /** Callable names whose definitions the model has. */
  readonly loaded: ReadonlySet<string>;
  /** What the model is told about the servers. */
  readonly instructions: string;
}

/** Counts what the tools cost, by `count`. */
export async function contextStats(input: ContextStatsInput, count: TokenCounter): Promise<ContextStats> {
  const servers: ServerStats[] = [];
  for (const [serverName, tools] of Map.groupBy(input.tools, (tool) => tool.serverName)) {
    const rows = await Promise.all(tools.map((tool) => measureTool(tool, input.loaded, count)));
    servers.push({
      serverName,
      definitions: { count: rows.length, tokens: sum(rows.map(({ tokens }) => tokens)) },
      summaries: { count: rows.length, tokens: sum(rows.map(({ summaryTokens }) => summaryTokens)) },
      tools: rows.map(({ name, tokens, isLoaded }) => ({ name, tokens, isLoaded })),
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

interface ToolRow {
  readonly name: string;
  readonly tokens: number;
  readonly summaryTokens: number;
  readonly isLoaded: boolean;
}

async function measureTool(tool: CatalogTool, loaded: ReadonlySet<string>, count: TokenCounter): Promise<ToolRow> {
  return {
    name: tool.name,
    tokens: await count(definitionText(tool)),
    summaryTokens: await count(summaryText(tool, summarise(tool))),
    isLoaded: loaded.has(tool.name),
  };
}

function total(costs: readonly Cost[]): Cost {
  return { count: sum(costs.map(({ count }) => count)), tokens: sum(costs.map(({ tokens }) => tokens)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
