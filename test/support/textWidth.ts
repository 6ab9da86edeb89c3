/** How wide DejaVu Sans, which is wider than most fonts of user interfaces, draws the characters from blank to tilde, in hundredths of an em. */
const WIDTHS =
  '3240468464957827393950843236323464646464646464646464343484848453996869707763587775292966568675796079696361736899696169393439845050616355636235636328285828976361636341523963598259595264346484';

/** How wide a text is drawn, in em, rather too wide: letters of Japanese and Chinese, and their punctuation, are one em in each font. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.normalize('NFD').replaceAll(/\p{M}/gu, '')) {
    const at = (character.codePointAt(0) ?? 0) - 32;
    width += at >= 0 && at < 95 ? Number(WIDTHS.slice(2 * at, 2 * at + 2)) / 100 : 1;
  }
  return width;
}

/** The room for a placeholder in a list or an input at the top, in em: 600 pixels, less the borders, in letters of 13. */
export const PLACEHOLDER_ROOM = 43;
