import { say } from '../../base/say.ts';
import { createScanner } from 'jsonc-parser';
import { kindOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import type { Span } from '../syntax/sourceText.ts';

/** Adds `value` at `path`; a list at `path` gets it as its last item. What is missing on the way is made. */
export interface Addition {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Why a file stays as it is, and where. Line and column count from 1. */
export interface EditRefusal {
  readonly line: number;
  readonly column: number;
  /** One sentence. */
  readonly message: string;
}

export type EditedConfig = { readonly text: string } | { readonly refusal: EditRefusal };

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Adds to a config file (JSON with comments). Everything else stays as it is: comments, indentation, line ends, byte order
 * mark, final newline. A file with a syntax error is refused, and so is an addition that would replace something.
 * @param additionsFor says what to add, given the file's root object
 */
export function editConfigFile(text: string, additionsFor: (root: ConfigNode) => readonly Addition[]): EditedConfig {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  let edited = withRoot(text.slice(mark.length));
  const root = rootOf(edited);
  if ('refusal' in root) return root;
  for (const addition of additionsFor(root)) {
    const next = add(edited, addition);
    if (typeof next !== 'string') return next;
    edited = next;
  }
  return { text: mark + edited };
}

/** A refusal at a place in `text`. */
export function refusalAt(text: string, { offset }: Span, message: string): EditRefusal {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

/** A text without any value (empty, or comments alone) gets an empty object. */
function withRoot(text: string): string {
  const { root, faults } = readJsonc(text);
  if (root || faults.length > 0) return text;
  const eol = eolOf(text);
  const rest = text.trim() === '' ? '' : text.trimEnd() + eol;
  return `${rest}{}${eol}`;
}

function rootOf(text: string): ConfigNode | { readonly refusal: EditRefusal } {
  const { root, faults } = readJsonc(text);
  const [fault] = faults;
  if (fault) return { refusal: refusalAt(text, fault.span, fault.message) };
  if (root?.type === 'object') return root;
  const found = root ? kindOf(root) : 'nothing';
  return {
    refusal: refusalAt(text, root ?? { offset: 0, length: 0 }, say`The file must contain an object, not ${found}.`),
  };
}

function add(text: string, { path, value }: Addition): string | { readonly refusal: EditRefusal } {
  let parent = rootOf(text);
  if ('refusal' in parent) return parent;
  let depth = 0;
  for (let next = valueAt(parent, path[0] ?? ''); next && depth < path.length; depth += 1) {
    parent = next;
    next = valueAt(next, path[depth + 1] ?? '');
  }
  const missing = path.slice(depth);
  const [key, ...inner] = missing;
  if (parent.type === 'array' && key === undefined) return insert(text, parent, '', value);
  if (parent.type === 'object' && key !== undefined)
    return insert(
      text,
      parent,
      `${JSON.stringify(key)}: `,
      inner.reduceRight<unknown>((rest, name) => ({ [name]: rest }), value),
    );
  const name = path[depth - 1] ?? '';
  const message =
    key === undefined ? say`\`${name}\` exists already.` : say`\`${name}\` must be an object, not ${kindOf(parent)}.`;
  return { refusal: refusalAt(text, parent, message) };
}

/** Puts `prefix` and `value` behind the last child of an object or list, in the style of the file. */
function insert(text: string, parent: ConfigNode, prefix: string, value: unknown): string {
  const eol = eolOf(text);
  const unit = indentUnitOf(text);
  const own = text.slice(parent.offset, parent.offset + parent.length);
  const closing = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const outer = indentAt(text, parent.offset);
  if (!last) {
    const contentEnd = parent.offset + own.slice(0, -1).trimEnd().length;
    const indent = outer + unit;
    const rest = /[\r\n]/.test(text.slice(contentEnd, closing)) ? text.slice(contentEnd, closing) : eol + outer;
    return (
      text.slice(0, contentEnd) + eol + indent + prefix + pretty(value, unit, eol + indent) + rest + text.slice(closing)
    );
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd);
  const withComma = comma === undefined ? `${text.slice(0, lastEnd)},` : text.slice(0, comma + 1);
  const from = comma === undefined ? lastEnd : comma + 1;
  const trailing = comma === undefined ? '' : ',';
  if (!/[\r\n]/.test(own)) return `${withComma} ${prefix}${inline(value)}${trailing}${text.slice(from)}`;
  // A comment at the end of the line belongs to what is before it.
  const remark = /^(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(from))?.[0] ?? '';
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  const added = eol + indent + prefix + pretty(value, unit, eol + indent) + trailing;
  return withComma + remark + added + text.slice(from + remark.length);
}

/** Puts a value in the place of a node, in the style of the file. */
export function replaceNode(text: string, node: ConfigNode, value: unknown): string {
  const { offset, length } = node;
  const isInline = !/[\r\n]/.test(text.slice(offset, offset + length)) && length > 2;
  const written = isInline ? inline(value) : pretty(value, indentUnitOf(text), eolOf(text) + indentAt(text, offset));
  return text.slice(0, offset) + written + text.slice(offset + length);
}

function pretty(value: unknown, unit: string, newLine: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', newLine);
}

function inline(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
}

/** Where a comma comes next, comments passed over. */
export function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text.charAt(at) === ',' ? at : undefined;
}

/** The line ends of a text. */
export function eolOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}

/** One level of indentation: what the first child that starts a line is further in than its parent's line. */
export function indentUnitOf(text: string): string {
  const { root } = readJsonc(text);
  return (root && unitBelow(text, root)) ?? '  ';
}

function unitBelow(text: string, node: ConfigNode): string | undefined {
  const outer = indentAt(text, node.offset);
  for (const child of node.children ?? []) {
    const indent = startsLine(text, child.offset) ? indentAt(text, child.offset) : '';
    if (indent.length > outer.length && indent.startsWith(outer)) return indent.slice(outer.length);
    const value = child.type === 'property' ? child.children?.[1] : child;
    const unit = value && unitBelow(text, value);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** Where the line begins that an offset is in. */
export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** Whether only blanks stand before an offset in its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}
