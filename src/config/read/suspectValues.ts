import { hasPlainVariables } from '../variables/clientVariables.ts';
import { oneLine } from '../../base/text/showInvisible.ts';
import { say } from '../../base/say.ts';
import { withPathEscapes } from '../syntax/pathEscapes.ts';
import { stringOf, type ConfigNode } from '../syntax/configNode.ts';
import { replacing, type EntryReader } from './entryReader.ts';
import { bareVariableIn, placeholderIn } from './placeholders.ts';
import { isShellOperator, startsShell, substitutionIn } from './transport/shellLine.ts';

/** Fields whose values are used as they are. */
const USED_AS_IS = /^(?:command$|args\[|env\.|cwd$|envFile$|url$|headers\.)/;
const MAX_QUOTED = 80;

/**
 * Points out values that say something else than what will be used: a path whose backslashes are escapes, a placeholder,
 * what only a shell would act on, blanks that nobody sees.
 * @param isDisabled the server doesn't run, so what is said is a hint
 */
export function checkValues(reader: EntryReader, isDisabled: boolean): void {
  const severity = isDisabled ? 'hint' : 'warning';
  const hasShell = startsShell(wordsOf(reader));
  for (const [field, node] of reader.places) {
    const value = stringOf(node);
    if (value === undefined || !USED_AS_IS.test(field)) continue;
    if (hasEscapeFault(reader, node)) continue;
    if (hasLostBackslash(reader, node, value)) {
      const literal = withPathEscapes(reader.written(node));
      reader.report(node, 'path-escape', severity, {
        message: say`In \`${field}\`, a backslash and the letter after it are read as a control character.`,
        fix: say`Write \`\\\\\` for one backslash.`,
        ...(literal === undefined ? {} : { edit: replacing(node, literal) }),
      });
      continue;
    }
    checkBlanks(reader, field, node, value, severity);
    checkPlaceholder(reader, field, node, value, severity, hasShell);
    if (!hasShell) checkShellText(reader, field, node, value, severity);
  }
}

/** Blanks at an end, also such that nobody sees: they come along when a value is copied. */
const END_BLANKS = /^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/gu;

/** An argument may have blanks, and so may a text of several lines, such as a key. */
function checkBlanks(
  reader: EntryReader,
  field: string,
  node: ConfigNode,
  value: string,
  severity: 'hint' | 'warning',
): void {
  // Around a command or an address, ordinary blanks are left out.
  const used = field === 'command' || field === 'url' ? value.trim() : value;
  const trimmed = value.replaceAll(END_BLANKS, '');
  if (trimmed === used || trimmed === '' || field.startsWith('args[') || trimmed.includes('\n')) return;
  reader.report(node, 'blank-at-end', severity, {
    message: say`\`${field}\` begins or ends with a blank, which is used as it stands.`,
    fix: say`Remove the blank.`,
    edit: replacing(node, JSON.stringify(trimmed)),
  });
}

/** An escape in the string is none: what was meant isn't known. */
export function hasEscapeFault(reader: EntryReader, node: ConfigNode): boolean {
  return reader.problems.some(({ code, range }) => code === 'invalid-escape' && range.offset === node.offset);
}

/** A Windows path whose backslashes were read as escapes. An item of a list in TOML has no place of its own. */
export function hasLostBackslash(reader: EntryReader, node: ConfigNode, value: string): boolean {
  return withPathEscapes(reader.written(node)) !== undefined || /[\b\f\v]|(?<!\w)[A-Za-z]:[\t\n\r]/.test(value);
}

function wordsOf(reader: EntryReader): string[] {
  return [...reader.places].flatMap(([field, node]) =>
    /^(?:command$|args\[)/.test(field) ? (stringOf(node) ?? []) : [],
  );
}

function checkPlaceholder(
  reader: EntryReader,
  field: string,
  node: ConfigNode,
  value: string,
  severity: 'hint' | 'warning',
  hasShell: boolean,
): void {
  // `<file` is a redirection there.
  if (hasShell && field.startsWith('args[')) return;
  const found = placeholderIn(value) ?? (hasPlainVariables(reader.client) ? undefined : bareVariableIn(value));
  // Of an address that is none, it is said already.
  if (!found || reader.problems.some(({ code, range }) => code === 'placeholder' && range.offset === node.offset))
    return;
  const { written, meant } = found;
  const at = reader.written(node).indexOf(written);
  const edit =
    meant !== undefined && at >= 0 ? { offset: node.offset + at, length: written.length, text: meant } : undefined;
  reader.report(node, 'placeholder', severity, {
    message:
      meant === undefined
        ? say`\`${shortened(written)}\` in \`${field}\` looks like a placeholder.`
        : say`\`${shortened(written)}\` in \`${field}\` isn’t a variable and is used as it stands.`,
    fix:
      meant === undefined
        ? say`Replace it with your own value, or with \`\${input:…}\` to be asked.`
        : say`Write \`${meant}\`.`,
    ...(edit ? { edit } : {}),
  });
}

function checkShellText(
  reader: EntryReader,
  field: string,
  node: ConfigNode,
  value: string,
  severity: 'hint' | 'warning',
): void {
  const isOperator = field.startsWith('args[') && isShellOperator(value);
  const found = isOperator ? value : substitutionIn(value);
  // Of a command line the command itself is reported.
  if (found === undefined || (field === 'command' && /\s/.test(value))) return;
  reader.report(node, 'no-shell', severity, {
    message: say`\`${shortened(found)}\` in \`${field}\` isn’t run: no shell reads it, so the server gets it as text.`,
    fix:
      field.startsWith('env.') || field.startsWith('headers.')
        ? say`Write the value, or a variable.`
        : say`Start it with \`sh\` and \`-c\` (\`cmd\` and \`/c\` on Windows).`,
  });
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}
