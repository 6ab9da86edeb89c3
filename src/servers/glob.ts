/** Whether `text` fits `pattern` as a whole: `*` stands for any characters, `?` for one. Case counts. */
export function matchesGlob(text: string, pattern: string): boolean {
  return fitsStarred(text, pattern, '*', (character, wanted) => wanted === '?' || wanted === character);
}

/**
 * Whether all of `items` fit `pattern` in order, where `star` stands for any number of them. Takes time linear in the
 * product of the lengths at worst.
 */
export function fitsStarred(
  items: ArrayLike<string>,
  pattern: ArrayLike<string>,
  star: string,
  fits: (item: string, wanted: string) => boolean,
): boolean {
  // Two places to go on from suffice: what the last star has swallowed can only grow.
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
    } else if (wanted !== undefined && fits(items[index] ?? '', wanted)) {
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
