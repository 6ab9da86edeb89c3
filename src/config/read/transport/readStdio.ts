import { isRecord } from '../../../base/json/json.ts';
import type { EntryReader, TextItem } from '../entryReader.ts';
import { checkDockerRun } from './dockerRun.ts';
import { checkJoinedArguments, checkMisplacedArguments } from './joinedArguments.ts';
import { programName } from '../../../base/files/programName.ts';
import { oneLine } from '../../../base/text/invisible.ts';
import { say } from '../../../base/say.ts';
import { hasEscapeFault, hasLostBackslash } from '../suspectValues.ts';
import { inShell, needsShell } from './shellLine.ts';
import { plainValue, type Member } from '../../syntax/configNode.ts';
import { OWN_SCOPES, type TransportSpec, type TextEdit } from '../../configTypes.ts';
import { writtenSecrets } from '../../variables/namedValues.ts';

/**
 * Reads what starts a process.
 * @param command the member of that name: a text, a list that has the arguments, too, or an object (Zed's `path`, `args`
 *   and `env`)
 */
export function readStdio(reader: EntryReader, command: Member): TransportSpec | undefined {
  if (command.value.type === 'object') {
    const inner = reader.inside(command.value);
    const path = inner.first(['path']);
    if (path && path.value.type !== 'object') return readStdio(inner, path);
  }
  const words = command.value.type === 'array' ? reader.items('command', command.value) : commandText(reader, command);
  const [program, ...first] = words;
  if (program === undefined || program.text.trim() === '') {
    if (reader.problems.every((problem) => problem.severity !== 'error'))
      reader.report(command.value, 'empty-command', 'error', {
        message: say`\`command\` is empty.`,
        fix: say`Name the program to start, e.g. \`npx\`.`,
      });
    return undefined;
  }
  if (command.value.type === 'string') checkCommandLine(reader, command, program.text);
  const args = [...first, ...reader.texts(['args'])];
  checkDockerRun(reader, program.text, args);
  checkJoinedArguments(reader, program.text, args);
  checkMisplacedArguments(reader, program.text, args);
  const script = scriptOption([program.text, ...args.map(({ text }) => text)]) - 1;
  const cwd = reader.text(['cwd']);
  const envFile = reader.text(['envFile']);
  return {
    type: 'stdio',
    // A blank around it is no part of a file's name.
    command: reader.note('command', program.text.trim(), program.node),
    args: args.map(({ text, node }, index) => reader.note(`args[${index}]`, text, node, script >= 0 && index > script)),
    env: { ...forwarded(reader), ...reader.variables(['env', 'environment']) },
    ...(cwd === undefined ? {} : { cwd }),
    ...(envFile === undefined ? {} : { envFile }),
  };
}

/**
 * The variables of the editor that a folder's file of Codex asks for (`env_vars`: names, or objects with a `name`). A server of
 * the user's has them anyway.
 */
function forwarded(reader: EntryReader): Record<string, string> {
  const list = reader.value('env_vars');
  if (list?.type !== 'array' || OWN_SCOPES.has(reader.source.source.scope)) return {};
  const names = (list.children ?? []).map((item) => {
    const plain = plainValue(item);
    return isRecord(plain) ? plain['name'] : plain;
  });
  const known = names.filter((name) => typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name));
  for (const name of known) reader.places.set(`env.${String(name)}`, list);
  return Object.fromEntries(known.map((name) => [name, `\${env:${String(name)}:-}`]));
}

/** Where PowerShell is told that a script follows; -1 for nowhere. */
function scriptOption(words: readonly string[]): number {
  const shell = words.findIndex((word) => /^(?:powershell|pwsh)$/.test(programName(word)));
  return shell < 0 ? -1 : words.findIndex((word, index) => index > shell && /^[-/](?:c|command)$/i.test(word));
}

function commandText(reader: EntryReader, command: Member): TextItem[] {
  const text = reader.text([command.key]);
  return text === undefined ? [] : [{ text, node: command.value }];
}

/** A longer one is no command line that anybody wrote. */
const MAX_COMMAND_LINE = 4_000;

/** Reports a `command` that holds a whole command line: it would be looked for as one file with blanks in its name. */
function checkCommandLine(reader: EntryReader, command: Member, text: string): void {
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
