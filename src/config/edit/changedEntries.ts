import { isDeepStrictEqual } from 'node:util';
import type { ServerEntry } from '../configTypes.ts';

/** The enabled entries that weren't there before, or of which anything but the place is another. */
export function changedEntries(before: readonly ServerEntry[], after: readonly ServerEntry[]): readonly ServerEntry[] {
  const known = new Map(before.map((entry) => [entry.name, withoutPlace(entry)]));
  return after.filter((entry) => !entry.disabled && !isDeepStrictEqual(known.get(entry.name), withoutPlace(entry)));
}

function withoutPlace(entry: ServerEntry): object {
  return { ...entry, range: undefined, variables: undefined };
}
