import type { EntryReader } from './entryReader.ts';
import type { Member } from '../syntax/configNode.ts';
import type { TextEdit } from '../configTypes.ts';

/** Reports a `command` that holds a whole command line: it would be looked for as one file with blanks in its name. */
export function checkCommandLine(reader: EntryReader, command: Member, text: string): void {
  const [program, ...words] = splitWords(text);
  // `C:\\Program Files\\x.exe` and `/Applications/My App/x` are paths; `npx -y x` and `./run.sh -v` are command lines.
  const isPath = program === undefined || (/[\\/]/.test(program) && !words.some((word) => word.startsWith('-')));
  if (words.length === 0 || isPath || program.includes('${')) return;
  const edit = reader.source.syntax === 'jsonc' ? movingWords(reader, command, program, words) : undefined;
  reader.report(command.value, 'command-with-arguments', 'error', {
    message: `\`command\` holds a whole command line; no program is called \`${text}\`.`,
    fix: `Write \`${program}\` there and put the rest into \`args\`.`,
    ...(edit ? { edit } : {}),
  });
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
