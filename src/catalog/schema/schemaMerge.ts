import { isRecord, stableStringify, type JsonObject, type JsonValue } from '../../base/json/json.ts';

/** One schema that says what all of several normalised ones say, as far as one can; of two opinions the later counts. */
export function mergeAll(schemas: readonly JsonObject[]): JsonObject {
  const merged: Record<string, JsonValue> = {};
  for (const schema of schemas) {
    for (const [keyword, value] of Object.entries(schema))
      merged[keyword] = mergeKeyword(keyword, merged[keyword], value);
  }
  if (isRecord(merged['properties'])) {
    merged['type'] = 'object';
    // What one part forbids beside its own properties, another part may name.
    if (merged['additionalProperties'] === false && schemas.length > 1) delete merged['additionalProperties'];
  }
  if (merged['type'] === 'array' && !isRecord(merged['items'])) merged['items'] = {};
  if (merged['type'] === 'object' && !isRecord(merged['properties'])) merged['properties'] = {};
  return merged;
}

function mergeKeyword(keyword: string, before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (before === undefined) return value;
  if (keyword === 'properties' && isRecord(before) && isRecord(value)) return mergeProperties(before, value);
  if (keyword === 'required' && Array.isArray(before) && Array.isArray(value))
    return [...new Set([...before, ...value])];
  if (keyword === 'description' && typeof before === 'string' && before !== value)
    return typeof value === 'string' ? `${before} ${value}` : before;
  return value;
}

function mergeProperties(before: Record<string, unknown>, after: Record<string, unknown>): JsonObject {
  const merged: Record<string, JsonValue> = { ...(before as JsonObject) };
  for (const [name, property] of Object.entries(after as JsonObject)) {
    const known = merged[name];
    merged[name] = isRecord(known) && isRecord(property) ? mergeAll([known, property]) : property;
  }
  return merged;
}

/** What flattening several ways to give arguments makes of them. */
export interface FlattenedWays {
  readonly schema: JsonObject;
  /** A sentence for the model that says what the flat form no longer does. */
  readonly sentence: string;
}

const MAX_WAYS_NAMED = 8;

/**
 * One object schema for several ways to give arguments, of which `exactlyOne` or at least one has to fit: it has all
 * their properties, and requires what all of them require.
 */
export function flattenWays(base: JsonObject, ways: readonly JsonObject[], exactlyOne: boolean): FlattenedWays {
  const requiredBy = ways.map(requiredOf);
  const common = requiredBy.reduce((some, own) => some.filter((name) => own.includes(name)), requiredBy[0] ?? []);
  const merged = mergeAll([base, { properties: propertiesOfAny(ways) }]);
  const required = [...new Set([...requiredOf(base), ...common])];
  const named = requiredBy
    .slice(0, MAX_WAYS_NAMED)
    .map((names) => (names.length > 0 ? names.join(' and ') : 'nothing more'));
  const more = ways.length > MAX_WAYS_NAMED ? '; or others' : '';
  return {
    schema: { ...merged, ...(required.length > 0 ? { required } : {}) },
    sentence:
      new Set(named).size > 1
        ? `Give ${exactlyOne ? 'exactly one' : 'at least one'} of these sets of parameters: ${named.join('; or ')}${more}.`
        : '',
  };
}

function requiredOf(schema: JsonObject): string[] {
  const required = schema['required'];
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** The properties of all ways; one that several ways have differently may be as any of them says. */
export function propertiesOfAny(ways: readonly JsonObject[]): JsonObject {
  const found = new Map<string, JsonObject[]>();
  for (const { properties } of ways) {
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
      if (isRecord(property)) found.set(name, [...(found.get(name) ?? []), property]);
    }
  }
  return Object.fromEntries([...found].map(([name, forms]) => [name, anyOfForms(forms)]));
}

function anyOfForms(forms: readonly JsonObject[]): JsonObject {
  const distinct = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
  const [first, ...others] = distinct;
  if (first === undefined || others.length === 0) return first ?? {};
  const shapes = new Set(distinct.map(({ enum: _enum, ...shape }) => JSON.stringify(shape)));
  const values = distinct.map((form) => form['enum']);
  if (shapes.size > 1 || !values.every(Array.isArray)) return { anyOf: distinct };
  const all = values.flatMap((some) => (some as JsonValue[]).map((value) => [stableStringify(value), value] as const));
  return { ...first, enum: [...new Map(all).values()] };
}
