import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import { isRecord } from '../../base/json.ts';

/** A definition as it is written into a file. */
export type NewServer =
  { readonly command: string; readonly args: readonly string[] } | { readonly type: 'http'; readonly url: string };

const FORMATTING = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/**
 * The text of a file of servers with one more server in it; comments and everything else stay as they are.
 * @param key the member to add to where the file has neither `servers` nor `mcpServers`
 * @returns `undefined` where the text isn't an object, so that nothing of it is lost
 */
export function addServer(
  text: string,
  name: string,
  server: NewServer,
  key: 'mcpServers' | 'servers',
): string | undefined {
  const source = text.trim() === '' ? '{}\n' : text;
  const root = parseTree(source);
  if (root?.type !== 'object') return undefined;
  const existing = ['mcpServers', 'servers'].find((member) => findNodeAtLocation(root, [member])?.type === 'object');
  return applyEdits(source, modify(source, [existing ?? key, name], server, FORMATTING));
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
