import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../base/json/json.ts';
import { conventionsOf } from '../clients/clientConventions.ts';
import type { ConfigSource } from '../configTypes.ts';
import type { ReadToml } from '../read/parseSource.ts';
import { containerOf, findServerMaps } from '../read/serverMaps.ts';
import { plainValue, type ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { syntaxOf } from '../syntax/sourceText.ts';
import { commaAfter, lineStart, refusalAt, startsLine, type EditedConfig } from './editConfigFile.ts';

/** What was removed, so that it can be added again to a file that has changed since. */
export interface RemovedServer {
  readonly path: readonly string[];
  readonly value: unknown;
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The text of a source without a server. Everything else stays as it is: comments (but one at the end of its line goes with
 * it), indentation, line ends. A file with a syntax error is refused.
 * @param readToml needed for a source in TOML
 */
export function removeServer(
  text: string,
  source: ConfigSource,
  name: string,
  readToml?: ReadToml,
): EditedConfig & { readonly removed?: RemovedServer } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const plain = text.slice(mark.length);
  const isToml = syntaxOf(source) === 'toml';
  const read = isToml && readToml ? readToml : readJsonc;
  const { root, faults } = read(plain);
  const [fault] = faults;
  if (fault) return { refusal: refusalAt(plain, fault.span, fault.message) };
  const found = placesOf(root, source, name);
  const [place] = found;
  if (!root || !place) return { refusal: refusalAt(plain, { offset: 0, length: 0 }, say`\`${name}\` isn’t in it.`) };
  const edited = isToml ? withoutTables(plain, place.path) : withoutProperties(plain, found);
  // Nothing but the server may be gone.
  const expected = found.reduce<unknown>((value, { path }) => without(value, path), plainValue(root));
  const again = read(edited);
  const left = again.root && plainValue(again.root);
  // In TOML a table is only there while there is something in it.
  const wanted = isToml ? [expected, without(expected, place.path.slice(0, -1))] : [expected];
  const isRight = again.faults.length === 0 && wanted.some((each) => isDeepStrictEqual(left, each));
  if (!isRight)
    return {
      refusal: refusalAt(plain, place.node, say`It stands there in a form that can’t be taken out; remove it by hand.`),
    };
  return { text: mark + edited, removed: { path: place.path, value: place.value } };
}

/** Where a server stands. */
export interface Place {
  /** The property. */
  readonly node: ConfigNode;
  readonly parent: ConfigNode;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Every place of the file where a server of this name stands, in the order of the text. */
export function placesOf(root: ConfigNode | undefined, source: ConfigSource, name: string): Place[] {
  const container = root && containerOf(root, source.within ?? []);
  if (!root || !container) return [];
  const maps = findServerMaps(container, source.format, conventionsOf(source)?.mergesByName);
  const nodes = maps.flatMap(({ value, members }) =>
    members.some(({ key }) => key === name) ? propertiesOf(value, name).map((node) => ({ node, parent: value })) : [],
  );
  return nodes
    .map(({ node, parent }) => ({ node, parent, path: pathTo(root, node) ?? [], value: valueOf(node) }))
    .sort((one, other) => one.node.offset - other.node.offset);
}

function propertiesOf(map: ConfigNode, name: string): ConfigNode[] {
  return (map.children ?? []).filter(({ children }) => children?.[0]?.value === name);
}

function valueOf({ children }: ConfigNode): unknown {
  return children?.[1] && plainValue(children[1]);
}

/** The keys that lead from a node to a property below it. */
export function pathTo(node: ConfigNode, property: ConfigNode): string[] | undefined {
  for (const child of node.children ?? []) {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    if (child === property) return [String(key?.value)];
    const rest = value && pathTo(value, property);
    if (rest) return key ? [String(key.value), ...rest] : rest;
  }
  return undefined;
}

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, inner]) => [name, name === key ? without(inner, rest) : inner]),
  );
}

/** From the last to the first, so that the places of the others stay right. */
function withoutProperties(text: string, places: readonly Place[]): string {
  const gone = new Set(places.map(({ node }) => node));
  return places.toReversed().reduce((rest, { node, parent }) => {
    const siblings = parent.children ?? [];
    const before = siblings.slice(0, siblings.indexOf(node)).findLast((each) => !gone.has(each));
    const isOnly = siblings.every((each) => gone.has(each));
    return withoutProperty(rest, node, { before, parent, isOnly });
  }, text);
}

/** A comment at the end of the line belongs to what is before it. */
const REMARK = /^(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/;
const LINE_END = /^[ \t]*(?:\r\n|\r|\n|$)/;

function withoutProperty(
  text: string,
  { offset, length }: ConfigNode,
  { before, parent, isOnly }: { before: ConfigNode | undefined; parent: ConfigNode; isOnly: boolean },
): string {
  const comma = commaAfter(text, offset + length);
  const end = comma === undefined ? offset + length : comma + 1;
  const remark = REMARK.exec(text.slice(end))?.[0] ?? '';
  const lineEnd = startsLine(text, offset) ? LINE_END.exec(text.slice(end + remark.length))?.[0] : undefined;
  const from = lineEnd === undefined ? offset : lineStart(text, offset);
  const blanks = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const to = lineEnd === undefined ? end + (comma === undefined ? 0 : blanks) : end + remark.length + lineEnd.length;
  const rest = text.slice(to);
  const commaBefore = before && comma === undefined ? commaAfter(text, before.offset + before.length) : undefined;
  if (commaBefore !== undefined) {
    const between = lineEnd === undefined ? '' : text.slice(commaBefore + 1, from);
    return text.slice(0, commaBefore) + between + rest;
  }
  // `{ "a": {} }` becomes `{}`.
  const opening = text.slice(parent.offset + 1, from);
  const isEmpty = isOnly && lineEnd === undefined && opening.trim() === '' && /^\s*\}/.test(rest);
  return isEmpty ? text.slice(0, parent.offset + 1) + rest.trimStart() : text.slice(0, from) + rest;
}

/** Without the tables of a server, `[mcp_servers.name]` and those below it. Comments in front of the next table stay. */
function withoutTables(text: string, path: readonly string[]): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  let pending: string[] | undefined;
  for (const line of lines) {
    const header = headerOf(line);
    if (header) {
      const isGone = path.every((key, index) => header[index] === key);
      kept.push(...(pending ?? []).filter((each) => !isGone || each.trim() !== ''));
      pending = isGone ? [] : undefined;
    }
    if (!pending) kept.push(line);
    else if (/^\s*(?:#.*)?$/.test(line.trimEnd())) pending.push(line);
    else pending = [];
  }
  return [...kept, ...(pending ?? []).filter((line) => line.trim() !== '')].join('');
}

/** The keys of a table's header. */
function headerOf(line: string): string[] | undefined {
  const inner = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.trimEnd())?.[1];
  return inner
    ?.match(/"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+/g)
    ?.map((key) => (key.startsWith('"') ? String(JSON.parse(key)) : key.replace(/^'(.*)'$/, '$1')));
}
