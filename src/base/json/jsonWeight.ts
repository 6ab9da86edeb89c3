/** What a value weighs beside its characters. */
export const VALUE_WEIGHT = 8;

/**
 * What a value of JSON weighs: its characters, and 8 for each value in it; infinite above `limit`, where it looks no
 * further. Any depth is fine.
 */
export function jsonWeight(value: unknown, limit: number): number {
  const waiting: unknown[] = [value];
  let weight = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    weight += VALUE_WEIGHT + (typeof next === 'string' ? next.length : 0);
    if (weight + waiting.length * VALUE_WEIGHT > limit) return Number.POSITIVE_INFINITY;
    if (typeof next !== 'object' || next === null) continue;
    // Of a value with very many members, none is looked at.
    const members = next as Readonly<Record<string, unknown>>;
    const keys = Array.isArray(next) ? next : Object.keys(next);
    if (weight + keys.length * VALUE_WEIGHT > limit) return Number.POSITIVE_INFINITY;
    if (Array.isArray(next)) for (const item of next as readonly unknown[]) waiting.push(item);
    else
      for (const key of keys as readonly string[]) {
        weight += key.length;
        waiting.push(members[key]);
      }
  }
  return weight;
}
