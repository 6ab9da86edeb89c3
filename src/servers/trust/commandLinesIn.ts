import path from 'node:path';

/** Programs of which any argument may be a command line. */
const WRAPPERS =
  /^(?:\w*sh|cmd|powershell|busybox|toybox|env|xargs|sudo|doas|su|watch|parallel|script|wsl|forfiles|command|exec|eval|start)$/;
/** Those of them that read a language in which a command can be put together. */
const SHELLS = /^(?:\w*sh|cmd|powershell|busybox|toybox)$/;
/** Programs that run the words behind them; any other may, too, but in a line for a shell most words are names and prose. */
const STARTERS =
  /^(?:nice|ionice|timeout|nohup|setsid|stdbuf|unbuffer|time|chroot|chrt|taskset|unshare|nsenter|setpriv|prlimit|[sl]trace|flock|runuser|sg|pkexec|systemd-run|dbus-run-session|firejail|bwrap|caffeinate|arch|open|cross-env|dotenv|p?np[mx]|yarn|bunx?|uvx?|pipx|ssh)$/;
/** Programs that run what an option or a setting names; the wrappers do as well, but for `cmd`, whose line is all that follows. */
const RUNNERS =
  /^(?:git|hg|svn|scp|sftp|sshfs|rsync|(?:bsd|g)?tar|zip|sort|n?vim?|view|ex|emacs|less|more|man|flock|runuser|sg|alias|g?make|bazel|rg|fzf|gdb|socat)$/;
/** The same of whatever program: the end of what stands before the command. */
const RUNNING_OPTION =
  /(?:command|cmd|exec|run|call|shell|rsh|program|editor|pager|browser|on\w{0,40}error|\.runner)=$/i;
