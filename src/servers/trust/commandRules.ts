import { matchesGlob } from '../../base/text/glob.ts';
import {
  baseName,
  BETWEEN_COMMANDS,
  commandLinesIn,
  comparableProgram,
  MAX_PATH,
  withoutEnding,
  type Words,
} from './commandLinesIn.ts';

/** Characters that the file system of macOS passes over. */
const IGNORED_BY_MACOS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** A package from elsewhere under the name of another: `name@npm:other`, `name @ https://…`. */
const ALIAS = /(?<!^)@\s*[a-z][a-z+.-]*:/i;
const CLIMBS = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
/** Of more, every rule that denies counts as met, and none that allows. */
const MAX_WORDS = 1_000;
/** The longest command line that Windows starts. */
const MAX_CHARACTERS = 32_767;
/** Steps of comparing: characters of words, times those of the patterns that they are held against. */
const MAX_STEPS = 1_000_000;

/**
 * A command, for rules that deny: what it may come to (`commandLinesIn`), read once for all of them. What can't be told, and
 * what takes more than some milliseconds to tell, counts as met. Looks through folder, ending, quotes and, as the platform
 * does, case.
 */
export class DeniedCommand {
  readonly #platform: NodeJS.Platform;
  readonly #words: Words;
  #lines: readonly Line[] | 'unreadable' | undefined;

  constructor(words: Words, platform: NodeJS.Platform) {
    this.#words = words;
    this.#platform = platform;
  }

  /** The same for a line that a shell runs. */
  static ofLine(line: string, platform: NodeJS.Platform): DeniedCommand {
    return new DeniedCommand(['sh', '-c', line], platform);
  }

  /** Whether a rule that denies meets the command, or a line that it may come to. */
  isMetBy(patterns: Words): boolean {
    this.#lines ??= this.#read();
    if (this.#lines === 'unreadable') return true;
    const [wanted = '', ...others] = patterns.map((pattern) => this.#fold(pattern));
    const folded = [comparableProgram(wanted), ...others];
    const budget = { left: MAX_STEPS };
    const isMet = this.#lines.some(({ file, words, at }) =>
      [file, baseName(file)].some((program) => fitsWords(program, words, at, folded, budget)),
    );
    return isMet || budget.left < 0;
  }

  /** Each line, and what stands behind any program of the command itself, in the form that they are compared in. */
  #read(): readonly Line[] | 'unreadable' {
    const lines = isTooLong(this.#words) ? undefined : commandLinesIn(this.#words);
    if (!lines) return 'unreadable';
    const words = this.#words.map((word) => this.#fold(word));
    return [
      ...words.map((_, at) => lineAt(words, at)),
      ...lines.map((line) =>
        lineAt(
          line.map((word) => this.#fold(word)),
          0,
        ),
      ),
    ];
  }

  #fold(word: string): string {
    if (this.#platform === 'darwin') return word.normalize('NFC').replaceAll(IGNORED_BY_MACOS, '').toLowerCase();
    return this.#platform === 'win32' ? word.toLowerCase() : word;
  }
}

/** A command: a program, and its arguments, which stand in `words` behind the place `at`. */
interface Line {
  readonly file: string;
  readonly words: Words;
  readonly at: number;
}

function lineAt(words: Words, at: number): Line {
  return { file: comparableProgram(words[at] ?? ''), words, at };
}

/** Whether a rule that allows fits a command, word by word. */
export function allowsWords(patterns: Words, words: Words, platform: NodeJS.Platform): boolean {
  const [program = '', ...rest] = words;
  // A pattern for a folder is none for what is outside of it.
  if (isTooLong(words) || CLIMBS.test(program)) return false;
  const [wanted = '', ...others] = patterns;
  if (rest.some((word, index) => leavesPattern(word, others[index] ?? ''))) return false;
  const fold = (file: string): string => (platform === 'win32' ? withoutEnding(file).toLowerCase() : file);
  const budget = { left: MAX_STEPS };
  return fitsWords(fold(program), words, 0, [fold(wanted), ...others], budget);
}

/** The same for a line that a shell runs: only for one plain command. */
export function allowsLine(patterns: Words, line: string, platform: NodeJS.Platform): boolean {
  if (line.length > MAX_CHARACTERS) return false;
  const withoutVariables = line.replaceAll(/\$\{[\w.:-]*\}/g, '');
  if (BETWEEN_COMMANDS.test(withoutVariables) || withoutVariables.includes('$')) return false;
  const words = (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
  return allowsWords(patterns, words, platform);
}

function isTooLong(words: Words): boolean {
  const [program = ''] = words;
  if (program.length > MAX_PATH || words.length > MAX_WORDS) return true;
  return words.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS;
}

/** Whether a word fits a pattern's wildcard and yet names something elsewhere. */
function leavesPattern(word: string, pattern: string): boolean {
  if (pattern === '**' || !/[*?]/.test(pattern)) return false;
  return CLIMBS.test(word) || (ALIAS.test(word) && !ALIAS.test(pattern));
}

/**
 * @param at where the program stands in `words`; its arguments follow
 * @param budget the steps that are left; where there are none any more, nothing fits
 */
function fitsWords(program: string, words: Words, at: number, patterns: Words, budget: { left: number }): boolean {
  const isOpen = patterns.at(-1) === '**';
  const exact = isOpen ? patterns.slice(0, -1) : patterns;
  const count = words.length - at;
  if (isOpen ? count < exact.length : count !== exact.length) return false;
  return exact.every((pattern, index) => {
    const word = index === 0 ? program : (words[at + index] ?? '');
    if (pattern.includes('*')) budget.left -= word.length * pattern.length;
    return budget.left >= 0 && matchesGlob(word, pattern);
  });
}
