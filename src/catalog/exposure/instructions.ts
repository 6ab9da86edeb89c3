import { readable } from '../../base/text/modelText.ts';
import type { Exposure } from './toolExposure.ts';
import { cutAtWord, summarise } from './descriptions.ts';
import { summaryText } from './toolDefinition.ts';
import type { CatalogTool } from '../catalogTool.ts';
import { absentLines, type UnavailableServer } from '../unavailableLines.ts';

/** A server as the instructions name it. */
export interface InstructedServer {
  readonly serverName: string;
  /** What it says of itself, if it does. */
  readonly instructions?: string;
  readonly tools: readonly CatalogTool[];
}

/** What one server's line may have of the server's own words, in characters; less where there are many servers. */
const MAX_HINT = 80;
const MIN_HINT = 24;
const HINTS_IN_ALL = 800;

/** How many tools are named by a line under `summaries`, in the instructions and where a search is empty. */
export const MAX_SUMMARIES = 1_000;

/**
 * What the model is told of the servers, whatever the exposure: one line for each connected server; with `summaries`
 * also one line for each tool, as far as {@link MAX_SUMMARIES} goes, and how many are left. What isn't there is named, too.
 */
export function instructionsFor(
  servers: readonly InstructedServer[],
  exposure: Exposure,
  absent: readonly UnavailableServer[] = [],
): string {
  const missing = absentLines(absent);
  if (servers.length === 0) return ['No MCP server is connected.', ...missing].join('\n');
  const hintLength = Math.max(MIN_HINT, Math.min(MAX_HINT, Math.floor(HINTS_IN_ALL / servers.length)));
  const lines = servers.map((server) => serverLine(server, hintLength));
  const head =
    exposure === 'native'
      ? 'Connected MCP servers:'
      : 'Connected MCP servers. Find their tools with mcp_tool_search and call them with mcp_call_tool:';
  if (exposure !== 'summaries') return [head, ...lines, ...missing].join('\n');
  const tools = servers.flatMap((server) => server.tools);
  const summaries = tools.slice(0, MAX_SUMMARIES).map((tool) => `  ${summaryText(tool, summarise(tool))}`);
  const left = tools.length - summaries.length;
  const rest = left > 0 ? [`and ${left} more`] : [];
  return [head, ...lines, 'Their tools:', ...summaries, ...rest, ...missing].join('\n');
}

function serverLine({ serverName, instructions, tools }: InstructedServer, hintLength: number): string {
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  const own = (instructions ?? '').replaceAll(/\s+/g, ' ').trim();
  const first = tools.slice(0, hintLength).map(({ tool }) => readable(tool.name));
  const hint = own || first.join(', ');
  return hint === '' ? `- ${serverName} (${count})` : `- ${serverName} (${count}): ${cutAtWord(hint, hintLength)}`;
}
