import { oneLine } from '../../../base/text/showInvisible.ts';
import { say } from '../../../base/say.ts';
import type { EntryReader } from '../entryReader.ts';
import { hasEscapeFault, hasLostBackslash } from '../suspectValues.ts';
import { inShell, needsShell } from './shellLine.ts';
import type { Member } from '../../syntax/configNode.ts';
import type { TextEdit } from '../../configTypes.ts';
import { writtenSecrets } from '../../variables/namedValues.ts';

/** A longer one is no command line that anybody wrote. */
const MAX_COMMAND_LINE = 4_000;

/** Reports a `command` that holds a whole command line: it would be looked for as one file with blanks in its name. */
export function checkCommandLine(reader: EntryReader, command: Member, text: string): void {
  // Of a string whose backslashes were meant otherwise nobody knows the words.
  if (text.length > MAX_COMMAND_LINE) return;
  if (hasEscapeFault(reader, command.value) || hasLostBackslash(reader, command.value, text)) return;
  if (/\s/.test(text.trim()) && needsShell(text)) return reportShellLine(reader, command, text);
  const [program, ...words] = splitWords(text);
  // `C:\\Program Files\\x.exe` and `/Applications/My App/x` are paths; `npx -y x` and `./run.sh -v` are command lines.
  const isPath = program === undefined || (/[\\/]/.test(program) && !words.some((word) => word.startsWith('-')));
  if (words.length === 0 || isPath || program.includes('${')) return;
  const edit = reader.source.syntax === 'jsonc' ? movingWords(reader, command, program, words) : undefined;
  reader.report(command.value, 'command-with-arguments', 'error', {
    message: say`\`command\` contains a command line; there is no program named \`${shownLine(text)}\`.`,
    fix: say`Keep \`${program}\` and move the rest to \`args\`.`,
    ...(edit ? { edit } : {}),
  });
}

function reportShellLine(reader: EntryReader, command: Member, text: string): void {
  const [program, ...words] = inShell(text);
  const args = reader.first(['args'])?.value;
  const canMove = reader.source.syntax === 'jsonc' && (!args || (args.children ?? []).length === 0);
  const edit = canMove ? movingWords(reader, command, program, words) : undefined;
  const options = words.slice(0, -1).map((word) => `\`${word}\``);
  reader.report(command.value, 'shell-line', 'error', {
    message: say`\`command\` is a line for a shell, and no shell reads it: \`${shownLine(text)}\`.`,
    fix: say`Write \`${program}\` as \`command\`, and ${options.join(', ')} and the line as \`args\`.`,
    ...(edit ? { edit } : {}),
  });
}

/** A command line without its secrets. */
function shownLine(text: string): string {
  return oneLine(writtenSecrets({ type: 'stdio', command: text, args: [], env: {} }).mask(text));
}

/** Words, at blanks; quotes hold together and are taken away. */
function splitWords(text: string): string[] {
  return (text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

/** One edit from `command` to `args` or the other way round, so that both change together. */
function movingWords(
  reader: EntryReader,
  command: Member,
  program: string,
  words: readonly string[],
): TextEdit | undefined {
  const items = words.map((word) => JSON.stringify(word)).join(', ');
  const { offset, length } = command.value;
  const end = offset + length;
  const args = reader.first(['args'])?.value;
  if (!args) return { offset, length, text: `${JSON.stringify(program)}, "args": [${items}]` };
  if (args.type !== 'array') return undefined;
  const afterBracket = args.offset + 1;
  const inserted = (args.children ?? []).length > 0 ? `${items}, ` : items;
  const between = (from: number, to: number): string => reader.written({ offset: from, length: to - from });
  return afterBracket > end
    ? { offset, length: afterBracket - offset, text: JSON.stringify(program) + between(end, afterBracket) + inserted }
    : {
        offset: afterBracket,
        length: end - afterBracket,
        text: inserted + between(afterBracket, offset) + JSON.stringify(program),
      };
}