const MAX_OPTION = 60;
/** In a line for a shell; they are looked at with the command that they belong to. */
const PLAIN_OPTIONS = /(?<=\s)--[\w-]+=[\w.-]+(?=\s|$)/g;
/** The option of whatever program before a command line or a piece of code. */
const BEFORE_LINE = /^(?:-\w{0,3}[ceErR]|-p|\/c|\/k|--(?:[a-z-]*command|call|eval|exec|print|run)|-command)$/i;
/** What a shell makes something else of, so that nobody can tell what runs. */
const UNREADABLE = /[$`*?[\]%]|\w'?\+'?\w|^(?:iex|invoke-expression)$/i;
/** A list of words in braces where a command begins; a group of commands has a blank behind its brace. */
const BRACES = /(?:^|[;&|(\n`])[^\S\n]*\{[^\s}]/;
/** The arguments that a shell was given: they are looked at anyway. */
const OWN_ARGUMENTS = /^"?\$\{?[@*\d]\}?"?$/;
/** In front of an encoded command, and what reads commands from its input. */
const ENCODED = /^-e(?:c|nc?o?d?e?d?c?o?m?m?a?n?d?)?$/i;
/** What a shell parts commands by, whether or not it is in quotes. */
export const BETWEEN_COMMANDS = /[;&|<>(){}`\r\n]/;
/** In front of a command, for a shell. */
const BEFORE_COMMAND = /^(?:\w+=.*|!|if|then|elif|else|while|until|do|call|shell)$/s;
/** The longest path of a program, in characters: `PATH_MAX`. */
export const MAX_PATH = 4_096;
const MAX_LINES = 1_000;
const MAX_DEPTH = 3;
/** So many parts of a word that `=` parts are looked at one by one. */
const MAX_PARTS = 8;
/** Characters that are looked at in all, where each word and each line costs as many as eight. */
const MAX_WORK = 128 * 1_024;
const COST_OF_WORD = 8;

/** A command: its program, and its arguments. */
export type Words = readonly string[];

/**
 * Every command line that words may come to, themselves included: what stands behind a program that starts others, after an
 * option like `-c`, joined to an option or a setting, or in a line for a shell.
 * @returns nothing where a shell puts together what runs, or where finding out takes more than some milliseconds
 */
export function commandLinesIn(words: Words): readonly Words[] | undefined {
  const budget = { left: MAX_WORK };
  const lines: Words[] = [];
  for (const line of commandLines(words, budget)) {
    if (line === 'unreadable' || lines.length === MAX_LINES) return undefined;
    lines.push(line);
  }
  return lines;
}

/** What is left to be taken apart of `MAX_WORK`. */
interface Budget {
  left: number;
}

/** @param isRest the words are the end of words that are looked at as well */
function* commandLines(words: Words, budget: Budget, depth = 0, isRest = false): Generator<Words | 'unreadable'> {
  budget.left -= isRest ? COST_OF_WORD * words.length : costOf(words);
  if (budget.left < 0) {
    yield 'unreadable';
    return;
  }
  yield words;
  if (depth === MAX_DEPTH) return;
  const [program = '', ...args] = words;
  const name = programOf(program);
  const [isShell, startsOthers] = [SHELLS.test(name), WRAPPERS.test(name)];
  if (args.some((word) => ENCODED.test(word)) && /^(?:powershell|pwsh)$/.test(name)) yield 'unreadable';
  const context = isRest ? undefined : contextOf(words);
  for (const [index, word] of args.entries()) {
    if (startsOthers || STARTERS.test(name)) yield* commandLines(args.slice(index), budget, depth + 1, true);
    const isBehindOption = BEFORE_LINE.test(args[index - 1] ?? '');
    const joined = context ? joinedTexts(words, index + 1, context) : [];
    for (const text of [...(startsOthers || isBehindOption ? [word] : []), ...joined]) {
      budget.left -= text.length + COST_OF_WORD;
      if (budget.left < 0) {
        yield 'unreadable';
        return;
      }
      const isCode = isShell && isBehindOption && text === word;
      if (isCode && BRACES.test(text)) yield 'unreadable';
      for (const line of simpleCommands(text)) {
        if (isCode && isUnreadable(line)) yield 'unreadable';
        yield* commandLines(line, budget, depth + 1);
      }
    }
  }
}

function costOf(words: Words): number {
  return words.reduce((sum, { length }) => sum + length + COST_OF_WORD, 0);
}

/** Where in words the first program stands that runs what an option names, and the first that takes the rest for a line; or -1. */
interface Context {
  readonly startsOthers: boolean;
  readonly runner: number;
  readonly cmd: number;
}

function contextOf(words: Words): Context {
  const names = words.map(programOf);
  return {
    startsOthers: WRAPPERS.test(names[0] ?? ''),
    runner: names.findIndex((name) => RUNNERS.test(name) || (WRAPPERS.test(name) && name !== 'cmd')),
    cmd: names.indexOf('cmd'),
  };
}

/** What of a word may be a command line of its own: behind a `=`, as in `-c core.sshCommand=…`, or joined to an option. */
function joinedTexts(words: Words, at: number, { startsOthers, runner, cmd }: Context): readonly string[] {
  const given = words[at] ?? '';
  const word = startsOthers && !given.startsWith('-') ? given.replaceAll(PLAIN_OPTIONS, '') : given;
  const parts = word.split('=');
  const texts = parts.slice(1, MAX_PARTS).map((_, index) => parts.slice(index + 1).join('='));
  const behind = parts.length > MAX_PARTS ? parts.slice(-1) : [];
  const ofOption = /^-\w/.test(word) ? [2, 3, 4].map((length) => word.slice(length)) : [];
  // `ssh -o "ProxyCommand …"`: the name of a setting, and a blank.
  const setting = words[at - 1] === '-o' ? `-o${word}` : word;
  const ofSetting = /^-o\s*\w+\s+(.+)$/s.exec(setting)?.slice(1) ?? [];
  const ofEditor = word.startsWith('+') ? [word.slice(1)] : [];
  // To this one, all that follows is one line.
  const [before] = cmd >= 0 && cmd < at ? (/^(?:\/[a-z](?::\w+)?)*\/[ckr]/i.exec(word) ?? []) : [];
  const ofRest = before === undefined ? [] : [[word.slice(before.length), ...words.slice(at + 1)].join(' ')];
  // Else one name alone is most likely none of a program: `--driver=docker`, or the end of `-alarm`.
  const isBehindRunner = runner >= 0 && runner < at;
  const isLine = (text: string): boolean =>
    isBehindRunner ||
    /[\s/\\]/.test(text) ||
    RUNNING_OPTION.test(word.slice(0, word.length - text.length).slice(-MAX_OPTION));
  return [...[...texts, ...behind, ...ofOption, ...ofSetting, ...ofEditor].filter(isLine), ...ofRest];
}

/** Whether what a simple command runs is put together by the shell, or comes from its input. */
function isUnreadable(words: Words): boolean {
  for (let at = 0; ;) {
    const program = words[at] ?? '';
    const last = baseName(program.replaceAll('\\', '/'));
    if (UNREADABLE.test(last) && !OWN_ARGUMENTS.test(last)) return true;
    const name = programOf(program);
    const firstFrom = (isFound: (word: string) => boolean): number => {
      let next = at + 1;
      while (next < words.length && !isFound(words[next] ?? '')) next += 1;
      return next;
    };
    if (SHELLS.test(name) && firstFrom((word) => !/^-[a-z]?$/.test(word)) === words.length) return true;
    if (!WRAPPERS.test(name) && !STARTERS.test(name)) return false;
    at = firstFrom((word) => !/^(?:-|\w+=|[\d.]+[smhd]?$)/.test(word));
    if (at === words.length) return false;
  }
}

/** The name of the program that a word starts: `c:/bin/Docker.EXE.` starts `docker`. */
function programOf(word: string): string {
  return baseName(comparableProgram(word)).toLowerCase();
}

/** The commands in a text for a shell. A backslash is taken for a quote, and for a separator. */
function* simpleCommands(text: string): Generator<Words> {
  const spaced = text.replaceAll(/\$\{?IFS\}?/g, ' ').replaceAll(/\$\{(\w+(?:[.:]\w+)?)\}/g, '$$$1');
  // What comes to nothing may stand within a word.
  const joined = spaced.replaceAll(/\$\(\s*\)|`\s*`|\$\{\w*\}|\$\w+/g, '');
  for (const each of new Set([spaced, joined]))
    for (const part of each.split(BETWEEN_COMMANDS)) {
      const words = part.split(/\s+/).filter((word) => word !== '');
      const first = words.findIndex((word) => !BEFORE_COMMAND.test(word));
      if (first < 0) continue;
      const [program = '', ...args] = words.slice(first);
      const line = [program.replace(/^!+/, ''), ...args];
      const plain = line.map((word) => word.replaceAll(/["'^]/g, ''));
      const withoutBackslashes = plain.map((word) => word.replaceAll('\\', ''));
      if (plain.some((word, index) => word !== withoutBackslashes[index])) yield withoutBackslashes;
      yield plain;
    }
}

/** A program's path in one form: `C:\bin\..\Docker.EXE.` is `C:/Docker`. Of a longer one than there is, the end. */
export function comparableProgram(given: string): string {
  const program = given.slice(-MAX_PATH);
  let end = program.length;
  while (end > 1 && ' .'.includes(program.charAt(end - 1))) end -= 1;
  return withoutEnding(path.posix.normalize(program.slice(0, end).replaceAll('\\', '/')));
}

/** A program's name or path without the ending by which Windows runs it. */
export function withoutEnding(program: string): string {
  return program.replace(/\.(?:exe|com|cmd|bat|ps1)$/i, '');
}

/** The last segment of a path in the form of `comparableProgram`. */
export function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
