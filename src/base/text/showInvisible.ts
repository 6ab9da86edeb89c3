/**
 * What could hide in a text or reorder it: control and format characters, line separators, fillers that are drawn as
 * nothing, halves of characters (which some model providers refuse a whole request for), tags. Tab, newline and return stay,
 * and the marks of some scripts that are drawn.
 */
const HIDDEN = String.raw`[\p{DI}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800](?<![\t\n\r\ufe00-\ufe0f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])`;
/** Selectors of variants, but those that belong to the emoji, key cap or ideograph before them: any other is data. */
const SELECTORS = String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f](?!\u20e3)|(?<!\p{Script=Han})[\ufe00-\ufe02]|[\ufe03-\ufe0d]`;

const SUSPECT = new RegExp(`${HIDDEN}|${SELECTORS}`, 'u');
/** What most texts consist of, which is looked for faster: from the start to the end takes half as long as any other character. */
const PLAIN = /^[\t\n\r -~]*$/;
const INVISIBLE = new RegExp(`${HIDDEN}|\\r|${SELECTORS}`, 'gu');
/** What isn't seen, as a regular expression. */
export const HIDDEN_RUN = `(?:${HIDDEN}|\\r|${SELECTORS})+`;
const INVISIBLE_RUN = new RegExp(HIDDEN_RUN, 'gu');
/** More marks than a letter of any script has: stacked, they are drawn over what is around them. */
const STACKED_MARKS = /(\p{M}{4})(\p{M}+)/gu;
/** Blanks that look like others, and blanks that push what follows out of sight. */
const BLANKS = /(?! )\p{Zs}|[\p{Zs}]{3,}/gu;

/**
 * Writes invisible and bidirectional characters, and marks that would cover others, as `\u{…}`.
 * @param longestRun so many in a row are written, and of the others how many they are
 */
export function showInvisible(text: string, longestRun = Number.POSITIVE_INFINITY): string {
  if (PLAIN.test(text) && !text.includes('\r')) return text;
  return text
    .replace(INVISIBLE_RUN, (run) => codesOf(run, longestRun))
    .replace(STACKED_MARKS, (_, drawn: string, rest: string) => drawn + Array.from(rest, codeOf).join(''));
}

/** A text as one line that can't be taken for several: line breaks, tabs and long blanks are written out, too. */
export function oneLine(text: string): string {
  const line = showInvisible(text)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
  return line.replace(BLANKS, (blanks) => (blanks.length > 2 ? `(${blanks.length} blanks)` : codeOf(blanks)));
}

/** Whether there is anything in a text that could hide; a return before a newline isn't. */
export function hidesSomething(text: string): boolean {
  return !PLAIN.test(text) && SUSPECT.test(text);
}

/** A text without what could hide in it. */
export function withoutUnseen(text: string): string {
  return hidesSomething(text) ? text.replace(INVISIBLE, '') : text;
}

function codesOf(run: string, longest: number): string {
  if (run.length <= longest) return Array.from(run, codeOf).join('');
  const characters = Array.from(run);
  const more = characters.length - longest;
  return characters.slice(0, longest).map(codeOf).join('') + (more > 0 ? `… (${more} more)` : '');
}

function codeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
