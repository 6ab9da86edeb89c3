import { numberOf } from '../../base/json/exactNumber.ts';
import { isRecord, stableStringify, wellFormed, type JsonValue } from '../../base/json/json.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../exposure/descriptions.ts';

/** JSON Schema's types. */
export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

const TYPES: ReadonlySet<string> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const TYPE_NAMES_OF_OTHERS: Readonly<Record<string, SchemaType>> = {
  bool: 'boolean', dict: 'object', double: 'number', float: 'number', int: 'integer', list: 'array', long: 'integer', map: 'object', str: 'string', text: 'string',
}; // prettier-ignore
const MAX_ENUM = 500;
/** What a list of values, and any other value, may take as JSON; more costs a model more than it tells. */
const MAX_ENUM_CHARACTERS = 16_384;
const MAX_VALUE_CHARACTERS = 2_048;

/**
 * The types that a `type` names, in order, without repetition; names of programming languages are translated.
 * @param isNullable `null` is one of them, if there are any (OpenAPI)
 */
export function typesOf(value: unknown, isNullable = false): SchemaType[] {
  const types = new Set<SchemaType>();
  for (const name of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (typeof name !== 'string') continue;
    const small = name.toLowerCase();
    const other = Object.hasOwn(TYPE_NAMES_OF_OTHERS, small) ? TYPE_NAMES_OF_OTHERS[small] : undefined;
    if (TYPES.has(small)) types.add(small as SchemaType);
    else if (other) types.add(other);
  }
  if (isNullable && types.size > 0) types.add('null');
  return [...types];
}

/** Keywords whose values are kept as they are where they are of the right form. */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  format: isText,
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(numberOf(value)) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  default: (value) => value !== undefined && isShort(value),
  examples: (value) => Array.isArray(value) && isShort(value),
};

/**
 * The keywords of a schema that need no look inside, each in a form that drafts 7 and 2020-12 both accept: bounds of
 * draft 4 as numbers, `const` as an `enum` of one. What has the wrong form, or is a very long value, is left out; long
 * descriptions are cut at a word.
 */
export function plainKeywords(schema: Record<string, unknown>): Record<string, JsonValue> {
  const kept: Record<string, JsonValue> = {};
  for (const [keyword, isGood] of Object.entries(CHECKS)) {
    if (Object.hasOwn(schema, keyword) && isGood(schema[keyword]))
      kept[keyword] = cleanValue(keyword, schema[keyword] as JsonValue);
  }
  takeBound(schema, kept, 'minimum', 'exclusiveMinimum');
  takeBound(schema, kept, 'maximum', 'exclusiveMaximum');
  const values = enumOf(schema);
  if (values !== undefined) kept['enum'] = values;
  return kept;
}

/** Half a character, which some providers refuse the whole request for, is replaced. */
function cleanValue(keyword: string, value: JsonValue): JsonValue {
  if ((keyword !== 'title' && keyword !== 'description') || typeof value !== 'string') return wellFormed(value);
  return cutAtWord(value.slice(0, 2 * DESCRIPTION_LIMIT).toWellFormed(), DESCRIPTION_LIMIT);
}

/** Draft 4 has a boolean beside the bound, later drafts a number of its own. */
function takeBound(
  schema: Record<string, unknown>,
  kept: Record<string, JsonValue>,
  bound: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): void {
  const value = schema[exclusive];
  if (isNumber(value)) kept[exclusive] = value as JsonValue;
  else if (value === true && kept[bound] !== undefined) {
    kept[exclusive] = kept[bound];
    delete kept[bound];
  }
}

function enumOf(schema: Record<string, unknown>): JsonValue[] | undefined {
  if (Object.hasOwn(schema, 'const') && schema['const'] !== undefined) return shortEnum([schema['const'] as JsonValue]);
  const values = schema['enum'];
  if (!Array.isArray(values)) return undefined;
  const distinct = new Map((values as JsonValue[]).map((value) => [stableStringify(value), value]));
  return distinct.size > 0 && distinct.size <= MAX_ENUM ? shortEnum([...distinct.values()]) : undefined;
}

function shortEnum(values: readonly JsonValue[]): JsonValue[] | undefined {
  const clean = values.map(wellFormed);
  return JSON.stringify(clean).length <= MAX_ENUM_CHARACTERS ? clean : undefined;
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length <= MAX_VALUE_CHARACTERS;
}

/** Whether a schema says anything about what is in an object or in an array. */
export function impliedType(schema: Record<string, unknown>): SchemaType | undefined {
  if (isRecord(schema['properties']) || isRecord(schema['patternProperties'])) return 'object';
  if (Object.hasOwn(schema, 'items') || Array.isArray(schema['prefixItems'])) return 'array';
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(numberOf(value));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_VALUE_CHARACTERS) return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The schemas that hold for some values of an object only: after `then` and `else`, and where a property is given
 * (`dependentSchemas`, in older drafts `dependencies`).
 */
export function conditionalParts(schema: Schema): readonly Schema[] {
  const branches = schema['if'] === undefined ? [] : [schema['then'], schema['else']];
  const dependent = [schema['dependentSchemas'], schema['dependencies']].flatMap((map) =>
    isRecord(map) ? Object.values(map) : [],
  );
  return [...branches, ...dependent].filter(isRecord);
}

/** Names of properties that are required for some values of the others only, each once. */
export function conditionallyRequired(schema: Schema): readonly string[] {
  const lists: unknown[] = conditionalParts(schema).map((part) => part['required']);
  for (const map of [schema['dependentRequired'], schema['dependencies']])
    if (isRecord(map)) lists.push(...Object.values(map));
  const inner = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isRecord).flatMap(conditionallyRequired) : [];
  const own = lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return [...new Set([...own, ...inner])].filter((name) => typeof name === 'string');
}
