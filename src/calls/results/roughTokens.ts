/**
 * About how many tokens a model makes of a text. Four characters to a token in Latin scripts, one in others; good to a
 * few tenths, which is what a limit needs.
 */
export function roughTokens(text: string): number {
  const latin = text.length;
  let other = 0;
  for (let index = 0; index < latin; index++) if (text.charCodeAt(index) > 0x2ff) other++;
  return Math.ceil((latin - other) / 4 + other);
}
