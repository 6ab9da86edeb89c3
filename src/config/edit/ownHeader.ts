import { SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';
import type { InputDefinition, ServerEntry } from '../configTypes.ts';
import type { PastedServer } from '../paste/readPasted.ts';
import { withInputs } from '../paste/secretInputs.ts';
import { BEARER_FIELDS, ENV_HEADERS, HEADER_FIELDS, REQUEST_OPTIONS } from '../read/transport/readUrl.ts';
import { fieldsOf } from '../variables/specFields.ts';
import { variablesIn } from '../variables/variableSyntax.ts';
import { changedEntry, type EntryChange } from './changeServer.ts';

type Value = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, unknown>>;

/** A server with another header: as it is read, and as its definition is written. */
export interface WithHeader {
  /** Its inputs are those that it still uses. */
  readonly server: PastedServer;
  /** @throws SwitchboardError `unsupported` where an environment variable supplies the header */
  readonly change: (value: Value) => Value;
}

/**
 * A server with a header, in the place of one of that name. A secret in it becomes an input of the entry, with the secret as its
 * answer; the input of the old value stays where nothing else uses it. `undefined` for a server that is sent none.
 * @param others of the same file: their inputs are left to them
 */
export function withOwnHeader(
  entry: ServerEntry,
  name: string,
  value: string,
  others: readonly ServerEntry[] = [],
): WithHeader | undefined {
  const { transport, inputs = [] } = entry;
  if (!('headers' in transport)) return undefined;
  const left = { ...transport, headers: without(transport.headers, name) };
  const used = new Set(fieldsOf(left).flatMap(([, text]) => variablesIn(text)));
  const kept = inputs.filter(({ id }) => used.has(`input:${id}`));
  const foreign = others.flatMap((other) => other.inputs ?? []);
  const taken = new Set([...inputs, ...foreign].map(({ id }) => id));
  const made = withInputs(entry.name, { type: 'http', url: 'https://localhost', headers: { [name]: value } }, taken);
  const text = ('headers' in made.transport ? made.transport.headers[name] : undefined) ?? value;
  const free = inputs.find((each) => isPassword(each) && ![...kept, ...foreign].some(({ id }) => id === each.id));
  const [fresh] = made.inputs;
  const answer = fresh && made.answers.get(fresh.id);
  const isReused = free !== undefined && answer !== undefined;
  const written = isReused ? text.replaceAll(`\${input:${fresh?.id}}`, () => `\${input:${free.id}}`) : text;
  const all = [...kept, ...(isReused ? [free] : made.inputs)];
  const { inputs: _inputs, ...rest } = entry;
  const changed = {
    ...rest,
    transport: { ...transport, headers: { ...left.headers, [name]: written } },
    ...(all.length > 0 ? { inputs: all } : {}),
  };
  return {
    server: {
      entry: changed,
      read: changed,
      isNamed: true,
      answers: isReused ? new Map([[free.id, answer]]) : made.answers,
    },
    change: (definition) => withHeaderIn(definition, name, written),
  };
}

function isPassword(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.password;
}

/** The header in the object that has it and is read, or else in the entry's headers; other objects no longer have it. */
function withHeaderIn(definition: Value, name: string, value: string): Value {
  refuseVariable(definition, name);
  const has = (path: readonly string[]): boolean => hasHeader(headersAt(definition, path), name);
  const isPresent = (key: string): boolean => (definition[key] ?? undefined) !== undefined;
  const nested = (keys: readonly string[]): string[][] => keys.map((key) => [key, 'headers']);
  const own = HEADER_FIELDS.map((key) => [key]);
  const paths = [...own, ...nested(REQUEST_OPTIONS)];
  // Of several options of a request, the first are read.
  const read = [...own, ...nested(REQUEST_OPTIONS.filter(isPresent).slice(0, 1))];
  const target = read.find(has) ?? own.find(([key = '']) => isPresent(key)) ?? own[0];
  const changes = paths.flatMap((path): EntryChange[] => {
    const headers = headersAt(definition, path);
    if (path.join() === target?.join()) return [{ path, value: { ...without(headers, name), [name]: value } }];
    return has(path) ? [{ path, value: without(headers, name) }] : [];
  });
  return changedEntry(definition, changes);
}

function refuseVariable(definition: Value, name: string): void {
  const isBearer = name.toLowerCase() === 'authorization';
  const bearer = isBearer ? BEARER_FIELDS.find((key) => typeof definition[key] === 'string') : undefined;
  const field = bearer ?? (hasHeader(headersAt(definition, [ENV_HEADERS]), name) ? ENV_HEADERS : undefined);
  if (field === undefined) return;
  throw new SwitchboardError('unsupported', say`“${name}” comes from the environment variable that “${field}” names.`, {
    remedy: say`Set the variable, or remove the field first.`,
  });
}

function headersAt(definition: Value, path: readonly string[]): Headers {
  const found = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), definition);
  return isRecord(found) ? found : {};
}

/** Names of headers have no case: two of one name would be sent as one value. */
function hasHeader(headers: Headers, name: string): boolean {
  return Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase());
}

function without<T>(headers: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase()));
}
