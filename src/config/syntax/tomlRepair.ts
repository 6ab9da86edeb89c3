import type { ConfigNode } from './configNode.ts';
import { readKey } from './tomlPlaces.ts';
import type { Span } from './sourceText.ts';

/** The part of a TOML text that an error costs. */
export interface TomlLoss {
  /** The first two keys of the table or value, such as `mcp_servers` and a name; one where it stands at the top. */
  readonly path: readonly string[];
  /** From the first to the last character that is left out. */
  readonly span: Span;
  /** The same text, as long, with blanks in place of all that belongs to it. */
  readonly rest: string;
}

const HEADER = /^[ \t]*\[{1,2}[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-])/;
const KEY =
  /^[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)(?:[ \t]*\.[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+))*[ \t]*=/;
/** What an entry of a map has in front: the map’s key and its own. */
const DEPTH = 2;

interface Statement extends Span {
  readonly isHeader: boolean;
  readonly path: readonly string[];
}

/**
 * Leaves out what an error spoils: the entry that it stands in, with all its tables, so that half an entry is never used;
 * at the top of the text only that key.
 * @param at offset of the error
 * @returns `undefined` where it stands in nothing that could be left out
 */
export function withoutDamaged(text: string, at: number): TomlLoss | undefined {
  const statements = statementsOf(text);
  let index = statements.findLastIndex(({ offset }) => offset <= at);
  // A header that can’t stand there ends what wasn’t closed before it.
  const first = statements[index];
  if (first?.isHeader && text.slice(first.offset, at).trim() === '' && index > 0) index -= 1;
  const damaged = statements[index];
  if (!damaged || damaged.path.length === 0) return undefined;
  const path = damaged.path.slice(0, DEPTH);
  const belongs = (each: Statement): boolean => each === damaged || startsWith(each.path, path);
  const gone = path.length < DEPTH ? [damaged] : statements.filter(belongs);
  const [start, last] = [gone[0], gone.at(-1)];
  if (!start || !last) return undefined;
  let rest = text;
  for (const { offset, length } of gone)
    rest =
      rest.slice(0, offset) + text.slice(offset, offset + length).replace(/[^\n]/g, ' ') + rest.slice(offset + length);
  return rest === text
    ? undefined
    : { path, span: { offset: start.offset, length: last.offset + last.length - start.offset }, rest };
}

/** The lines that begin a table or a value, each with what follows it up to the next one. */
function statementsOf(text: string): Statement[] {
  const starts: { readonly offset: number; readonly isHeader: boolean; readonly path: readonly string[] }[] = [];
  let table: readonly string[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const isHeader = HEADER.test(line);
    if (isHeader) table = readKey(line, line.search(/[^[ \t]/)).path;
    if (isHeader) starts.push({ offset, isHeader, path: table });
    else if (KEY.test(line)) starts.push({ offset, isHeader, path: [...table, ...readKey(line, 0).path] });
    offset += line.length + 1;
  }
  return starts.map((start, index) => ({
    ...start,
    length: (starts[index + 1]?.offset ?? text.length) - start.offset,
  }));
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((key, index) => path[index] === key);
}

/** The tree with an empty object in the place of what was left out, so that faults in it are told of that entry. */
export function withPlaceOf(root: ConfigNode, { path: [first = '', second], span }: TomlLoss): ConfigNode {
  if (second === undefined) return root;
  const entry = property(second, span, { type: 'object', ...span, children: [] });
  const children = root.children ?? [];
  const map = children.find((child) => keyOf(child) === first);
  const inner = map?.children?.[1];
  if (!map || inner?.type !== 'object')
    return withChildren(root, [...children, property(first, span, { type: 'object', ...span, children: [entry] })]);
  const entries = [...(inner.children ?? []).filter((child) => keyOf(child) !== second), entry];
  const whole = { ...map, children: [map.children![0]!, withChildren(inner, entries)] };
  return withChildren(
    root,
    children.map((child) => (child === map ? whole : child)),
  );
}

function property(key: string, span: Span, value: ConfigNode): ConfigNode {
  return {
    type: 'property',
    ...span,
    children: [{ type: 'string', offset: span.offset, length: 1, value: key }, value],
  };
}

function keyOf({ children }: ConfigNode): unknown {
  return children?.[0]?.value;
}

/** In the order of the text. */
function withChildren(node: ConfigNode, children: readonly ConfigNode[]): ConfigNode {
  return { ...node, children: [...children].sort((one, other) => one.offset - other.offset) };
}
