import path from 'node:path';
import { matchesGlob } from '../../base/text/glob.ts';

/** Programs of which any argument may be a command line. */
const WRAPPERS =
  /^(?:\w*sh|cmd|powershell|busybox|toybox|env|xargs|sudo|doas|su|watch|parallel|script|wsl|forfiles|command|exec|eval|start)$/;
/** Those of them that read a language in which a command can be put together. */
const SHELLS = /^(?:\w*sh|cmd|powershell|busybox|toybox)$/;
/** Programs that run what an option or a setting names; the wrappers do as well, but for `cmd`, whose line is all that follows. */
const RUNNERS =
  /^(?:git|hg|svn|scp|sftp|sshfs|rsync|(?:bsd|g)?tar|zip|sort|n?vim?|view|ex|emacs|less|more|man|flock|runuser|sg|alias|g?make|bazel|rg|fzf|gdb|socat)$/;
/** The same of whatever program. */
const RUNNING_OPTION = /(?:command|cmd|exec|run|call|shell|rsh|program|editor|pager|browser|on\w*error|\.runner)=$/i;
/** In a line for a shell; they are looked at with the command that they belong to. */
const PLAIN_OPTIONS = /(?<=\s)--[\w-]+=[\w.-]+(?=\s|$)/g;
/** The option of whatever program before a command line or a piece of code. */
const BEFORE_LINE = /^(?:-\w{0,3}[ceErR]|-p|\/c|\/k|--(?:[a-z-]*command|call|eval|exec|print|run)|-command)$/i;
/** What a shell makes something else of, so that nobody can tell what runs. */
const UNREADABLE = /[$`*?[\]%]|\w'?\+'?\w|^(?:iex|invoke-expression)$/i;
/** A list of words in braces where a command begins; a group of commands has a blank behind its brace. */
const BRACES = /(?:^|[;&|(\n`])\s*\{[^\s}]/;
/** The arguments that a shell was given: they are looked at anyway. */
const OWN_ARGUMENTS = /^"?\$\{?[@*\d]\}?"?$/;
/** In front of an encoded command, and what reads commands from its input. */
const ENCODED = /^-e(?:c|nc?o?d?e?d?c?o?m?m?a?n?d?)?$/i;
/** Characters that the file system of macOS passes over. */
const IGNORED_BY_MACOS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** A package from elsewhere under the name of another: `name@npm:other`, `name @ https://…`. */
const ALIAS = /.\s*@\s*[a-z][a-z+.-]*:/i;
const CLIMBS = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
/** What a shell parts commands by, whether or not it is in quotes. */
const BETWEEN_COMMANDS = /[;&|<>(){}`\r\n]/;
/** In front of a command, for a shell. */
const BEFORE_COMMAND = /^(?:\w+=.*|!|if|then|elif|else|while|until|do|call|shell)$/s;
/** Of more, every deny rule counts as met. */
const MAX_WORDS = 100;
const MAX_SUFFIXES = 1_000;
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 1_000;
const MAX_DEPTH = 3;
/** So many parts of a word that `=` parts are looked at one by one. */
const MAX_PARTS = 8;

/**
 * Whether a rule that denies meets a command line, or one that it may come to: what stands behind any program, after an
 * option like `-c`, or in a line for a shell. What a shell puts together counts as met. Looks through folder, ending, quotes
 * and, as the platform does, case.
 */
export function deniesWords(patterns: readonly string[], words: readonly string[], platform: NodeJS.Platform): boolean {
  if (isWrapper(words) && (words.length > MAX_WORDS || words.join('').length > MAX_CHARACTERS)) return true;
  if (words.length > MAX_SUFFIXES) return true;
  if (words.some((_, index) => fitsDenied(words.slice(index), patterns, platform))) return true;
  let count = 0;
  for (const line of commandLines(words))
    if (++count > MAX_LINES || line === 'unreadable' || fitsDenied(line, patterns, platform)) return true;
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
  if (CLIMBS.test(program)) return false;
  const [wanted = '', ...others] = patterns;
  if (rest.some((word, index) => leavesPattern(word, others[index] ?? ''))) return false;
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

/** Whether a word fits a pattern's wildcard and yet names something elsewhere. */
function leavesPattern(word: string, pattern: string): boolean {
  if (pattern === '**' || !/[*?]/.test(pattern)) return false;
  return CLIMBS.test(word) || (ALIAS.test(word) && !ALIAS.test(pattern));
}

/**
 * The words themselves, and every command line that they may come to.
 * @param isRest they are the end of words that are looked at as well
 */
function* commandLines(
  words: readonly string[],
  depth = 0,
  isRest = false,
): Generator<readonly string[] | 'unreadable'> {
  yield words;
  if (depth === MAX_DEPTH) return;
  const [program = '', ...args] = words;
  const isShell = SHELLS.test(programOf(program));
  if (isShell && args.some((word) => ENCODED.test(word)) && /^(?:powershell|pwsh)$/.test(programOf(program)))
    yield 'unreadable';
  const runner = isRest ? -1 : words.findIndex(runsWhatOptionsName);
  for (const [index, word] of args.entries()) {
    if (isWrapper(words)) yield* commandLines(args.slice(index), depth + 1, true);
    const isLine = isWrapper(words) || BEFORE_LINE.test(args[index - 1] ?? '');
    const joined = isRest ? [] : joinedTexts(words, index + 1, runner >= 0 && runner <= index);
    for (const text of [...(isLine ? [word] : []), ...joined])
      for (const line of simpleCommands(text)) {
        if (
          text === word &&
          isShell &&
          BEFORE_LINE.test(args[index - 1] ?? '') &&
          (isUnreadable(line) || BRACES.test(text))
        )
          yield 'unreadable';
        yield* commandLines(line, depth + 1);
      }
  }
}

function isCmd(word: string): boolean {
  return /cmd/i.test(word) && programOf(word) === 'cmd';
}

function runsWhatOptionsName(word: string): boolean {
  const program = programOf(word);
  return RUNNERS.test(program) || (WRAPPERS.test(program) && program !== 'cmd');
}

/**
 * What of a word may be a command line of its own: behind a `=`, as in `-c core.sshCommand=…`, or joined to an option.
 * @param isBehindRunner else one name alone is most likely none of a program: `--driver=docker`, or the end of `-alarm`
 */
function joinedTexts(words: readonly string[], at: number, isBehindRunner: boolean): readonly string[] {
  const given = words[at] ?? '';
  const word = isWrapper(words) && !given.startsWith('-') ? given.replaceAll(PLAIN_OPTIONS, '') : given;
  const texts = word.split('=', MAX_PARTS).map((_, index, parts) => parts.slice(index).join('='));
  const behind = word.split('=').length > MAX_PARTS ? [word.slice(word.lastIndexOf('=') + 1)] : [];
  const ofOption = /^-\w/.test(word) ? [2, 3, 4].map((length) => word.slice(length)) : [];
  // `ssh -o "ProxyCommand …"`: the name of a setting, and a blank.
  const setting = words[at - 1] === '-o' ? `-o${word}` : word;
  const ofSetting = /^-o\s*\w+\s+(.+)$/s.exec(setting)?.slice(1) ?? [];
  const ofEditor = word.startsWith('+') ? [word.slice(1)] : [];
  // To this one, all that follows is one line.
  const [before] = /^(?:\/[a-z](?::\w+)?)*\/[ckr]/i.exec(word) ?? [];
  const isRest = before !== undefined && words.slice(0, at).some(isCmd);
  const ofRest = isRest ? [[word.slice(before.length), ...words.slice(at + 1)].join(' ')] : [];
  const isLine = (text: string): boolean =>
    isBehindRunner || /[\s/\\]/.test(text) || RUNNING_OPTION.test(word.slice(0, word.length - text.length));
  return [...[...texts.slice(1), ...behind, ...ofOption, ...ofSetting, ...ofEditor].filter(isLine), ...ofRest];
}

/** Whether what a simple command runs is put together by the shell, or comes from its input. */
function isUnreadable(words: readonly string[]): boolean {
  const [program = '', ...args] = words;
  const last = baseName(program.replaceAll('\\', '/'));
  if (UNREADABLE.test(last) && !OWN_ARGUMENTS.test(last)) return true;
  const next = args.findIndex((word) => !/^(?:-|\w+=)/.test(word));
  if (next >= 0 && isWrapper(words) && isUnreadable(args.slice(next))) return true;
  return SHELLS.test(programOf(program)) && args.every((word) => /^-[a-z]?$/.test(word));
}

function programOf(program: string): string {
  return baseName(comparable(program)).toLowerCase();
}

function isWrapper([program = '']: readonly string[]): boolean {
  return WRAPPERS.test(programOf(program));
}

/** The commands in a text for a shell. A backslash is taken for a quote, and for a separator. */
function simpleCommands(text: string): readonly (readonly string[])[] {
  const spaced = text.replaceAll(/\$\{?IFS\}?/g, ' ').replaceAll(/\$\{(\w+(?:[.:]\w+)?)\}/g, '$$$1');
  // What comes to nothing may stand within a word.
  const joined = spaced.replaceAll(/\$\(\s*\)|`\s*`|\$\{\w*\}|\$\w+/g, '');
  return [...new Set([spaced, joined])]
    .flatMap((each) => each.split(BETWEEN_COMMANDS))
    .flatMap((part) => {
      const words = part.split(/\s+/).filter((word) => word !== '');
      const first = words.findIndex((word) => !BEFORE_COMMAND.test(word));
      if (first < 0) return [];
      const [program = '', ...args] = words.slice(first);
      const line = [program.replace(/^!+/, ''), ...args];
      const plain = line.map((word) => word.replaceAll(/["'^]/g, ''));
      const withoutBackslashes = plain.map((word) => word.replaceAll('\\', ''));
      return plain.some((word, index) => word !== withoutBackslashes[index]) ? [withoutBackslashes, plain] : [plain];
    });
}

function fitsDenied(words: readonly string[], patterns: readonly string[], platform: NodeJS.Platform): boolean {
  const fold = (word: string): string => {
    if (platform === 'darwin') return word.normalize('NFC').replaceAll(IGNORED_BY_MACOS, '').toLowerCase();
    return platform === 'win32' ? word.toLowerCase() : word;
  };
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
