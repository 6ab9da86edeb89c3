/** What a value weighs beside its characters. */
const VALUE_WEIGHT = 8;

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
    for (const [key, member] of Object.entries(next)) {
      if (!Array.isArray(next)) weight += key.length;
      waiting.push(member);
    }
  }
  return weight;
}
