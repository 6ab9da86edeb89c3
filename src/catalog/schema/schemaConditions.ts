import { isRecord } from '../../base/json.ts';

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
