/** How a line is quoted: as a POSIX shell reads it, or as `cmd` and PowerShell do, where a backslash is a path's separator. */
export type Quoting = 'posix' | 'windows';

/** One command of a pasted text: its words, with variables as `${NAME}`. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** What stands between it and the command before it: the end of a line, or an operator such as `&&`. */
  readonly after: string;
}

export type ShellText =
  | { readonly commands: readonly ShellCommand[] }
  /** A quote that isn't closed, or an operator that only a shell can run. */
  | { readonly unread: string };

const DRIVE = /(?:^|[\s"'=])[A-Za-z]:\\|%\w+%|\$env:|(?:^|\s)(?:\.{1,2}|\w+)\\[\w.]/i;

/** Whether a line is for `cmd` or PowerShell, by what is in it; the machine that it is pasted on decides where nothing tells. */
export function quotingOf(text: string, platform: NodeJS.Platform): Quoting {
  if (DRIVE.test(text) || /"\{""/.test(text)) return 'windows';
  return platform === 'win32' && !/\\\s/.test(text) ? 'windows' : 'posix';
}

/**
 * Splits a text into commands and their words, as a shell does: blanks part, quotes hold together, `\`, `^` or a backtick at
 * the end of a line goes on with the next one (also where a box for one line has made a blank of the line's end). Variables
 * get the spelling `${NAME}`; nothing is run and nothing is looked up.
 */
export function shellCommands(text: string, quoting: Quoting): ShellText {
  const first = new Splitter(text, quoting, true).split();
  // `"C:\dir\"`: the backslash is the end of a folder there, not an escape.
  if ('unread' in first && quoting === 'windows' && /[^\\]\\"/.test(text)) {
    const second = new Splitter(text, quoting, false).split();
    if ('commands' in second) return second;
  }
  return first;
}

const OPERATORS = /^(?:&&|\|\||[|;&<>]|[12]>)/;
const INSIDE_WORDS = { posix: /^(?:&&|\|\||[;|])/, windows: /^(?:&&|\|\||\|)/ } as const;

class Splitter {
  readonly #text: string;
  readonly #isWindows: boolean;
  /** Whether `\"` is a quote in a line for Windows. */
  readonly #escapesQuotes: boolean;
  readonly #commands: ShellCommand[] = [];
  #words: string[] = [];
  #word: string | undefined;
  #after = '';
  #at = 0;

  constructor(text: string, quoting: Quoting, escapesQuotes: boolean) {
    this.#text = text;
    this.#isWindows = quoting === 'windows';
    this.#escapesQuotes = escapesQuotes;
  }

  split(): ShellText {
    while (this.#at < this.#text.length) {
      const unread = this.#step(this.#text.slice(this.#at, this.#at + 400));
      if (unread !== undefined) return { unread };
    }
    this.#endCommand('');
    return { commands: this.#commands };
  }

  /** Reads what comes next. @returns what can't be read */
  #step(rest: string): string | undefined {
    const [character = ''] = rest;
    const isBetween = this.#word === undefined;
    const continued = (isBetween ? /^[\\^`](?:\r?\n|\s+|$)/ : /^[\\^`]\r?\n/).exec(rest)?.[0];
    if (continued !== undefined) this.#at += continued.length;
    else if (character === '\n') this.#endCommand('\n', 1);
    else if (/\s/.test(character)) this.#endWord(1);
    else if (character === '#' && isBetween) this.#at += /^[^\n]*/.exec(this.#text.slice(this.#at))?.[0].length ?? 1;
    else if (character === '"' || character === "'") return this.#quoted(character);
    else if (character === '\\' && !this.#isWindows) this.#add(rest.charAt(1), 2);
    else if (character === '`' || (rest.startsWith('$(') && !/^\$\(pwd\)/i.test(rest)))
      return character === '`' ? '`' : '$(';
    else if (isBetween && /^~(?=[\\/\s]|$)/.test(rest)) this.#add('${userHome}', 1);
    else if (isBetween && /^<[\w .-]+>/.test(rest)) this.#placeholder(rest);
    else {
      const ends = isBetween ? OPERATORS : INSIDE_WORDS[this.#isWindows ? 'windows' : 'posix'];
      const operator = ends.exec(rest)?.[0];
      if (operator === undefined) this.#character(rest, true);
      else if (operator === '&&' || operator === ';') this.#endCommand(operator, operator.length);
      else return operator;
    }
    return undefined;
  }

  /** `<your key>`: no shell reads it as a word, and everybody means one. */
  #placeholder(rest: string): void {
    const written = /^<[\w .-]+>/.exec(rest)?.[0] ?? '';
    this.#add(written, written.length);
  }

  #quoted(quote: string): string | undefined {
    this.#word ??= '';
    for (this.#at += 1; this.#at < this.#text.length;) {
      const rest = this.#text.slice(this.#at, this.#at + 400);
      const [character = ''] = rest;
      const found = quote === '"' ? this.#substitutionIn(rest) : undefined;
      if (found !== undefined) return found;
      const escape = quote === "'" ? undefined : this.#escapeIn(rest);
      if (escape !== undefined) this.#add(escape, 2);
      else if (character === quote) {
        this.#at += 1;
        return undefined;
      } else this.#character(rest, quote === '"');
    }
    return quote;
  }

  /** What a shell would run. In `cmd` a backtick is a character like others. */
  #substitutionIn(rest: string): string | undefined {
    if (rest.startsWith('$(') && !/^\$\(pwd\)/i.test(rest)) return '$(';
    return rest.startsWith('`') && !this.#isWindows ? '`' : undefined;
  }

  /** What an escape inside double quotes stands for. */
  #escapeIn(rest: string): string | undefined {
    if (rest.startsWith('\\"')) return this.#isWindows && !this.#escapesQuotes ? undefined : '"';
    // `""` inside of quotes is a quote in `cmd`.
    if (this.#isWindows) return /^`"|^""(?=\S)/.test(rest) ? '"' : undefined;
    return /^\\[\\$`]/.test(rest) ? rest.charAt(1) : undefined;
  }

  /** One character, or the variable that begins with it. */
  #character(rest: string, hasVariables: boolean): void {
    const found = hasVariables ? variableAt(rest, this.#isWindows) : undefined;
    if (found) this.#add(found.text, found.length);
    else this.#add(rest.charAt(0), 1);
  }

  #add(text: string, length: number): void {
    this.#word = (this.#word ?? '') + text;
    this.#at += length;
  }

  #endWord(length: number): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
    this.#at += length;
  }

  #endCommand(operator: string, length = 0): void {
    this.#endWord(length);
    if (this.#words.length > 0) this.#commands.push({ words: this.#words, after: this.#after });
    this.#after = this.#words.length > 0 || this.#after === '' ? operator : this.#after;
    this.#words = [];
  }
}

function variableAt(rest: string, isWindows: boolean): { readonly text: string; readonly length: number } | undefined {
  const folder = /^(?:\$\(pwd\)|\$\{PWD\}|\$PWD(?!\w)|%cd%)/i.exec(rest)?.[0];
  if (folder !== undefined) return { text: '${workspaceFolder}', length: folder.length };
  const [dollar, name] =
    /^\$(?:env:)?([A-Za-z_]\w*)/.exec(rest) ?? (isWindows ? /^%(\w+)%/.exec(rest) : undefined) ?? [];
  if (dollar === undefined || name === undefined) return undefined;
  // PowerShell's `$true` and another client's `$input:x` aren't variables of the environment.
  if (/^(?:true|false|null|input)$/.test(name)) return undefined;
  return { text: name === 'HOME' || name === 'USERPROFILE' ? '${userHome}' : `\${${name}}`, length: dollar.length };
}
