import { plainText } from '../text/safeText.ts';

/** What a dialog shows whole, in UTF-16 units and in lines. */
const DIALOG = { length: 2_000, lines: 25 } as const;
/** Stays at the beginning of a line, unlike blanks. */
const INDENT = '\u00a0'.repeat(4);

/** Whether a dialog shows all of a text. */
export function fitsDialog(text: string): boolean {
  return text.length <= DIALOG.length && text.split('\n').length <= DIALOG.lines;
}

/** How wide characters are drawn, in the width of an ordinary letter, rather too much than too little. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^[mwMW@%&]$/, 1.65],
  [/^[A-Z+=<>~#^_]$/, 1.35],
  [/^[ -~\u00a0“”’·]$/, 1],
  [/^(?:\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek})$/u, 1.5],
  // Ligatures of whole sentences, and the widest script.
  [/^(?:[\ufdf0-\ufdff]|\p{Script=Cuneiform})$/u, 12],
];
const WIDE = 2.2;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDTHS.find(([of]) => of.test(character))?.[1] ?? WIDE;
  return width;
}

/**
 * A text in pieces that fit a line, parted behind blanks, and inside a word only where it is longer than a line: behind the
 * separators of a path or an address, and elsewhere only where a part is longer than a line.
 * @param length of a line, in ordinary letters
 */
export function inLines(text: string, length: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const add = (piece: string): void => {
    const width = widthOf(piece);
    if (line !== '' && used + width > length) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += piece;
    used += width;
  };
  for (const word of text.match(/[^ ]+ *| +/g) ?? [])
    for (const part of widthOf(word) <= length ? [word] : partsOf(word))
      if (widthOf(part) <= length) add(part);
      else for (const character of part) add(character);
  return line === '' ? lines : [...lines, line];
}

function partsOf(word: string): readonly string[] {
  return word.match(/[^/\\]*[/\\]+|[^/\\]+/g) ?? [];
}

/** A line in pieces that fit; all but the first are indented, so that none can be taken for a line of its own. */
export function wrapped(line: string, length: number): readonly string[] {
  const [first = '', ...rest] = inLines(line, length);
  return [first, ...inLines(rest.join(''), length - INDENT.length).map((piece) => INDENT + piece)];
}

/** What a line of a list, a dialog or a document holds: the editor would wrap a longer one itself, without the indent. */
export const LINE_LENGTH = 60;

/** Lines as rows of a list, which cuts longer ones. */
export function listLines(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => wrapped(line, LINE_LENGTH));
}

/**
 * The first rows of a list that shows texts of others, each as one that can't be taken for several: they may be far longer than
 * anybody reads, and are looked at only as far as that.
 * @param length of a line, in ordinary letters
 * @returns `left`: how many characters were left out
 */
export function firstLines(
  texts: readonly string[],
  maxLines: number,
  length = LINE_LENGTH,
): { readonly lines: readonly string[]; readonly left: number } {
  const lines: string[] = [];
  let left = 0;
  for (const text of texts) {
    const room = Math.max(0, maxLines - lines.length) * length;
    left += Math.max(0, text.length - room);
    if (room > 0) lines.push(...wrapped(plainText(text.slice(0, room)), length));
  }
  const cut = lines.splice(maxLines);
  return { lines, left: left + cut.join('').length };
}

/** Lines as a paragraph of a dialog or a document. */
export function paragraph(lines: readonly string[]): string {
  return listLines(lines).join('\n');
}
