import { isRecord } from '../../base/json.ts';
import type { ConfigProblem, ConfigSource, ServerEntry } from '../configTypes.ts';
import { parseSource } from '../read/parseSource.ts';
import { findServerMaps } from '../read/serverMaps.ts';
import type { ConfigNode } from '../syntax/configNode.ts';
import { editConfigFile, type EditedConfig } from './editConfigFile.ts';

/** A definition as it is written into a file. */
export type NewServer =
  { readonly command: string; readonly args: readonly string[] } | { readonly type: 'http'; readonly url: string };

export type ServerSection = 'mcpServers' | 'servers';

/**
 * The text of a file of servers with one more server in it; see `editConfigFile`. A server of that name is not replaced.
 * @param section the key to add to where the file has no servers yet
 */
export function addServer(text: string, name: string, server: NewServer, section: ServerSection): EditedConfig {
  return editConfigFile(text, (root) => [{ path: [...placeForServers(root, section).path, name], value: server }]);
}

/** Where a file's servers are: under the key that it uses, at the root of a flat map of servers, else under `section`. */
export function placeForServers(
  root: ConfigNode,
  section: ServerSection,
): { readonly path: readonly string[]; readonly names: readonly string[] } {
  const maps = findServerMaps(root, 'mcp');
  const map =
    maps.find((each) => each.section === section) ??
    maps.find((each) => ['mcpServers', 'servers', undefined].includes(each.section));
  if (!map) return { path: [section], names: [] };
  return { path: map.section === undefined ? [] : [map.section], names: map.members.map(({ key }) => key) };
}

/** What a line means: a URL, or a command with its arguments; `undefined` for none. */
export function newServerOf(line: string, platform: NodeJS.Platform): NewServer | undefined {
  const text = line.trim();
  if (/^https?:\/\//i.test(text)) return { type: 'http', url: text };
  const [command, ...args] = splitCommandLine(text, platform);
  return command === undefined ? undefined : { command, args };
}

/** The new server as it is read from the file that it is written into: an entry, or what is wrong with it. */
export function readNewServer(name: string, server: NewServer): ServerEntry | ConfigProblem | undefined {
  const source: ConfigSource = { id: 'new', scope: 'dynamic', format: 'mcp', label: 'new' };
  const { entries, broken } = parseSource(source, JSON.stringify({ mcpServers: { [name]: server } }));
  return entries[0] ?? broken[0]?.problem;
}

/**
 * Splits a command line into words as a shell would: blanks part, single and double quotes hold together, a backslash
 * takes the next character as it is (outside single quotes; on Windows it is a path's separator and stays).
 */
export function splitCommandLine(line: string, platform: NodeJS.Platform): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (quote !== undefined && character === quote) quote = undefined;
    else if (character === '\\' && quote !== "'" && platform !== 'win32') word = (word ?? '') + line.charAt(++index);
    else if (quote !== undefined) word = (word ?? '') + character;
    else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}

/** A setting's value (an object of servers) with one more server; anything that isn't an object counts as empty. */
export function addServerToValue(value: unknown, name: string, server: NewServer): Record<string, unknown> {
  return { ...(isRecord(value) ? value : {}), [name]: server };
}
