import { isRecord, type JsonObject } from '../../base/json/json.ts';

/**
 * The arguments without those that are `null` where the schema takes none and doesn't require them. Models write `null`
 * for what they leave out; to a server that is another thing than leaving it out, and a fault.
 */
export function withoutNeedlessNulls(schema: JsonObject, args: JsonObject): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isNeedless = (name: string): boolean =>
    args[name] === null && !required.includes(name) && refusesNull(properties[name]);
  const names = Object.keys(args);
  if (!names.some(isNeedless)) return args;
  return Object.fromEntries(names.filter((name) => !isNeedless(name)).map((name) => [name, args[name] ?? null]));
}

/** Only a plain list of types is judged; whatever else may allow `null` is left to the validation. */
function refusesNull(schema: unknown): boolean {
  if (!isRecord(schema) || schema['type'] === undefined) return false;
  const types = [schema['type']].flat();
  return !types.includes('null') && schema['nullable'] !== true;
}
