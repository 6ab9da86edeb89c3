import { estimateTokenCount } from 'tokenx';
import { offerTool } from '../schema/offeredTool.ts';
import type { CatalogTool } from '../catalogTypes.ts';

/** How many tokens a text has; a model's own counter, or {@link estimateTokens}. */
export type TokenCounter = (text: string) => number | Promise<number>;

/** About how many tokens a text has, without a model at hand: within 5% on average for tool definitions. */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}

/** A tool's definition as it goes to a model; empty for a tool that can't be offered. */
export function definitionText(entry: CatalogTool): string {
  const offered = offerTool(entry);
  if ('leftOut' in offered) return '';
  return JSON.stringify({
    name: offered.name,
    description: offered.description,
    input_schema: offered.inputSchema,
  });
}

/** A tool's line where only summaries are shown. */
export function summaryText(entry: CatalogTool, summary: string): string {
  return `${entry.name}: ${summary}`;
}
