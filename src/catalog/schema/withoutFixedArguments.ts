import { isRecord, stableStringify, type JsonObject, type JsonValue } from '../../base/json/json.ts';

type Schema = Readonly<Record<string, unknown>>;
const MAX_DEPTH = 8;
/** References can multiply the parts; what is over the number stays as it is. */
const MAX_PARTS = 2_000;

interface Place {
  readonly root: Schema;
  readonly depth: number;
  readonly looked: { parts: number };
}

/**
 * The schema of a tool's arguments without those that are bound: they are neither known nor required, at its root and in
 * everything that says something of the same object. Ways that a bound value rules out are gone.
 */
export function withoutFixedArguments(schema: JsonObject, bound: JsonObject): JsonObject {
  return Object.keys(bound).length === 0
    ? schema
    : (without(schema, bound, { root: schema, depth: 0, looked: { parts: 0 } }) as JsonObject);
}

function without(given: unknown, bound: JsonObject, place: Place): unknown {
  const { root, depth, looked } = place;
  looked.parts += 1;
  if (!isRecord(given) || depth > MAX_DEPTH || looked.parts > MAX_PARTS) return given;
  const schema = dereferenced(given, root);
  const isFree = (name: unknown): boolean => typeof name !== 'string' || !Object.hasOwn(bound, name);
  const inner = (part: unknown): unknown => without(part, bound, { ...place, depth: depth + 1 });
  const freeOf = (list: unknown): unknown => (Array.isArray(list) ? list.filter(isFree) : list);
  const members = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    switch (keyword) {
      case 'required':
        return [keyword, freeOf(value)];
      case 'properties':
        return [keyword, isRecord(value) ? pick(value, (name) => isFree(name)) : value];
      case 'dependentRequired':
        return [keyword, isRecord(value) ? pick(value, () => true, freeOf) : value];
      case 'anyOf':
      case 'oneOf':
        return [keyword, Array.isArray(value) ? possible(value, bound, root).map(inner) : value];
      case 'allOf':
        return [keyword, Array.isArray(value) ? value.map(inner) : value];
      case 'if':
      case 'not':
        return [keyword, isPossible(value, bound, root) && inner(value)];
      case 'then':
      case 'else':
        return [keyword, inner(value)];
      default:
        return [keyword, value];
    }
  });
  return Object.fromEntries(members);
}

/** The ways that the bound values leave; all of them where they leave none: then it is for the server to say so. */
function possible(ways: readonly unknown[], bound: JsonObject, root: Schema): readonly unknown[] {
  const left = ways.filter((way) => isPossible(way, bound, root));
  return left.length > 0 ? left : ways;
}

function isPossible(way: unknown, bound: JsonObject, root: Schema): boolean {
  const { properties } = isRecord(way) ? dereferenced(way, root) : {};
  if (!isRecord(properties)) return true;
  return Object.entries(bound).every(
    ([name, value]) => !Object.hasOwn(properties, name) || fits(value, properties[name]),
  );
}

/** As far as a list of values says. */
function fits(value: JsonValue, schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const allowed = 'const' in schema ? [schema['const']] : schema['enum'];
  return !Array.isArray(allowed) || allowed.some((each) => stableStringify(each) === stableStringify(value));
}

/** What a reference to one of the root's definitions stands for, with what stands beside it. */
function dereferenced(schema: Schema, root: Schema): Schema {
  const [, map = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(schema['$ref'])) ?? [];
  const definitions = root[map];
  if (!isRecord(definitions) || !Object.hasOwn(definitions, name)) return schema;
  const { $ref: _ref, ...beside } = schema;
  const target = definitions[name];
  return isRecord(target) ? { ...target, ...beside } : schema;
}

function pick(
  record: Schema,
  isKept: (name: string) => boolean,
  change: (value: unknown) => unknown = (value) => value,
): Schema {
  const members = Object.entries(record).filter(([name]) => isKept(name));
  return Object.fromEntries(members.map(([name, value]) => [name, change(value)]));
}
