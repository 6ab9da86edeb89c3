import { getLocation } from 'jsonc-parser';
import { readKey } from '../syntax/tomlPlaces.ts';
import type { Span } from '../syntax/sourceText.ts';

/** Longer texts aren't looked into, in UTF-16 units. */
export const LONGEST_TEXT = 1_000_000;

/** Where in a text the cursor is. */
export interface TextPlace {
  /** The keys and indexes that lead there, from the root; the last one is the key itself where that is being written. */
  readonly path: readonly (string | number)[];
  readonly part: 'key' | 'value';
  /** The string or word that the cursor is in, without its quotes; empty where there is none. */
  readonly content: Span;
  /** The same with its quotes. */
  readonly token: Span;
  readonly isQuoted: boolean;
  /** What stands in `content` in front of the cursor, as written. */
  readonly before: string;
}

/**
 * Where an offset of a text is; `undefined` where nothing can be written, such as in a comment. Texts that are being
 * written have errors: what is in front of the offset decides. A text that is too long or too deep has no places.
 * @param offset in UTF-16 units from 0
 */
export function placeAt(text: string, syntax: 'jsonc' | 'toml', offset: number): TextPlace | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  try {
    return syntax === 'toml' ? tomlPlace(text, offset) : jsonPlace(text, offset);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

function jsonPlace(text: string, offset: number): TextPlace | undefined {
  if (isInComment(text, offset)) return undefined;
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  const part = isAtPropertyKey ? 'key' : 'value';
  const isWithin = previousNode && offset > previousNode.offset && offset <= previousNode.offset + previousNode.length;
  if (!isWithin) {
    // Behind a value, in front of the comma.
    if (previousNode && part === 'value') return undefined;
    return placeOf(text, { path, part, token: { offset, length: 0 }, offset });
  }
  const token = { offset: previousNode.offset, length: previousNode.length };
  const isBehind = offset === token.offset + token.length && isClosed(text, token);
  return isBehind ? undefined : placeOf(text, { path, part, token, offset });
}

interface Found extends Pick<TextPlace, 'path' | 'part' | 'token'> {
  readonly offset: number;
}

function placeOf(text: string, { path, part, token, offset }: Found): TextPlace {
  const isQuoted = /["']/.test(text.charAt(token.offset)) && token.length > 0;
  const start = token.offset + (isQuoted ? 1 : 0);
  const end = token.offset + token.length - (isQuoted && isClosed(text, token) ? 1 : 0);
  const content = { offset: start, length: Math.max(0, end - start) };
  return { path, part, token, content, isQuoted, before: text.slice(start, Math.max(start, offset)) };
}

function isClosed(text: string, { offset, length }: Span): boolean {
  const quote = text.charAt(offset);
  return /["']/.test(quote) && length > 1 && text.charAt(offset + length - 1) === quote;
}

/** By what is left of the line when its strings are taken away; a comment over several lines counts where it begins one. */
function isInComment(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, offset).replaceAll(/"(?:\\.|[^"\\])*"?/g, '');
  return line.includes('//') || /\/\*(?!.*\*\/)/.test(line);
}

/** A list or inline table reaches over so many lines at most. */
const MAX_LINES = 100;

function tomlPlace(text: string, offset: number): TextPlace | undefined {
  const lines = text.slice(0, offset).split('\n');
  const line = lines.pop() ?? '';
  const start = offset - line.length;
  const rest = text.slice(offset).split('\n', 1)[0] ?? '';
  if (/^[^"']*#/.test(line)) return undefined;
  if (/^\s*\[+[^\]]*$/.test(line) && !line.includes('=')) {
    const header = readKey(line, line.lastIndexOf('[') + 1);
    const last = header.spans.at(-1);
    const word = last ? { offset: start + last.offset, length: last.length } : { offset, length: 0 };
    return placeOf(text, { path: header.path, part: 'key', token: word, offset });
  }
  const table = tableOf(lines);
  const before = openBefore(lines);
  const full = [...before, line].join('\n');
  const equals = full.indexOf('=');
  if (equals < 0) {
    const word = /[\w-]*$/.exec(line)?.[0] ?? '';
    const tail = /^[\w-]*/.exec(rest)?.[0] ?? '';
    const token = { offset: offset - word.length, length: word.length + tail.length };
    return placeOf(text, { path: [...table, word + tail], part: 'key', token, offset });
  }
  const key = readKey(full, 0).path;
  return placeOf(text, { ...valueIn(full.slice(equals + 1), rest, offset), path: [...table, ...key, ...indexIn(full.slice(equals + 1))], part: 'value', offset }); // prettier-ignore
}

/** The header that the last line stands under. */
function tableOf(lines: readonly string[]): readonly string[] {
  const header = lines.findLast((line) => /^\s*\[[^=]*\]\s*(?:#.*)?$/.test(line));
  return header === undefined ? [] : readKey(header, header.lastIndexOf('[') + 1).path;
}

/** The lines of a list that isn't closed yet, from the one with its key. */
function openBefore(lines: readonly string[]): readonly string[] {
  const near = lines.slice(-MAX_LINES);
  const from = near.findLastIndex((line) => /^\s*[\w."'-]+\s*=/.test(line));
  const open = from < 0 ? [] : near.slice(from);
  return depthOf(open.join('\n')) > 0 && !open.some((line) => /^\s*\[[\w.-]+\]\s*$/.test(line)) ? open : [];
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g, 's');
}

function depthOf(text: string): number {
  const plain = withoutStrings(text);
  return (plain.match(/[[{]/g)?.length ?? 0) - (plain.match(/[\]}]/g)?.length ?? 0);
}

/** The string at the end of what stands before the cursor. */
function valueIn(value: string, rest: string, offset: number): { readonly token: Span } {
  const open = /["'][^"']*$/.exec(
    value.replaceAll(/"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g, (text) => ' '.repeat(text.length)),
  );
  if (!open) return { token: { offset, length: 0 } };
  const quote = open[0].charAt(0);
  const end = rest.indexOf(quote);
  return { token: { offset: offset - open[0].length, length: open[0].length + (end < 0 ? rest.length : end + 1) } };
}

function indexIn(value: string): readonly number[] {
  const plain = withoutStrings(value).trimStart();
  return plain.startsWith('[') ? [plain.split(',').length - 1] : [];
}
