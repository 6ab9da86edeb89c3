import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { isTooDeep } from '../../base/json/jsonDepth.ts';
import { atOnce } from '../../base/timeSlices.ts';

/** A longer text is no value that a model wrote in place of an object, in UTF-16 units. */
const MAX_LENGTH = 1_000_000;
/** More digits than a number keeps. */
const LONG_NUMBER = /\d{16}/;

/**
 * The arguments with those read that are text where the schema takes none, and are the JSON of a type that it takes: models
 * write `"[1, 2]"` for `[1, 2]`, and `"5"` for `5`.
 */
export function withTextsRead(schema: JsonObject, args: JsonObject): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const read = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const types = typeof value === 'string' && Object.hasOwn(properties, name) ? typesOf(properties[name]) : undefined;
    if (!types || types.has('string') || typeof value !== 'string') return [];
    const meant = meantBy(value);
    return meant !== undefined && kindsOf(meant).some((kind) => types.has(kind)) ? [[name, meant]] : [];
  });
  return read.length === 0 ? args : { ...args, ...(Object.fromEntries(read) as JsonObject) };
}

/** The types that most schemas of a text take. */
const TEXT: ReadonlySet<unknown> = new Set(['string']);

/** The types that a schema takes; `undefined` where more than a plain list, or a choice of such, decides. */
function typesOf(schema: unknown): ReadonlySet<unknown> | undefined {
  if (!isRecord(schema)) return undefined;
  const { type } = schema;
  if (type === 'string') return TEXT;
  if (type !== undefined) return new Set([type].flat());
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(choices)) return undefined;
  const types = choices.map((each: unknown) =>
    isRecord(each) && each['type'] !== undefined ? [each['type']].flat() : undefined,
  );
  return types.some((each) => each === undefined) ? undefined : new Set(types.flat());
}

function meantBy(text: string): unknown {
  if (text.length > MAX_LENGTH || LONG_NUMBER.test(text) || atOnce(isTooDeep(text))) return undefined;
  try {
    return JSON.parse(text, finite) as unknown;
  } catch {
    return undefined;
  }
}

/** A number that is too large to be one would be sent as `null`. */
function finite(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not finite');
  return value;
}

/** `null` is no value that anybody writes as text on purpose. */
function kindsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return isRecord(value) ? ['object'] : typeof value === 'boolean' ? ['boolean'] : [];
}
