import { oneLine } from '../../../base/text/showInvisible.ts';
import { programName } from '../../../base/files/programName.ts';
import { say } from '../../../base/say.ts';
import { replacing, type EntryReader, type TextItem } from '../entryReader.ts';

/** Behind these of an interpreter, an argument is a script. */
const SCRIPT_OPTION = /^(?:-c|-e|--eval|\/c|-command|-lc|-ic)$/i;
const SHELL = /^(?:sh|bash|zsh|dash|ksh|fish|cmd|powershell|pwsh|wsl|ssh)$/;
const INTERPRETER = /^(?:node|deno|bun|python[\d.]*|py|perl|ruby|php)$/;
/** An option with what belongs behind it, at blanks or commas: `-y some-mcp`, `-y,some-mcp,--stdio`. */
const JOINED = /^--?[A-Za-z][\w-]*(?: +|,)\S/;
/** A command with options: `run --with pkg`. */
const JOINED_COMMAND = /^[A-Za-z@][\w@./:+-]*(?: +[\w@./:+-]+)* +--?[A-Za-z]/;

/** Points out an argument that holds several: the program gets it as one word, and doesn't know it. */
export function checkJoinedArguments(reader: EntryReader, program: string, args: readonly TextItem[]): void {
  let interpreted = isInterpreter(program);
  if (SHELL.test(programName(program))) return;
  for (const [index, { text, node }] of args.entries()) {
    if (interpreted && SCRIPT_OPTION.test(text)) return;
    interpreted ||= isInterpreter(text);
    if (!JOINED.test(text) && !(index === 0 && JOINED_COMMAND.test(text))) continue;
    const words = text.includes(' ') ? (text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map(unquoted) : text.split(',');
    // The rest may be secret.
    const shown = oneLine(words[0] ?? '');
    reader.report(node, 'joined-arguments', 'warning', {
      message: say`The argument that begins with \`${shown}\` holds ${words.length} words, and the program gets them as one.`,
      fix: say`Make each word an item of its own.`,
      // An item of a list in TOML has no place of its own.
      ...(reader.source.syntax === 'jsonc'
        ? { edit: replacing(node, words.map((word) => JSON.stringify(word)).join(', ')) }
        : {}),
    });
  }
}

/** Runs a package: what stands behind the package is the package's own. */
const RUNNER = /^(?:npx|bunx|pnpx|uvx|pipx)$/;
/** `-e NAME=value`, as commands that add a server and `docker run` have it, in one word or two. */
const VARIABLE = /^[A-Z][A-Z0-9_]*(?==)/;

/** Points out variables among the arguments of a package, which nobody sets, and an argument that is nothing. */
export function checkMisplacedArguments(reader: EntryReader, program: string, args: readonly TextItem[]): void {
  const [only] = args;
  if (only?.text === '' && args.length === 1)
    reader.report(only.node, 'empty-argument', 'warning', {
      message: say`The only argument is empty, and the program gets it as one.`,
      fix: say`Remove it: \`"args": []\`.`,
    });
  if (!RUNNER.test(programName(program))) return;
  for (const [index, { text, node }] of args.entries()) {
    const option = /^(?:-e|--env)(?==|$)/.exec(text)?.[0];
    if (option === undefined) continue;
    const name = VARIABLE.exec(text === option ? (args[index + 1]?.text ?? '') : text.slice(option.length + 1))?.[0];
    if (name === undefined) continue;
    reader.report(node, 'misplaced-variable', 'warning', {
      message: say`\`${option} ${name}=…\` is an argument of the package here: it sets no variable.`,
      fix: say`Move it into \`env\`: \`${`"env": { "${name}": "…" }`}\`.`,
    });
  }
}

function isInterpreter(word: string): boolean {
  const name = programName(word);
  return SHELL.test(name) || INTERPRETER.test(name);
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/, '$2');
}
