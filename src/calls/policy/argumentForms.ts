import { withoutUnseen } from '../../base/text/showInvisible.ts';

/** Reads in one way only. */
const PLAIN = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/;
/** `PROGRA~1.TXT` */
const SHORT_NAME = /(?:^|[/\\])[^/\\.~]{1,6}~\d{1,4}(?:\.[^/\\.]{0,3})?(?:$|[/\\])/u;
/** Longer texts are read in their plainest form only: nothing that is a path or an address is so long. */
const LONGEST_READ_WHOLE = 4_096;
/** Nobody reads what is longer before a decision: it counts as text that can't be told. */
const LONGEST_READ = 65_536;
/** More readings than this, or more layers of encoding: the text is made to be misread. */
const MAX_FORMS = 1_000;
const MAX_LAYERS = 16;
/** What a shell takes apart, and what git and Windows put between the parts of a name. */
const WORD_BREAKS = /[\s<>|&;()`$"'{}=,:@]+/u;
const SHELL_SIGNS = /[<>|&;()`$"'{}=:,@]/u;
/** What stands for something else where a shell expands it: names, variables, output of commands. */
const EXPANDED = /\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|\$\w+|\[[^\]]*\]|\{[^}]*\}|[*?]|^~[^/]*/gu;

/** `${IFS}`, `$x`, `$(…)`, with an end in sight, so that a text of many beginnings is read in linear time. */
const VARIABLES = /\$(?:\{[^}]{0,200}\}|\([^)]{0,200}\)|\w+|[@*])|`[^`]{0,200}`/gu;
/** `2>/dev/null`, `<file`: what may stand between two words and is none. */
const REDIRECTIONS = /\d*[<>]{1,2}[&|]?\s{0,9}[^\s<>|&;()]*/gu;
/** What quotes of shells, JSON and HTML write characters as. */
const ESCAPES = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))|&#x([0-9a-f]{1,6});|\\([0-7]{3})|&#(\d{1,7});/giu;
/** UTF-8 that is longer than it may be, which old decoders take for `.`, `/` and `\\`. */
const OVERLONG: Readonly<Record<string, string>> = { '%c0%ae': '.', '%c0%af': '/', '%c1%9c': '\\' };

/** Signs that look like a separator, or that a code page of Windows turns into one: what may become `/`, `\\` and `:`. */
const SLASHES = /[\u0337\u0338\u2044\u2215\u2571\u27cb\u29f8]/gu;
const BACKSLASHES = /[\u20e5\u00a5\u20a9\u2216\u2572\u27cd\u29f5\u29f9]/gu;
const COLONS = /[\u02d0\u05c3\u2236\ua789]/gu;

/** A text with plain separators in place of what looks like them, or is turned into them. */
export function withPlainSeparators(text: string): string {
  return text.replaceAll(SLASHES, '/').replaceAll(BACKSLASHES, '\\').replaceAll(COLONS, ':');
}

/** How a text can be read: as these texts; and, where a shell would expand it, as everything that fits these globs. */
export interface Readings {
  readonly texts: ReadonlySet<string>;
  readonly expanded: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Every text that a server may make of an argument before it uses it: percent-decoded, normalized, with either separator,
 * without detours, blanks, dots, streams, a query or what follows a NUL, as the path of a `file:` address, unquoted, word
 * by word, in lower case. Pure.
 * @returns `undefined` where it can't be told: too long, too many readings, or a short name of Windows, which stands for any other
 */
export function readingsOf(text: string, platform: NodeJS.Platform = process.platform): Readings | undefined {
  if (PLAIN.test(text)) return { texts: new Set([text, fold(text), ...numbers(text)]), expanded: NONE };
  if (text.length > LONGEST_READ || layersOf(text) > MAX_LAYERS) return undefined;
  if (text.length > LONGEST_READ_WHOLE) return { texts: longReadings(text), expanded: NONE };
  const known = new Set([text]);
  for (const each of known) {
    for (const step of STEPS) for (const next of step(each)) known.add(next);
    if (known.size > MAX_FORMS) return undefined;
  }
  if (platform === 'win32' && [...known].some((each) => SHORT_NAME.test(each))) return undefined;
  if (SHELL_SIGNS.test(text)) {
    for (const word of new Set([...known].flatMap((each) => each.split(WORD_BREAKS)))) {
      if (word === '') continue;
      known.add(word);
      known.add(normalized(word));
    }
  }
  const texts = new Set([...known].flatMap((each) => [each, fold(each)]));
  return { texts, expanded: expansionsOf(text, texts) };
}

/** What a shell, or git, makes of a word: each variable, pattern or output as `*`. Text of several words is no name. */
function expansionsOf(text: string, readings: ReadonlySet<string>): ReadonlySet<string> {
  if (/\s/u.test(text.trim())) return NONE;
  const globs = [...readings].flatMap((each) => {
    const glob = fold(each).replaceAll('\\', '/').replaceAll(EXPANDED, '*');
    return glob.includes('*') ? [glob, ...glob.split(WORD_BREAKS).filter((word) => word.includes('*'))] : [];
  });
  return new Set(globs);
}

/**
 * The words of a command line between single blanks, whatever stands between them: quotes, another command, or something
 * that a shell expands, which can be nothing.
 */
export function linesOf(text: string): readonly string[] {
  const words = (line: string): string => ` ${line.split(WORD_BREAKS).join(' ').trim()} `;
  const lines = [text, text.replaceAll(VARIABLES, ' '), text.replaceAll(VARIABLES, '')];
  return [...new Set([...lines, ...lines.map((line) => line.replaceAll(REDIRECTIONS, ' '))].map(words))];
}

/** A text as names are compared where case and forms of letters don't count. */
export function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase();
}

function longReadings(text: string): ReadonlySet<string> {
  let decoded = text;
  for (let next = decode(text); next !== decoded; next = decode(next)) decoded = next;
  const plain = withPlainSeparators(fold(withoutUnseen(decoded))).replaceAll('\\', '/');
  return new Set([text, fold(text), plain, normalized(plain)]);
}

/** Each gives the readings of one server's habit; together they are applied until nothing new comes of it. */
const STEPS: readonly ((text: string) => readonly string[])[] = [
  (text) => [decode(text)],
  (text) => [text.normalize('NFKC')],
  (text) => [withoutUnseen(text)],
  (text) => [withPlainSeparators(text)],
  (text) => [text.trim()],
  (text) => text.split('\0', 2).concat(text.replaceAll('\0', '')),
  (text) => [text.replaceAll('\\', '/')],
  (text) => (text.includes('/') || text.includes('.') ? [normalized(text)] : []),
  (text) => [plainSegments(text)],
  (text) => [text.replace(/[?#].*$/su, '')],
  (text) => fileReadings(text),
  (text) => otherRoots(text),
  (text) => [text.replaceAll(/["'\\]/g, '')],
  (text) => [text.replaceAll(/\\\r?\n/g, '')],
  (text) => [unescaped(text)],
  (text) => numbers(text),
  (text) => fromRoot(text),
];

/** One layer of percent-encoding off; bytes that are no UTF-8 stay as they are. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  const known = text
    .replaceAll(/%c0%a[ef]|%c1%9c/gi, (long) => OVERLONG[long.toLowerCase()] ?? long)
    .replaceAll(/%u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return known.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
    }
  });
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPES, (whole, u?: string, x?: string, html?: string, octal?: string, decimal?: string) => {
    const hex = u ?? x ?? html;
    const code =
      hex === undefined
        ? Number.parseInt(octal ?? decimal ?? '', octal === undefined ? 10 : 8)
        : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** As `posix.normalize`, without a slash at the end, in time that is linear in the text. */
function normalized(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (step === '..' ? !path.startsWith('/') : step !== '' && step !== '.') steps.push(step);
  }
  return `${path.startsWith('/') ? '/' : ''}${steps.join('/')}` || '.';
}

function layersOf(text: string): number {
  let layers = 0;
  for (let before = text, after = decode(text); after !== before && layers <= MAX_LAYERS; layers += 1) {
    before = after;
    after = decode(after);
  }
  return layers;
}

/** As Windows and some servers read the segments of a path: no blanks or dots at the end, no stream, no parameters. */
function plainSegments(text: string): string {
  return text
    .split('/')
    .map((segment, index) => {
      const isDrive = index === 0 && /^[a-z]:$/i.test(segment);
      const isScheme = index === 0 && /^[a-z][a-z0-9+.-]+:$/i.test(segment);
      const name = isDrive || isScheme ? segment : segment.replace(/[:;].*$/su, '');
      const bare = name.trim();
      return bare === '.' || bare === '..' ? bare : name.replace(/^\s+|[\s.]+$/gu, '');
    })
    .join('/');
}

function fileReadings(text: string): readonly string[] {
  const [, rest] = /^file:(.*)$/isu.exec(text) ?? [];
  if (rest === undefined) return [];
  const path = rest.replace(/^\/\/[^/]*/u, '');
  return [rest, path, path.replace(/^\/+(?=[a-z]:)/iu, '')];
}

/** Other names of the same place: Windows' device paths and shares, Linux' links to the root, the forks of macOS. */
function otherRoots(text: string): readonly string[] {
  return [
    text.replace(/^\/\/[?.]\//u, ''),
    text.replace(/^\/\/[^/]+\/([a-z])\$(?=\/)/iu, '$1:'),
    text.replace(/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:root|cwd)(?=\/)/u, ''),
    text.replace(/\/\.\.namedfork\/.*$/iu, ''),
  ];
}

/** The same number as JSON writes it. */
function numbers(text: string): readonly string[] {
  const bare = text.trim();
  const value = bare === '' ? Number.NaN : Number(bare);
  return Number.isFinite(value) ? [String(value)] : [];
}

/** Where a path climbs out of a folder that isn't known, what is left is taken from the root, too. */
function fromRoot(text: string): readonly string[] {
  const rest = text.replace(/^(?:\.\.\/)+/u, '');
  return rest === text ? [] : [rest, `/${rest}`];
}
