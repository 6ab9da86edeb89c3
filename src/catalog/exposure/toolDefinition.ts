import { estimateTokenCount } from 'tokenx';
import type { CatalogTool } from '../catalogTool.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { normalizeSchema } from '../schema/normalizeSchema.ts';
import type { SchemaProblem } from '../schema/schemaNode.ts';
import { cutAtWord, DESCRIPTION_LIMIT, describe } from './descriptions.ts';

/** A tool as a model is offered it. Calls are validated by the tool's own schema. */
export interface ToolDefinition {
  readonly name: string;
  /** At most 2,048 characters, the schema's notes included. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly problems: readonly SchemaProblem[];
}

/** The tool in the form that every provider accepts, or why there is none: such a tool is left out alone. */
export function toolDefinition(entry: CatalogTool): ToolDefinition | { readonly leftOut: readonly SchemaProblem[] } {
  const { schema, note, problems, isUsable } = normalizeSchema(entry.tool.inputSchema);
  if (!isUsable) return { leftOut: problems };
  const room = note === '' ? DESCRIPTION_LIMIT : Math.max(DESCRIPTION_LIMIT - note.length - 1, DESCRIPTION_LIMIT / 2);
  const text = describe(entry, room);
  const description = note === '' ? text : `${text} ${cutAtWord(note, DESCRIPTION_LIMIT - text.length - 1)}`;
  return { name: entry.name, description, inputSchema: schema, problems };
}

/** How many tokens a text has; a model's own counter, or {@link estimateTokens}. */
export type TokenCounter = (text: string) => number | Promise<number>;

/** About how many tokens a text has, without a model at hand: within 5% on average for tool definitions. */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}

/** A tool's definition as it goes to a model; empty for a tool that can't be offered. */
export function definitionText(entry: CatalogTool): string {
  const offered = toolDefinition(entry);
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
