import { say } from '../../base/say.ts';
import { parse, TomlError } from 'smol-toml';
import { TYPOGRAPHIC_FIX, TYPOGRAPHIC_QUOTES, type ParsedText, type SyntaxFault } from './readJsonc.ts';
import type { ConfigNode } from './configNode.ts';
import type { Span } from './sourceText.ts';
import { locateTomlKeys, type TomlPlace } from './tomlPlaces.ts';
import { withoutDamaged, withPlaceOf, type TomlLoss } from './tomlRepair.ts';

/** More errors than this are told one by one only after the first are fixed. */
const MAX_FAULTS = 20;

/**
 * Reads TOML. Never throws. An error costs the entry that it stands in, and nothing else; where it can't be told which that
 * is, the complete tables before it are read all the same.
 */
export function readToml(given: string): ParsedText {
  // Line ends of old programs, which TOML doesn't have: every other client says something else of them.
  const text = given.replaceAll(/\r(?!\n)/g, '\n');
  const losses: TomlLoss[] = [];
  const faults: SyntaxFault[] = [];
  for (let rest = text; ;) {
    const read = parseOrError(rest);
    if (!('error' in read)) {
      const root = losses.reduce(withPlaceOf, nodeOfTable(read.table, rest));
      return { root, faults: faults.sort((one, other) => one.span.offset - other.span.offset) };
    }
    const at = offsetOf(text, read.error);
    const loss = faults.length < MAX_FAULTS ? withoutDamaged(rest, at) : undefined;
    if (!loss) return beforeError(text, read.error, faults);
    losses.push(loss);
    faults.push(faultOf(text, placeIn(loss.span, at), read.error, 'value'));
    ({ rest } = loss);
  }
}

/** An error may be noticed only behind what it spoils. */
function placeIn({ offset, length }: Span, at: number): number {
  return at >= offset && at < offset + length ? at : offset;
}

/** The tables before the one with the first error. */
function beforeError(text: string, error: ReadingError, faults: readonly SyntaxFault[]): ParsedText {
  const first = parseOrError(text);
  const at = offsetOf(text, 'error' in first ? first.error : error);
  const sound = text.slice(0, startOfTable(text, at));
  const before = parseOrError(sound);
  const fault = faultOf(text, 'error' in before ? 0 : at, 'error' in first ? first.error : error, 'file');
  return {
    root: 'error' in before ? undefined : nodeOfTable(before.table, sound),
    faults: [fault, ...faults.slice(1)],
  };
}

function faultOf(text: string, at: number, { message }: ReadingError, scope: 'value' | 'file'): SyntaxFault {
  const why = message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
  const fix = fixOf(message, text.slice(at).split('\n', 1)[0] ?? '');
  return { code: 'invalid-toml', span: { offset: at, length: 1 }, scope, message: say`Invalid TOML: ${why}.`, fix };
}

function fixOf(message: string, line: string): string {
  if (/escape/.test(message)) return say`Put a text with backslashes in single quotes, e.g. \`'C:\\tools'\`.`;
  if (TYPOGRAPHIC_QUOTES.test(line)) return TYPOGRAPHIC_FIX;
  return say`Write \`key = value\`, with strings in double quotes.`;
}

type Table = Readonly<Record<string, unknown>>;

interface ReadingError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

function parseOrError(text: string): { readonly table: Table } | { readonly error: ReadingError } {
  try {
    return { table: parse(text, { maxDepth: 200 }) };
  } catch (error) {
    if (error instanceof TomlError) return { error };
    return { error: { message: say`nested too deeply`, line: 1, column: 1 } };
  }
}

function offsetOf(text: string, { line, column }: ReadingError): number {
  const lines = text.split('\n').slice(0, line - 1);
  return lines.reduce((offset, item) => offset + item.length + 1, 0) + Math.max(column - 1, 0);
}

/** Where the table that `at` is in begins. */
function startOfTable(text: string, at: number): number {
  const endOfLine = text.indexOf('\n', at);
  const before = text.slice(0, endOfLine < 0 ? text.length : endOfLine);
  return Math.max(0, ...[...before.matchAll(/^[ \t]*\[/gm)].map((match) => match.index));
}

function nodeOfTable(table: Table, text: string): ConfigNode {
  const root = locateTomlKeys(text);
  return nodeOf(table, root.value, root);
}

/** @param place of the value, where it has one of its own; what has none stands at `span`, its nearest place */
function nodeOf(value: unknown, span: Span, place: TomlPlace | undefined): ConfigNode {
  if (Array.isArray(value))
    return { type: 'array', ...span, children: value.map((item: unknown) => nodeOf(item, span, undefined)) };
  switch (typeof value) {
    case 'string':
      return { type: 'string', ...span, value };
    case 'number':
      return { type: 'number', ...span, value };
    case 'boolean':
      return { type: 'boolean', ...span, value };
    default:
      break;
  }
  if (value instanceof Date || typeof value !== 'object' || value === null)
    return { type: 'string', ...span, value: value instanceof Date ? value.toISOString() : '' };
  const children = Object.entries(value).map(([key, item]): ConfigNode => {
    const own = place?.children.get(key);
    const keySpan = own?.key ?? span;
    const valueSpan = own?.value ?? span;
    const end = Math.max(keySpan.offset + keySpan.length, valueSpan.offset + valueSpan.length);
    const keyNode: ConfigNode = { type: 'string', ...keySpan, value: key };
    return {
      type: 'property',
      offset: keySpan.offset,
      length: end - keySpan.offset,
      children: [keyNode, nodeOf(item, valueSpan, own)],
    };
  });
  return { type: 'object', ...span, children };
}
