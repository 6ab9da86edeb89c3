import { effectOf } from '../catalog/effect.ts';
import { instructionsFor, type InstructedServer } from '../catalog/instructions.ts';
import { describe, summarise } from '../catalog/summaries.ts';
import { summaryText } from '../catalog/tokens.ts';
import type { Offer } from '../catalog/offerTypes.ts';
import type { SearchHit } from '../catalog/search.ts';
import type { CatalogTool, UnavailableServer } from '../catalog/types.ts';

/** How many tools one page of `mcp_tool_list` has. */
export const LIST_PAGE_SIZE = 50;

/** What shapes the answers. */
export interface AnswerSettings {
  /** How many of the tools found come with their schema. */
  readonly maxToolsPerSearch: number;
  /** The longest line about a tool, in characters. */
  readonly summaryDescriptionLimit: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a search answers the model: the best with their schemas, the rest by a line, and who could not take part. */
export function searchText(
  hits: readonly SearchHit[],
  total: number,
  unavailable: readonly UnavailableServer[],
  settings: AnswerSettings,
  offers: readonly Offer[] = [],
): string {
  const tools = hits.map(({ tool }, index) => ({
    ...lineOf(tool, settings.summaryDescriptionLimit),
    ...(tool.cachedAt === undefined ? {} : { remembered: ageText(settings.now - tool.cachedAt) }),
    ...(index < settings.maxToolsPerSearch ? { ...hintsOf(tool), ...descriptionOf(tool, settings) } : {}),
  }));
  return JSON.stringify({
    tools,
    ...(total > hits.length
      ? { more: `${total - hits.length} further tools match; narrow the query or raise the limit` }
      : {}),
    ...(offers.length > 0 ? { beside: offers.map(offerLine), read: READ_OFFERS } : {}),
    ...unavailableNote(unavailable),
    next:
      hits.length > 0
        ? 'Call one with mcp_call_tool: its name and arguments that fit its inputSchema.'
        : nothingFound(total),
  });
}

const READ_OFFERS = 'Read a resource with mcp_read_resource, get a prompt with mcp_get_prompt.';

function offerLine(offer: Offer): object {
  const { serverName: server, summary } = offer;
  if (offer.kind === 'resource') return { resource: offer.resource.uri, server, summary };
  if (offer.kind === 'template') return { template: offer.template.uriTemplate, server, summary };
  return { prompt: offer.prompt.name, server, summary };
}

/** What an empty search answers: a line for each server, and one for each tool. */
export function overviewText(
  servers: readonly InstructedServer[],
  hits: readonly SearchHit[],
  total: number,
  unavailable: readonly UnavailableServer[],
  { summaryDescriptionLimit }: Pick<AnswerSettings, 'summaryDescriptionLimit'>,
): string {
  const rest = total - hits.length;
  return [
    instructionsFor(servers, 'search'),
    'Their tools:',
    ...hits.map(({ tool }) => `- ${summaryText(tool, summarise(tool, summaryDescriptionLimit))}`),
    ...(rest > 0 ? [`and ${rest} more: search for words, or name a server`] : []),
    ...unavailable.map(({ serverName, state }) => `Not ready: ${serverName} (${state})`),
  ].join('\n');
}

/** One page of all tools, by name. `cursor` is what the page before gave as `nextCursor`. */
export function listText(
  tools: readonly CatalogTool[],
  cursor: string | undefined,
  unavailable: readonly UnavailableServer[],
  { summaryDescriptionLimit }: Pick<AnswerSettings, 'summaryDescriptionLimit'>,
): string {
  const start = Math.max(0, Number.parseInt(cursor ?? '0', 10) || 0);
  const page = tools.slice(start, start + LIST_PAGE_SIZE);
  const end = start + page.length;
  return JSON.stringify({
    tools: page.map((entry) => lineOf(entry, summaryDescriptionLimit)),
    total: tools.length,
    ...(end < tools.length ? { nextCursor: String(end) } : {}),
    ...unavailableNote(unavailable),
  });
}

function lineOf(entry: CatalogTool, limit: number): Readonly<Record<'name' | 'server' | 'effect' | 'summary', string>> {
  return {
    name: entry.name,
    server: entry.serverName,
    effect: effectOf(entry.tool.annotations),
    summary: summarise(entry, limit),
  };
}

/** The description only where the line above doesn't say it all. */
function descriptionOf(entry: CatalogTool, { summaryDescriptionLimit }: AnswerSettings): object {
  const description = describe(entry);
  const isWhole = description === summarise(entry, summaryDescriptionLimit);
  return { ...(isWhole ? {} : { description }), inputSchema: entry.tool.inputSchema };
}

/** What the tool says of itself beside its effect. */
function hintsOf({ tool: { annotations } }: CatalogTool): { readonly annotations?: object } {
  const { idempotentHint, openWorldHint } = annotations;
  const hints = {
    ...(idempotentHint === undefined ? {} : { idempotentHint }),
    ...(openWorldHint === undefined ? {} : { openWorldHint }),
  };
  return Object.keys(hints).length > 0 ? { annotations: hints } : {};
}

/** How long ago, in words for a model. */
export function ageText(ageMs: number): string {
  const minutes = Math.max(0, Math.round(ageMs / 60_000));
  if (minutes < 120) return `listed ${minutes} min ago; the server is connected when it is called`;
  const hours = Math.round(minutes / 60);
  const age = hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  return `listed ${age} ago; the server is connected when it is called`;
}

function unavailableNote(unavailable: readonly UnavailableServer[]): { notReady?: readonly UnavailableServer[] } {
  return unavailable.length > 0 ? { notReady: unavailable } : {};
}

function nothingFound(total: number): string {
  return total === 0 ? 'No tool matches. Try other words, or mcp_tool_list for all of them.' : 'Raise the limit.';
}
