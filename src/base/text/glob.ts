/** Whether `text` matches `pattern` as a whole: `*` stands for any characters, `?` for one. Case counts. */
export function matchesGlob(text: string, pattern: string): boolean {
  return matchesStarred(text, pattern, '*', (character, wanted) => wanted === '?' || wanted === character);
}

/**
 * Whether `text` matches `pattern` segment by segment, as paths do: `*` and `?` stay within one segment, a segment `**`
 * stands for any number of them.
 */
export function matchesPathGlob(text: string, pattern: string): boolean {
  return matchesStarred(text.split('/'), pattern.split('/'), '**', matchesGlob);
}

/**
 * Whether all `items` match `pattern` in order, where `star` stands for any number of them. Takes at most the product of
 * the lengths: servers choose the texts, and a workspace may choose the patterns.
 */
function matchesStarred(
  items: ArrayLike<string>,
  pattern: ArrayLike<string>,
  star: string,
  matches: (item: string, wanted: string) => boolean,
): boolean {
  // Only the last star needs a second try: what an earlier one matched can stay.
  let at = 0;
  let lastStar = -1;
  let retry = 0;
  let index = 0;
  while (index < items.length) {
    const wanted = pattern[at];
    if (wanted === star) {
      lastStar = at;
      retry = index;
      at += 1;
    } else if (wanted !== undefined && matches(items[index] ?? '', wanted)) {
      at += 1;
      index += 1;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      retry += 1;
      index = retry;
    } else return false;
  }
  while (pattern[at] === star) at += 1;
  return at === pattern.length;
}

/** A glob for whole texts (see `matchesGlob`) that many texts are held against. */
export class Glob {
  readonly pattern: string;
  readonly #isPlain: boolean;
  /** What every text that fits has in it: most texts are told apart by it. */
  readonly #longestPlain: string;

  constructor(pattern: string) {
    this.pattern = pattern;
    const parts = pattern.split(/[*?]/);
    this.#isPlain = parts.length === 1;
    this.#longestPlain = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  }

  matches(text: string): boolean {
    if (this.#isPlain) return text === this.pattern;
    return text.includes(this.#longestPlain) && (this.pattern === '*' || matchesGlob(text, this.pattern));
  }
}
