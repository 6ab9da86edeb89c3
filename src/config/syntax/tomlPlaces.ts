import type { Span } from './sourceText.ts';

/** Where a key and its value stand. Of a table, the value reaches from its header to its last line. */
export interface TomlPlace {
  readonly key: Span;
  readonly value: Span;
  /** The places of the keys in it. */
  readonly children: ReadonlyMap<string, TomlPlace>;
}

interface GrowingPlace extends TomlPlace {
  readonly value: { offset: number; length: number };
  readonly children: Map<string, GrowingPlace>;
}

/** Deeper keys have no place of their own; nothing that matters is so deep. */
const MAX_DEPTH = 10;

/**
 * Finds the places of keys in a text that is known to be TOML; the parser doesn't give them. Keys inside of inline
 * tables and of arrays of tables have no place of their own.
 * @returns the place of the whole text
 */
export function locateTomlKeys(text: string): TomlPlace {
  const root = placeOf({ offset: 0, length: 0 }, 0, text.length);
  let table: Key = { path: [], spans: [], end: 0 };
  let at = 0;
  while ((at = skipBlank(text, at)) < text.length) {
    const isHeader = text[at] === '[';
    const start = at;
    if (isHeader) at = skipWhile(text, at, (character) => character === '[');
    const key = readKey(text, at);
    if (isHeader) {
      table = key;
      at = endOfLine(text, key.end);
      note(root, [table], start, at);
      continue;
    }
    const equals = text.indexOf('=', key.end);
    if (equals < 0 || key.path.length === 0) break;
    const valueStart = skipWhile(text, equals + 1, (character) => character === ' ' || character === '\t');
    const valueEnd = endOfValue(text, valueStart);
    note(root, [table, key], valueStart, valueEnd);
    at = endOfLine(text, valueEnd);
  }
  return root;
}

function placeOf(key: Span, start: number, end: number): GrowingPlace {
  return { key, value: { offset: start, length: end - start }, children: new Map() };
}

/** Adds the places of `keys`, one below the other, whose last one's value reaches from `start` to `end`. */
function note(root: GrowingPlace, keys: readonly Key[], start: number, end: number): void {
  let place = root;
  let depth = 0;
  for (const { path, spans } of keys)
    for (const [index, name] of path.entries()) {
      depth += 1;
      if (depth > MAX_DEPTH) return;
      const known = place.children.get(name);
      if (known) known.value.length = Math.max(known.value.length, end - known.value.offset);
      const next = known ?? placeOf(spans[index] ?? root.key, start, end);
      if (!known) place.children.set(name, next);
      place = next;
    }
}

export interface Key {
  readonly path: readonly string[];
  readonly spans: readonly Span[];
  /** Where the key ends. */
  readonly end: number;
}

/** Reads `a.b."c d"`. */
export function readKey(text: string, from: number): Key {
  const pattern = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*(\.)?/y;
  const path: string[] = [];
  const spans: Span[] = [];
  pattern.lastIndex = from;
  for (;;) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) return { path, spans, end: start };
    const [, quoted, literal, bare, dot] = match;
    const offset = start + (match[0].length - match[0].trimStart().length);
    path.push(quoted === undefined ? (literal ?? bare ?? '') : unescape(quoted));
    spans.push({ offset, length: match[0].trim().length - (dot ? 1 : 0) });
    if (!dot) return { path, spans, end: pattern.lastIndex };
  }
}

function unescape(quoted: string): string {
  try {
    return String(JSON.parse(`"${quoted}"`));
  } catch {
    return quoted;
  }
}

/** The end of a value: of a text with its quotes, of a list or inline table with its last bracket. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === '"' || character === "'") {
      at = endOfText(text, at, character);
      if (depth === 0) return at;
      continue;
    }
    if (character === '#') {
      at = endOfLine(text, at);
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    if (character === '\n' && depth === 0) break;
    at += 1;
  }
  return from + text.slice(from, at).split('#')[0]!.trimEnd().length;
}

function endOfText(text: string, from: number, quote: string): number {
  const triple = quote.repeat(3);
  const mark = text.startsWith(triple, from) ? triple : quote;
  for (let at = from + mark.length; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text.startsWith(mark, at))
      return skipWhile(text, at + mark.length, (character) => mark === triple && character === quote);
  }
  return text.length;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (text[at] === '#') at = endOfLine(text, at);
    else if (/\s/.test(text[at] ?? '')) at += 1;
    else break;
  }
  return at;
}

function skipWhile(text: string, from: number, holds: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && holds(text.charAt(at))) at += 1;
  return at;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
