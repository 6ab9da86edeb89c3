import { isRecord } from '../json/json.ts';
import { atOnce, type Steps } from '../timeSlices.ts';
import type { Mask } from './secrets.ts';

/**
 * The value with all its texts masked, names of members, too.
 * @param kept members that are left as they are
 */
export function maskedWithin<T>(value: T, mask: Mask, kept?: ReadonlySet<string>): T;
export function maskedWithin(value: unknown, mask: Mask, kept?: ReadonlySet<string>): unknown {
  return atOnce(maskedWithinSteps(value, mask, kept));
}

/** As `maskedWithin`, in steps: a text is masked in one. */
export function maskedWithinSteps<T>(value: T, mask: Mask, kept?: ReadonlySet<string>): Steps<T>;
export function* maskedWithinSteps(value: unknown, mask: Mask, kept: ReadonlySet<string> = new Set()): Steps<unknown> {
  yield;
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* maskedWithinSteps(item, mask, kept));
    return items;
  }
  if (!isRecord(value)) return value;
  const counts = new Map<string, number>();
  const members: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const isKept = kept.has(key) && typeof item === 'string';
    members.push([nameOf(key, mask, counts), isKept ? item : yield* maskedWithinSteps(item, mask, kept)]);
  }
  return Object.fromEntries(members);
}

/** Names that are equal once they are masked are numbered, so that no member hides another. */
function nameOf(key: string, mask: Mask, counts: Map<string, number>): string {
  const masked = mask(key);
  if (masked === key) return key;
  const count = (counts.get(masked) ?? 0) + 1;
  counts.set(masked, count);
  return count === 1 ? masked : `${masked} (${count})`;
}
