import { FAILSAFE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { isRecord } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { say } from '../../base/say.ts';

/** What a text in YAML says, or why it can't be read. */
export type ReadYaml = (text: string) => { readonly value: unknown } | { readonly message: string };

/** Values that stand in several places by their anchors count in each. */
const MAX_WEIGHT = 1_000_000;
/** Fields that aren't strings in the formats of JSON. All else stays as it is written: a version `1.10` isn't 1.1. */
const FLAGS = new Set(['disabled', 'enabled', 'autoConnect', 'trust']);
const NUMBERS = /(?:timeout|Ms|_ms|_sec)$/i;
/** What Goose calls the fields of a server. */
const GOOSE = { cmd: 'command', envs: 'env', uri: 'url' } as const;

/** Reads YAML as the value that JSON would have: with Goose's fields under their usual names. Never throws. */
export const readYaml: ReadYaml = (text) => {
  try {
    const documents = loadAll(text, null, { schema: FAILSAFE_SCHEMA });
    if (jsonWeight(documents, MAX_WEIGHT) > MAX_WEIGHT) return { message: say`It contains too many values.` };
    const [value] = documents.filter((each) => each !== null && each !== undefined);
    return { value: asInJson(value) };
  } catch (error) {
    if (!(error instanceof YAMLException)) return { message: say`It is nested too deeply.` };
    const line = error.mark === undefined ? '' : `Line ${error.mark.line + 1}: `;
    return { message: say`${line}Invalid YAML: ${error.reason}.` };
  }
};

function asInJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInJson);
  if (!isRecord(value)) return value;
  const entries = Object.entries(isGoose(value) ? ofGoose(value) : value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, typed(key, asInJson(inner))]));
}

function typed(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (FLAGS.has(key) && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return NUMBERS.test(key) && /^\d{1,12}$/.test(value) ? Number(value) : value;
}

function isGoose(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['cmd'] === 'string' || (typeof value['uri'] === 'string' && typeof value['type'] === 'string');
}

/** Its time-outs are in seconds, and `env_keys` names variables whose values it keeps elsewhere. */
function ofGoose(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { env_keys: keys, timeout, ...rest } = value;
  const named = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [
      Object.hasOwn(GOOSE, key) ? GOOSE[key as keyof typeof GOOSE] : key,
      inner,
    ]),
  );
  const names = Array.isArray(keys) ? keys.filter((each): each is string => typeof each === 'string') : [];
  const kept = Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
  const env = isRecord(named['env']) ? { ...kept, ...named['env'] } : kept;
  return {
    ...named,
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(typeof timeout === 'string' && /^\d{1,6}$/.test(timeout) ? { timeout: `${timeout}000` } : {}),
  };
}
