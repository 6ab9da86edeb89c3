import path from 'node:path';
import { matchesGlob } from '../../base/glob.ts';

/** Programs that start what their arguments say. */
const WRAPPERS =
  /^(?:(?:[ackz]|ba|da|fi|tc)?sh|cmd|powershell|pwsh|busybox|env|nice|nohup|setsid|stdbuf|time|timeout|xargs|sudo|doas|command|exec|start)$/;
/** What a shell parts commands by, whether or not it is in quotes. */
const BETWEEN_COMMANDS = /[;&|<>(){}`\r\n]/;
/** In front of a command, for a shell. */
const BEFORE_COMMAND = /^(?:\w+=.*|!|if|then|elif|else|while|until|do)$/s;
/** Of more, every deny rule counts as met. */
const MAX_WORDS = 100;
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 1_000;
const MAX_DEPTH = 3;

/**
 * Whether a rule that denies meets a command line, or one that it comes to through a shell or another program that starts
 * programs. Looks through folder, ending, quotes and, as the platform does, case.
 */
export function deniesWords(patterns: readonly string[], words: readonly string[], platform: NodeJS.Platform): boolean {
  if (isWrapper(words) && (words.length > MAX_WORDS || words.join('').length > MAX_CHARACTERS)) return true;
  let count = 0;
  for (const line of commandLines(words)) if (++count > MAX_LINES || fitsDenied(line, patterns, platform)) return true;
  return false;
}

/** The same for a line that a shell runs. */
export function deniesLine(patterns: readonly string[], line: string, platform: NodeJS.Platform): boolean {
  return deniesWords(patterns, ['sh', '-c', line], platform);
}

/** Whether a rule that allows fits a command, word by word. */
export function allowsWords(patterns: readonly string[], words: readonly string[], platform: NodeJS.Platform): boolean {
  const [program = '', ...rest] = words;
  // A pattern for a folder is none for what is outside of it.
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(program)) return false;
  const [wanted = '', ...others] = patterns;
  if (platform !== 'win32') return fitsWords(words, patterns);
  return fitsWords([withoutEnding(program).toLowerCase(), ...rest], [withoutEnding(wanted).toLowerCase(), ...others]);
}

/** The same for a line that a shell runs: only for one plain command. */
export function allowsLine(patterns: readonly string[], line: string, platform: NodeJS.Platform): boolean {
  const withoutVariables = line.replaceAll(/\$\{[\w.:-]*\}/g, '');
  if (BETWEEN_COMMANDS.test(withoutVariables) || withoutVariables.includes('$')) return false;
  const words = (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
  return allowsWords(patterns, words, platform);
}

/** The words themselves, and every command line that they may come to. */
function* commandLines(words: readonly string[], depth = 0): Generator<readonly string[]> {
  yield words;
  if (depth === MAX_DEPTH || !isWrapper(words)) return;
  const args = words.slice(1);
  for (const [index, word] of args.entries()) {
    yield* commandLines(args.slice(index), depth + 1);
    for (const line of simpleCommands(word)) yield* commandLines(line, depth + 1);
  }
}

function isWrapper([program = '']: readonly string[]): boolean {
  return WRAPPERS.test(baseName(comparable(program)).toLowerCase());
}

/** The commands in a text for a shell. A backslash is taken for a quote, and for a separator. */
function simpleCommands(text: string): readonly (readonly string[])[] {
  const spaced = text.replaceAll(/\$\{?IFS\}?/g, ' ');
  // What comes to nothing may stand within a word.
  const joined = spaced.replaceAll(/\$\(\s*\)|`\s*`|\$\{\w*\}|\$\w+/g, '');
  return [spaced, joined]
    .flatMap((each) => each.split(BETWEEN_COMMANDS))
    .flatMap((part) => {
      const words = part.split(/\s+/).filter((word) => word !== '');
      const first = words.findIndex((word) => !BEFORE_COMMAND.test(word));
      if (first < 0) return [];
      return [/["'\\^]/g, /["'^]/g].map((quotes) => words.slice(first).map((word) => word.replaceAll(quotes, '')));
    });
}

function fitsDenied(words: readonly string[], patterns: readonly string[], platform: NodeJS.Platform): boolean {
  const fold = (word: string): string => (platform === 'win32' || platform === 'darwin' ? word.toLowerCase() : word);
  const [program = '', ...args] = words.map(fold);
  const [wanted = '', ...others] = patterns.map(fold);
  const file = comparable(program);
  return [file, baseName(file)].some((each) => fitsWords([each, ...args], [comparable(wanted), ...others]));
}

/** A program's path in one form: `C:\bin\..\Docker.EXE.` is `C:/Docker`. */
function comparable(program: string): string {
  let end = program.length;
  while (end > 1 && ' .'.includes(program.charAt(end - 1))) end -= 1;
  return withoutEnding(path.posix.normalize(program.slice(0, end).replaceAll('\\', '/')));
}

function withoutEnding(program: string): string {
  return program.replace(/\.(?:exe|com|cmd|bat|ps1)$/i, '');
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function fitsWords(words: readonly string[], patterns: readonly string[]): boolean {
  const isOpen = patterns.at(-1) === '**';
  const exact = isOpen ? patterns.slice(0, -1) : patterns;
  if (isOpen ? words.length < exact.length : words.length !== exact.length) return false;
  return exact.every((pattern, index) => matchesGlob(words[index] ?? '', pattern));
}
