import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../base/json/json.ts';
import { conventionsOf } from '../clients/clientConventions.ts';
import type { ConfigSource, TextEdit } from '../configTypes.ts';
import type { ReadToml } from '../read/parseSource.ts';
import { containerOf, findServerMaps, isComment } from '../read/serverMaps.ts';
import { plainValue, type ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { syntaxOf } from '../syntax/sourceText.ts';
import { readKey } from '../syntax/tomlPlaces.ts';

/** The edits, in the order of the text, or one sentence that says why there are none. */
export type RenamedServer = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

/**
 * Gives a server of a source another name. Everything else stays as it is. A name that is in use is refused, and so is what
 * can't be renamed without doubt.
 * @param readToml needed for a source in TOML
 */
export function renameServer(
  text: string,
  source: ConfigSource,
  names: { readonly from: string; readonly to: string },
  readToml?: ReadToml,
): RenamedServer {
  const isToml = syntaxOf(source) === 'toml';
  const read = isToml && readToml ? readToml : readJsonc;
  const { root, faults } = read(text);
  const fault = faults.find(({ scope }) => scope !== 'nothing');
  if (fault) return { refusal: say`Fix this first: ${fault.message}` };
  const container = root && containerOf(root, source.within ?? []);
  const maps = container ? findServerMaps(container, source.format, conventionsOf(source)?.mergesByName) : [];
  const { from, to } = names;
  if (to.trim() === '') return { refusal: say`A server needs a name.` };
  if (isComment(to)) return { refusal: say`A name like “${to}” counts as a remark.` };
  if (maps.some(({ members }) => members.some(({ key }) => key === to))) return { refusal: say`\`${to}\` is in use.` };
  const keys = maps.flatMap(({ members }) => members.flatMap(({ key, keyNode }) => (key === from ? keyNode : [])));
  if (!root || keys.length === 0) return { refusal: say`\`${from}\` isn’t in this file.` };
  const edits = isToml
    ? maps.flatMap(({ section = '' }) => tomlEdits(text, section.split('.'), names))
    : keys.map(({ offset, length }): TextEdit => ({ offset, length, text: JSON.stringify(to) }));
  const again = read(withEdits(text, edits));
  const expected = maps.reduce(
    (value, { value: map }) => renamedIn(value, pathTo(root, map) ?? [], names),
    plainValue(root),
  );
  // Nothing but the name may be another.
  if (again.faults.length > faults.length || !again.root || !isDeepStrictEqual(plainValue(again.root), expected))
    return { refusal: say`\`${from}\` stands there in a form that can’t be renamed; do it by hand.` };
  return { edits };
}

/** A text with edits that don't overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((rest, { offset, length, text: to }) => rest.slice(0, offset) + to + rest.slice(offset + length), text);
}

function renamedIn(
  value: unknown,
  [key, ...rest]: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    key === undefined
      ? entries.map(([name, entry]) => [name === from ? to : name, entry])
      : entries.map(([name, inner]) => [name, name === key ? renamedIn(inner, rest, { from, to }) : inner]),
  );
}

/** The keys that lead to an object. */
function pathTo(node: ConfigNode, wanted: ConfigNode): string[] | undefined {
  if (node === wanted) return [];
  for (const { type, children = [] } of node.children ?? []) {
    const [key, value] = children;
    const rest = type === 'property' && value ? pathTo(value, wanted) : undefined;
    if (rest) return [String(key?.value), ...rest];
  }
  return undefined;
}

/** The server's tables, `[mcp_servers.name]` and those below it, and its keys in the tables above. */
function tomlEdits(
  text: string,
  section: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): TextEdit[] {
  const edits: TextEdit[] = [];
  const written = /^[\w-]+$/.test(to) ? to : JSON.stringify(to);
  let table: readonly string[] = [];
  let start = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const header = /^\s*\[+(?=[^[\]]+\]+\s*(?:#.*)?$)/.exec(line.trimEnd());
    const key = readKey(text, start + (header?.[0].length ?? 0));
    const isKey = header !== null || /^[ \t]*=/.test(text.slice(key.end, start + line.length));
    const above = header ? [] : table;
    const path = [...above, ...key.path];
    const span = key.spans[section.length - above.length];
    if (isKey && span && path[section.length] === from && section.every((each, index) => path[index] === each))
      edits.push({ offset: span.offset, length: span.length, text: written });
    if (header) table = key.path;
    start += line.length;
  }
  return edits;
}
