/** What a value takes beside its characters, in bytes: at most, as V8 holds it. */
const PER_VALUE = 24;
const PER_OBJECT = 48;
const PER_CHARACTER = 2;

/** What a value of JSON takes in memory and as text, in bytes. */
export interface HeldSize {
  readonly heap: number;
  readonly text: number;
}

/**
 * What a value of JSON takes, from above in memory and roughly as text; where it takes more than `limit` in memory, it looks
 * no further and says `limit`. Any depth is fine.
 */
export function heldSize(value: unknown, limit: number): HeldSize {
  const waiting: unknown[] = [value];
  let characters = 0;
  let values = 0;
  let objects = 0;
  let heap = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    values += 1;
    if (typeof next === 'string') characters += next.length;
    else if (typeof next === 'object' && next !== null) {
      objects += 1;
      if (Array.isArray(next)) {
        if (next.length * PER_VALUE > limit) return { heap: limit, text: limit };
        for (const item of next) waiting.push(item);
      } else {
        const keys = Object.keys(next);
        if (keys.length * PER_VALUE > limit) return { heap: limit, text: limit };
        for (const key of keys) {
          characters += key.length;
          waiting.push((next as Readonly<Record<string, unknown>>)[key]);
        }
      }
    }
    heap = characters * PER_CHARACTER + values * PER_VALUE + objects * PER_OBJECT;
    if (heap > limit) return { heap: limit, text: Math.max(limit, characters) };
  }
  return { heap, text: characters + values * 4 };
}
