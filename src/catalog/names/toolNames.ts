import { createHash } from 'node:crypto';

/** How callable names are made (setting `toolNameFormat`). */
export const TOOL_NAME_FORMATS = ['mcp__{server}__{tool}', '{server}__{tool}'] as const;
export type ToolNameFormat = (typeof TOOL_NAME_FORMATS)[number];

/** What the editor leaves of a server's name in the names that it makes. */
const MAX_SERVER_PART = 11;
/** The longest tool name that every model provider takes, and that the editor leaves whole. */
const MAX_NAME = 64;
/** What the editor puts before every name that it makes. */
const EDITOR_PREFIX = 'mcp_';
const SERVER_HASH = 4;
const TOOL_HASH = 6;

/**
 * The server part of the callable names of a server's tools. It is lower-case, at most 11 characters of `[a-z0-9_-]`, and
 * never contains, starts or ends with a separator, so that two servers never share a callable name. It depends on the
 * server's own name only, so other servers that are added, removed or renamed don't change it; only of two servers with the
 * same configured name does the second get another part.
 * @param taken the parts of the other servers
 */
export function serverPartOf(id: string, name: string, taken: ReadonlySet<string>): string {
  const first = ownPartOf(name);
  let part = first;
  for (let salt = 0; taken.has(part); salt += 1) part = withServerHash(first, `${id}\n${salt}`);
  return part;
}

/** What callable names have before the tool's part. */
export function prefixOf(part: string, format: ToolNameFormat): string {
  return `${format === 'mcp__{server}__{tool}' ? 'mcp__' : ''}${part}__`;
}

/**
 * What a server has to be called for the editor to come nearest to the callable names: it puts `mcp_`, this and `_` before
 * a tool's name (seen in VS Code 1.139).
 */
export function editorServerName(part: string, format: ToolNameFormat): string {
  return format === 'mcp__{server}__{tool}' ? `_${part}_` : `${part}_`;
}

/** A callable name as the editor's own list has it: the very same, or behind `mcp_`, which it puts before every name. */
export function editorNameOf(callableName: string, format: ToolNameFormat): string {
  return format === 'mcp__{server}__{tool}' ? callableName : EDITOR_PREFIX + callableName;
}

/**
 * The callable names of one server's tools, by the server's own name of each (design: *Catalog*, names). A name has at most
 * 64 characters of `[A-Za-z0-9_-]`, including the prefix that the editor adds. A name that had to be shortened or changed
 * ends in a hash of the original.
 * @param part see {@link serverPartOf}
 */
export function assignToolNames(
  part: string,
  tools: readonly string[],
  format: ToolNameFormat = TOOL_NAME_FORMATS[0],
): Map<string, string> {
  const prefix = prefixOf(part, format);
  const room = MAX_NAME - editorNameOf(prefix, format).length;
  const spellings = countSpellings(tools);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  // Names that can stay as they are come first, so that a changed one never takes theirs.
  const [kept, changed] = partition([...new Set(tools)], (tool) => {
    const onlyOne = tool === tool.toLowerCase() || spellings.get(tool.toLowerCase()) === 1;
    return /^[A-Za-z0-9_-]+$/.test(tool) && tool.length <= room && onlyOne;
  });
  for (const tool of kept) {
    names.set(tool, prefix + tool);
    taken.add(tool.toLowerCase());
  }
  for (const tool of changed) {
    let toolPart = withToolHash(tool, tool, room);
    for (let salt = 0; taken.has(toolPart.toLowerCase()); salt += 1)
      toolPart = withToolHash(tool, `${tool}\n${salt}`, room);
    taken.add(toolPart.toLowerCase());
    names.set(tool, prefix + toolPart);
  }
  return names;
}

/** The server part where no other server has it already: what a rule may have been written for. */
export function ownPartOf(name: string): string {
  const isPlain = /^[a-z0-9-]+(?:_[a-z0-9-]+)*$/.test(name) && name.length <= MAX_SERVER_PART;
  return isPlain ? name : withServerHash(name, name);
}

function withServerHash(name: string, hashed: string): string {
  const stem = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '_')
    .replaceAll(/_+/g, '_')
    .slice(0, MAX_SERVER_PART - SERVER_HASH - 1)
    .replaceAll(/^[_-]+|[_-]+$/g, '');
  return `${stem || 's'}-${shortHash(hashed, SERVER_HASH)}`;
}

function withToolHash(tool: string, hashed: string, room: number): string {
  const stem = tool.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room - TOOL_HASH - 1);
  return `${stem}_${shortHash(hashed, TOOL_HASH)}`;
}

function countSpellings(tools: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const tool of new Set(tools)) counts.set(tool.toLowerCase(), (counts.get(tool.toLowerCase()) ?? 0) + 1);
  return counts;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const passed: T[] = [];
  const failed: T[] = [];
  for (const item of items) (test(item) ? passed : failed).push(item);
  return [passed, failed];
}

/** The first `length` characters (at most 10) of a SHA-256 of the text in base 36: lower-case letters and digits. */
export function shortHash(text: string, length: number): string {
  const number = createHash('sha256').update(text).digest().readBigUInt64BE();
  return number.toString(36).padStart(13, '0').slice(-length);
}
