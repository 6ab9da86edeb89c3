import { editDistance } from '../../base/text/editDistance.ts';

/** Names are shorter; in UTF-16 units. */
const LONGEST_NAME = 512;
/** How many pairs of characters are compared for one answer: beyond, a candidate has to hold the name or be held by it. */
const MAX_COMPARED = 1_000_000;

/**
 * The candidates that look most like `name`, best first: one that holds it or is held by it, or that is few edits
 * away, by value or by alias. Letter case and separators don't count. Far ones are left out.
 */
export function closestTo(
  name: string,
  candidates: readonly { readonly value: string; readonly alias: string }[],
  limit: number,
): readonly string[] {
  const wanted = name.length > LONGEST_NAME ? '' : squeeze(name);
  if (wanted === '') return [];
  const scored: { value: string; distance: number }[] = [];
  let compared = 0;
  for (const { value, alias } of candidates) {
    const mayCompare = compared < MAX_COMPARED;
    compared += wanted.length * (value.length + alias.length);
    const distance = Math.min(...[value, alias].map((each) => distanceTo(wanted, squeeze(each), mayCompare)));
    if (distance < 0.5) scored.push({ value, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || compare(a.value, b.value));
  return scored.slice(0, limit).map(({ value }) => value);
}

/** From 0 (equal) to 1 (unlike): edits per character; holding the other counts as near. */
function distanceTo(wanted: string, candidate: string, mayCompare: boolean): number {
  if (wanted === candidate) return 0;
  const longer = Math.max(wanted.length, candidate.length);
  const shorter = Math.min(wanted.length, candidate.length);
  if (shorter >= 3 && (candidate.includes(wanted) || wanted.includes(candidate)))
    return 0.1 + (0.3 * (longer - shorter)) / longer;
  if (!mayCompare) return 1;
  const max = Math.ceil(longer * 0.4);
  const edits = editDistance(wanted, candidate, max);
  return edits > max ? 1 : edits / longer;
}

function squeeze(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
