/** What comparing may still cost, in steps of a few nanoseconds. */
export interface Effort {
  left: number;
}

/**
 * What comparing the names of a server's tools with patterns may cost at most: some milliseconds, or 100,000 patterns with wildcards
 * that a name is held against. Workspaces choose patterns, and servers the names of tools. Names without wildcards cost nothing.
 */
export const MAX_EFFORT = 400_000;

/** What makes a name a pattern. */
export const WILDCARD = /[*?]/;

/**
 * Whether `text` matches `pattern` as a whole: `*` stands for any characters, `?` for one. Case counts.
 * @param effort where it runs out, nothing matches
 */
export function matchesGlob(text: string, pattern: string, effort?: Effort): boolean {
  return matchesStarred(text, pattern, '*', (character, wanted) => wanted === '?' || wanted === character, effort);
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
  effort: Effort = { left: Infinity },
): boolean {
  // Only the last star needs a second try: what an earlier one matched can stay.
  let at = 0;
  let lastStar = -1;
  let retry = 0;
  let index = 0;
  while (index < items.length) {
    if ((effort.left -= 1) < 0) return false;
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

/** What it costs to look whether a text can fit at all, in steps: so much, and one for so many characters. */
const TRIAL = 4;
const QUICK = 8;

/** A glob for whole texts (see `matchesGlob`) that many texts are held against. */
export class Glob {
  readonly pattern: string;
  readonly #isPlain: boolean;
  /** What every text that fits begins with, has in it and ends with: most texts are told apart by it. */
  readonly #head: string;
  readonly #longestPlain: string;
  readonly #tail: string;

  constructor(pattern: string) {
    this.pattern = pattern;
    const parts = pattern.split(/[*?]/);
    this.#isPlain = parts.length === 1;
    this.#longestPlain = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
    this.#head = parts.at(0) ?? '';
    this.#tail = parts.at(-1) ?? '';
  }

  /** @param effort where it runs out, nothing matches */
  matches(text: string, effort: Effort = { left: Infinity }): boolean {
    if (this.#isPlain) return text === this.pattern;
    if ((effort.left -= TRIAL) < 0) return false;
    if (!text.startsWith(this.#head) || !text.endsWith(this.#tail)) return false;
    if ((effort.left -= text.length / QUICK) < 0) return false;
    return text.includes(this.#longestPlain) && (this.pattern === '*' || matchesGlob(text, this.pattern, effort));
  }
}
