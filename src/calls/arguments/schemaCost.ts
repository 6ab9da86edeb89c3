import type { JsonObject } from '../../base/json/json.ts';
import { resolveReference } from '../../base/json/schemaRefs.ts';

/** What a check costs at most: keywords, references followed, times values. In this thread it takes some 10 ms. */
const MAX_STEPS = 50_000;
/** A larger schema takes some 50 ms to compile alone. */
const MAX_SCHEMA_STEPS = 200;
/** Keywords that check nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'default', '$schema']);
const MAX_DEPTH = 200;
/** Of so many values, comparing each with each (`uniqueItems`) is still cheap. */
const MAX_VALUES = 1_000;
/** Formats are regular expressions, some of them slower on long texts; in characters. */
const MAX_FORMATTED = 2_000;

/** What is known of a schema once it was looked at. */
export interface SchemaCost {
  /** Keywords with all references followed; infinite where no bound is known. */
  readonly steps: number;
  readonly hasFormats: boolean;
}

/**
 * How many steps a schema takes for one value. There is no bound for what refers to itself, since each level of a value
 * can double the work, for regular expressions, and for references that aren't certainly read here as they are read by
 * what checks. Looks at each part once.
 */
export function costOfSchema(schema: JsonObject): SchemaCost {
  const known = new Map<object, number>();
  let hasFormats = false;
  const costOf = (value: unknown, depth: number): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const before = known.get(value);
    if (before !== undefined) return before;
    // Until it is known, and for good where it leads back to itself.
    known.set(value, Number.POSITIVE_INFINITY);
    let steps = 1;
    for (const [key, member] of Object.entries(value)) {
      if (ANNOTATIONS.has(key) && typeof member !== 'object') continue;
      if (depth > MAX_DEPTH || steps > MAX_SCHEMA_STEPS || isUnbounded(key, member, depth))
        return Number.POSITIVE_INFINITY;
      if (key === 'format') hasFormats = true;
      const target = key === '$ref' && typeof member === 'string' ? resolveReference(schema, member) : member;
      steps += target === undefined ? Number.POSITIVE_INFINITY : costOf(target, depth + 1);
    }
    known.set(value, steps);
    return steps;
  };
  const steps = costOf(schema, 0);
  return { steps: steps > MAX_SCHEMA_STEPS ? Number.POSITIVE_INFINITY : steps, hasFormats };
}

function isUnbounded(key: string, member: unknown, depth: number): boolean {
  if (key === 'patternProperties') return true;
  // A part with an address of its own changes what references in it mean; the address of the whole does not.
  if (key === '$id') return depth > 0 && typeof member === 'string';
  return typeof member === 'string' && ['pattern', '$dynamicRef', '$recursiveRef'].includes(key);
}

/** Whether checking these arguments certainly takes no time that anybody notices. */
export function isCheap({ steps, hasFormats }: SchemaCost, args: JsonObject): boolean {
  let values = 0;
  let characters = 0;
  const fits = (value: unknown): boolean => {
    values += 1;
    if (values > MAX_VALUES || steps * values > MAX_STEPS) return false;
    if (typeof value === 'string') characters += value.length;
    if (hasFormats && characters > MAX_FORMATTED) return false;
    return typeof value !== 'object' || value === null || Object.values(value).every(fits);
  };
  return fits(args);
}
