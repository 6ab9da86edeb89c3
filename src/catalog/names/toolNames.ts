import { sayable, shortHash } from '../../servers/nameParts.ts';
import { editorNameOf, prefixOf, TOOL_NAME_FORMATS, type ToolNameFormat } from './toolNamePrefix.ts';

/** The longest tool name that every model provider takes, and that the editor leaves whole. */
const MAX_NAME = 64;
const TOOL_HASH = 6;
/** Of a tool's own name, this much is read; in UTF-16 units. */
const LONGEST = 1_024;

/**
 * The callable names of one server's tools, by the server's own name of each (design: *Catalog*, names). A name has at most
 * 64 characters of `[A-Za-z0-9_-]`, including the prefix that the editor adds. A name with other characters, or a longer one,
 * is made readable; only where that is the name of another tool, too, or would lose letters, does it end in a hash of the
 * original. Which name a tool gets doesn't depend on the order of the list.
 * @param part the server's, see `ServerPartStore`
 */
export function assignToolNames(
  part: string,
  tools: readonly string[],
  format: ToolNameFormat = TOOL_NAME_FORMATS[0],
): Map<string, string> {
  const prefix = prefixOf(part, format);
  const room = roomFor(prefix, format);
  const plain = plainNames(prefix, tools, room);
  if (plain) return plain;
  const all = [...new Set(tools)];
  const counts = new Map<string, number>();
  const wanted = all.map((tool) => {
    const name = readableToolPart(tool, room);
    const key = name?.toLowerCase() ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { tool, name, key };
  });
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const give = (tool: string, name: string, key: string): void => {
    names.set(tool, joined(prefix, name));
    taken.add(key);
  };
  // Names that can stay as they are never lose to a changed one.
  for (const { tool, name, key } of wanted)
    if (name === tool && (tool === key || counts.get(key) === 1)) give(tool, tool, key);
  for (const { tool, name, key } of wanted)
    if (name !== undefined && counts.get(key) === 1 && !names.has(tool)) give(tool, name, key);
  for (const { tool } of wanted) {
    if (names.has(tool)) continue;
    let name = withToolHash(tool, tool, room);
    for (let salt = 0; taken.has(name.toLowerCase()); salt += 1) name = withToolHash(tool, `${tool}\n${salt}`, room);
    give(tool, name, name.toLowerCase());
  }
  return names;
}

/** The names where each can stay as it is, as most lists have them; `undefined`: one can't, or two differ in case only. */
function plainNames(prefix: string, tools: readonly string[], room: number): Map<string, string> | undefined {
  const names = new Map<string, string>();
  const keys = new Set<string>();
  for (const tool of tools) {
    if (!isPlain(tool, room)) return undefined;
    names.set(tool, joined(prefix, tool));
    keys.add(tool.toLowerCase());
  }
  return keys.size === names.size ? names : undefined;
}

/** In one text: one that `+` makes keeps its parts beside it for as long as it lives. */
function joined(prefix: string, name: string): string {
  return [prefix, name].join('');
}

function isPlain(tool: string, room: number): boolean {
  return tool.length <= room && /^[A-Za-z0-9_-]+$/.test(tool);
}

/** How long the tool's part of a callable name may be. */
export function roomFor(prefix: string, format: ToolNameFormat = TOOL_NAME_FORMATS[0]): number {
  return MAX_NAME - editorNameOf(prefix, format).length;
}

/**
 * The tool's part of a callable name, where no other tool has it: as it is, or with `_` for what can't stand there, and cut at
 * a word. `undefined` where letters would be lost.
 */
export function readableToolPart(tool: string, room: number): string | undefined {
  if (isPlain(tool, room)) return tool;
  const text = sayable(tool.slice(0, LONGEST));
  if (text === undefined) return undefined;
  const whole = text.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '');
  if (whole.length <= room) return whole === '' ? undefined : whole;
  const cut = whole.slice(0, room + 1).search(/[_-][A-Za-z0-9]*$/);
  return whole.slice(0, cut > room / 2 ? cut : room);
}

function withToolHash(tool: string, hashed: string, room: number): string {
  const stem = tool.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, room - TOOL_HASH - 1);
  return `${stem}_${shortHash(hashed, TOOL_HASH)}`;
}
