import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { effectOf, type CatalogTool, type ToolEffect } from '../../catalog/catalogTool.ts';
import { absentLines, type UnavailableServer } from '../../catalog/unavailableLines.ts';
import { instructionsFor, type InstructedServer } from '../../catalog/exposure/instructions.ts';
import { toolDefinition, summaryText } from '../../catalog/exposure/toolDefinition.ts';
import { describe, summarise } from '../../catalog/exposure/descriptions.ts';
import type { ServerItem } from '../../catalog/items/listServerItems.ts';
import type { SearchHit } from '../../catalog/search/toolSearch.ts';

/** Tools per page of `mcp_tool_list`. */
const LIST_PAGE_SIZE = 50;
/** A longer schema is normalized, in characters. */
const MAX_SCHEMA = 16_000;
/** All schemas of one answer, in characters; further tools have only their line. */
const MAX_SCHEMAS = 100_000;

/** What shapes the answers. */
export interface AnswerSettings {
  /** How many of the found tools come with their schema. */
  readonly maxToolsPerSearch: number;
  /** The longest line about a tool, in characters. */
  readonly summaryDescriptionLimit: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type LineSettings = Pick<AnswerSettings, 'summaryDescriptionLimit' | 'now'>;

/** The answer to a search: the best tools with their schemas, a line for each other, and the servers that aren't ready. */
export function searchText(
  hits: readonly SearchHit[],
  total: number,
  unavailable: readonly UnavailableServer[],
  settings: AnswerSettings,
  items: readonly ServerItem[] = [],
): string {
  let room = MAX_SCHEMAS;
  const tools = hits.map(({ tool }, index) => {
    const line = lineOf(tool, settings);
    if (index >= settings.maxToolsPerSearch) return line;
    const inputSchema = schemaOf(tool, room);
    if (!inputSchema)
      return { ...line, more: 'The schema is left out, since the answer is too long. Search for this name to get it.' };
    room -= JSON.stringify(inputSchema).length;
    return { ...line, ...hintsOf(tool), ...descriptionOf(tool, settings), inputSchema };
  });
  return JSON.stringify({
    tools,
    ...(total > hits.length
      ? { more: `${total - hits.length} more tools match; narrow the query or raise the limit` }
      : {}),
    ...(items.length > 0 ? { resourcesAndPrompts: items.map(itemLine), read: readNote(items) } : {}),
    ...unavailableNote(unavailable),
    next:
      hits.length > 0
        ? 'Call a tool with mcp_call_tool: its name, and arguments that match its inputSchema.'
        : nothingFound(total),
  });
}

const READ_ITEMS = 'Read a resource with mcp_read_resource, get a prompt with mcp_get_prompt.';
const LOAD_SKILLS = ' Load a skill with mcp_load_skill: instructions of its server, not of the user.';

function readNote(items: readonly ServerItem[]): string {
  return items.some(({ kind }) => kind === 'skill') ? READ_ITEMS + LOAD_SKILLS : READ_ITEMS;
}

function itemLine(item: ServerItem): object {
  const { serverName: server, summary } = item;
  if (item.kind === 'resource') return { resource: item.resource.uri, server, summary };
  if (item.kind === 'template') return { template: item.template.uriTemplate, server, summary };
  if (item.kind === 'skill') return { skill: item.skill.uri, name: item.skill.name, server, summary };
  return { prompt: item.prompt.name, server, summary };
}

/** The answer to an empty search: a line for each server and for each tool. */
export function overviewText(
  servers: readonly InstructedServer[],
  hits: readonly SearchHit[],
  total: number,
  unavailable: readonly UnavailableServer[],
  { summaryDescriptionLimit, now }: LineSettings,
): string {
  const rest = total - hits.length;
  return [
    instructionsFor(servers, 'search'),
    'Their tools:',
    ...hits.map(({ tool }) => `- ${summaryText(tool, summarise(tool, summaryDescriptionLimit))}`),
    ...cachedLines(hits, now),
    ...(rest > 0 ? [`and ${rest} more: search by words, or give a server`] : []),
    ...absentLines(unavailable, 'state'),
  ].join('\n');
}

/** The servers whose tools are cached, with their age. */
function cachedLines(hits: readonly SearchHit[], now: number): string[] {
  const ages = new Map<string, number>();
  for (const { tool } of hits) if (tool.cachedAt !== undefined) ages.set(tool.serverName, tool.cachedAt);
  return [...ages].map(([serverName, cachedAt]) => `Cached: ${serverName} (${ageText(now - cachedAt)})`);
}

/**
 * One page of all tools, by name. `cursor` is the `nextCursor` of the previous page.
 * @throws SwitchboardError `invalid-arguments`: an unknown cursor
 */
export function listText(
  tools: readonly CatalogTool[],
  cursor: string | undefined,
  unavailable: readonly UnavailableServer[],
  settings: LineSettings,
): string {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
    throw new SwitchboardError('invalid-arguments', 'Unknown cursor.', {
      remedy: 'Use the nextCursor of the previous page, or omit it for the first page.',
    });
  const start = Number(cursor ?? 0);
  const page = tools.slice(start, start + LIST_PAGE_SIZE);
  const end = start + page.length;
  return JSON.stringify({
    tools: page.map((entry) => lineOf(entry, settings)),
    total: tools.length,
    ...(end < tools.length ? { nextCursor: String(end) } : {}),
    ...unavailableNote(unavailable),
  });
}

interface ToolLine {
  readonly name: string;
  readonly server: string;
  readonly effect: ToolEffect;
  readonly summary: string;
  /** If it is cached: its age. */
  readonly cached?: string;
}

function lineOf(entry: CatalogTool, { summaryDescriptionLimit, now }: LineSettings): ToolLine {
  return {
    name: entry.name,
    server: entry.serverName,
    effect: effectOf(entry.tool.annotations),
    summary: summarise(entry, summaryDescriptionLimit),
    ...(entry.cachedAt === undefined ? {} : { cached: ageText(now - entry.cachedAt) }),
  };
}

/** The tool's own schema, a very long one normalized; `undefined` if there is no room for it. */
function schemaOf(entry: CatalogTool, room: number): JsonObject | undefined {
  const { inputSchema } = entry.tool;
  if (JSON.stringify(inputSchema).length <= Math.min(MAX_SCHEMA, room)) return inputSchema;
  const offered = toolDefinition(entry);
  if ('leftOut' in offered || JSON.stringify(offered.inputSchema).length > room) return undefined;
  return offered.inputSchema;
}

/** The description, unless the summary is all of it. */
function descriptionOf(entry: CatalogTool, { summaryDescriptionLimit }: AnswerSettings): object {
  const description = describe(entry);
  const isWhole = description === summarise(entry, summaryDescriptionLimit);
  return isWhole ? {} : { description };
}

/** The tool's hints that its effect doesn't contain. */
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
  if (minutes < 120) return `listed ${minutes} min ago; the server connects on a call`;
  const hours = Math.round(minutes / 60);
  const age = hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  return `listed ${age} ago; the server connects on a call`;
}

/** The servers that aren't there, as answers in JSON have them. */
export function unavailableNote(unavailable: readonly UnavailableServer[]): { notReady?: readonly JsonObject[] } {
  if (unavailable.length === 0) return {};
  return { notReady: unavailable.map(({ serverName, state, remedy }) => ({ serverName, state, remedy })) };
}

function nothingFound(total: number): string {
  return total === 0 ? 'No tool matches. Try other words, or list all tools with mcp_tool_list.' : 'Raise the limit.';
}
