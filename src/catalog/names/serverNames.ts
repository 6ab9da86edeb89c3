import { roomFor, readableToolPart } from './toolNames.ts';
import { underlyingOf, configuredNameOf, type CatalogTool } from '../catalogTool.ts';

/** A server, by each of its names. */
export interface NamedServer {
  /** As configured: what rules, trust and hooks go by. */
  readonly configuredName: string;
  /** As shown: the configured one, with the folder where several folders have it. */
  readonly name: string;
  /** Its part of callable names. */
  readonly part: string;
}

/** What comes before a server's name where it stands for all of its tools. */
const PREFIX = 'mcp__';

/** The server of a tool. */
export function serverOf(tool: CatalogTool): NamedServer {
  return { configuredName: configuredNameOf(tool), name: tool.serverName, part: tool.serverPart };
}

/**
 * Everything that a person, a file or a model may call a server, best first: its configured name, its name as it is shown,
 * its part of callable names, the configured name as one word, as Claude Code writes it; and each of them after `mcp__`.
 */
export function serverSpellings({ configuredName, name, part }: NamedServer): readonly string[] {
  const names = [configuredName, name, part, asWord(configuredName)];
  return [...names, ...names.map((each) => PREFIX + each)];
}

/**
 * A pattern for the tools of one server, as patterns for their own names: as it is, and without the server's name where it
 * begins with that.
 */
export function withoutServer(pattern: string, server: NamedServer): readonly string[] {
  const prefixes = serverSpellings(server).flatMap((name) => [`${name}/`, `${name}__`]);
  return [pattern, ...prefixes.filter((each) => pattern.startsWith(each)).map((each) => pattern.slice(each.length))];
}

/**
 * Everything that a person, a file or a model may call a tool, best first: its callable name, and each name of its server with
 * each of its own, as `mcp__<server>__<tool>` and as `<server>/<tool>`. Every surface takes the same.
 */
export function toolSpellings(tool: CatalogTool): readonly string[] {
  const { configuredName, name, part } = serverOf(tool);
  const servers = [configuredName, name, part, asWord(configuredName)];
  const own = ownToolNames(tool);
  return [tool.name, ...servers.flatMap((server) => own.flatMap((each) => toolNames(server, each)))];
}

/** What a tool is called among those of its server: by its server, as it is shown, and before it met another tool. */
export function ownToolNames(tool: CatalogTool): readonly string[] {
  const real = underlyingOf(tool).name;
  const readable = readableToolPart(real, roomFor(`${PREFIX}${tool.serverPart}__`)) ?? real;
  return [real, tool.tool.name, readable];
}

/** The ways to write one name of a tool with one name of its server. */
function toolNames(server: string, tool: string): readonly string[] {
  return [`${PREFIX}${server}__${tool}`, `${server}/${tool}`];
}

/**
 * Which of the candidates a name means: the one that it is the best spelling of. Letter case counts unless only one is left
 * without it. `undefined` where that is none, or several.
 * @param spellings of a candidate, best first; as many for each
 */
export function meant<T>(
  written: string,
  candidates: readonly T[],
  spellings: (candidate: T) => readonly string[],
): T | undefined {
  const wanted = written.toLowerCase();
  const near = candidates
    .map((candidate) => ({ candidate, names: spellings(candidate) }))
    .filter(({ names }) => names.some((name) => name.toLowerCase() === wanted));
  if (wanted === '') return undefined;
  let left = near.filter(({ names }) => names.includes(written));
  for (let rank = 0; left.length > 1 && rank < (left[0]?.names.length ?? 0); rank += 1) {
    const best = left.filter(({ names }) => names[rank] === written);
    if (best.length > 0) left = best;
  }
  const found = left.length > 0 ? left : near;
  return found.length === 1 ? found[0]?.candidate : undefined;
}

/** A name as Claude Code has it in the names of tools. */
export function asWord(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_');
}
