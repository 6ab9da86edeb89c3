import { structuredPatch } from 'diff';
import { isRecord, type JsonObject } from '../../base/json/json.ts';

const PATH_NAMES = ['path', 'file_path', 'filePath', 'file', 'filename', 'uri'];
const CONTENT_NAMES = ['content', 'contents', 'new_content', 'newContent', 'file_text', 'text'];
const OLD_NAMES = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'];
const NEW_NAMES = ['new_string', 'newString', 'new_str', 'newText', 'new_text'];

/** A file that a call seems to write, and what its text would become. */
export interface FileEdit {
  /** As the call has it: absolute, relative, or a `file:` URI. */
  readonly path: string;
  /** `undefined`: what is to be replaced isn't in the text. */
  apply(text: string): string | undefined;
}

/** Reads the arguments of a tool that edits a file: a path with a whole new text, or with pieces to replace. */
export function fileEdit(args: JsonObject): FileEdit | undefined {
  const path = member(args, PATH_NAMES);
  if (path === undefined) return undefined;
  const content = member(args, CONTENT_NAMES);
  if (content !== undefined) return { path, apply: () => content };
  const pieces: readonly unknown[] = Array.isArray(args['edits']) ? args['edits'] : [args];
  const replacements = pieces.map((piece) => (isRecord(piece) ? replacement(piece) : undefined));
  if (replacements.length === 0 || replacements.includes(undefined)) return undefined;
  return {
    path,
    apply: (text) =>
      replacements.reduce<string | undefined>((now, piece) => now && piece && replaceOnce(now, piece), text),
  };
}

function replacement(piece: Record<string, unknown>): readonly [string, string] | undefined {
  const before = member(piece, OLD_NAMES);
  const after = member(piece, NEW_NAMES);
  return before === undefined || before === '' || after === undefined ? undefined : [before, after];
}

function replaceOnce(text: string, [before, after]: readonly [string, string]): string | undefined {
  const at = text.indexOf(before);
  return at < 0 ? undefined : text.slice(0, at) + after + text.slice(at + before.length);
}

function member(object: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Lines of context around a change. */
const CONTEXT = 3;
/** A comparison that takes longer shows the whole text as replaced, in milliseconds. */
const DIFF_LIMIT_MS = 200;

/** The difference between two texts as a unified diff without file names, at most `maxLines` long; empty if they are equal. */
export function unifiedDiff(before: string, after: string, maxLines: number): string {
  if (before === after) return '';
  const options = { context: CONTEXT, timeout: DIFF_LIMIT_MS };
  const hunks = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', options)?.hunks;
  const lines = hunks
    ? hunks.flatMap(({ oldStart, newStart, lines: changes }) => [`@@ -${oldStart} +${newStart} @@`, ...changes])
    : ['@@ -1 +1 @@', ...prefixed('-', before), ...prefixed('+', after)];
  if (lines.length <= maxLines) return lines.join('\n');
  return [...lines.slice(0, maxLines), `… (${lines.length - maxLines} more lines)`].join('\n');
}

function prefixed(sign: string, text: string): string[] {
  return text.split('\n').map((line) => sign + line);
}
