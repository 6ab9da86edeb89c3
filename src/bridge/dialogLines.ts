/** What a dialog shows whole, in UTF-16 units and in lines. */
const DIALOG = { length: 2_000, lines: 25 } as const;
/** Stays at the beginning of a line, unlike blanks. */
const INDENT = '\u00a0'.repeat(4);

/** Whether a dialog shows all of a text. */
export function fitsDialog(text: string): boolean {
  return text.length <= DIALOG.length && text.split('\n').length <= DIALOG.lines;
}

/** A text in pieces of at most `length` characters, so that each fits a line. */
export function inLines(text: string, length: number): readonly string[] {
  return text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? [];
}

/** A line in pieces that fit; all but the first are indented, so that none can be taken for a line of its own. */
export function wrapped(line: string, length: number): readonly string[] {
  const [first = '', ...rest] = inLines(line, length);
  return [first, ...inLines(rest.join(''), length - INDENT.length).map((piece) => INDENT + piece)];
}

/** What a line of a dialog or a document holds. */
export const LINE_LENGTH = 100;

/** Lines as a paragraph of a dialog or a document. */
export function paragraph(lines: readonly string[]): string {
  return lines.flatMap((line) => wrapped(line, LINE_LENGTH)).join('\n');
}
