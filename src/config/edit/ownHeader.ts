import { isRecord } from '../../base/json/json.ts';
import type { ServerEntry } from '../configTypes.ts';
import type { PastedServer } from '../paste/readPasted.ts';
import { withInputs } from '../paste/secretInputs.ts';

type Value = Readonly<Record<string, unknown>>;

/** A server with another header: as it is read, and as its definition is written. */
export interface WithHeader {
  readonly server: PastedServer;
  readonly change: (value: Value) => Value;
}

/**
 * A server with a header, in the place of one of that name. A secret in it becomes an input of the entry, with the secret as its
 * answer. `undefined` for a server that is sent none.
 */
export function withOwnHeader(entry: ServerEntry, name: string, value: string): WithHeader | undefined {
  const { transport, inputs = [] } = entry;
  if (!('headers' in transport)) return undefined;
  const taken = new Set(inputs.map(({ id }) => id));
  const made = withInputs(entry.name, { type: 'http', url: 'https://localhost', headers: { [name]: value } }, taken);
  const written = ('headers' in made.transport ? made.transport.headers[name] : undefined) ?? value;
  const all = [...inputs, ...made.inputs];
  const changed = {
    ...entry,
    transport: { ...transport, headers: replaced(transport.headers, name, written) },
    ...(all.length > 0 ? { inputs: all } : {}),
  };
  return {
    server: { entry: changed, read: changed, isNamed: true, answers: made.answers },
    change: (definition) => ({
      ...definition,
      headers: replaced(isRecord(definition['headers']) ? definition['headers'] : {}, name, written),
    }),
  };
}

/** Names of headers have no case: two of one name would be sent as one value. */
function replaced<T>(headers: Readonly<Record<string, T>>, name: string, value: T & string): Record<string, T> {
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return Object.fromEntries([...others, [name, value]]);
}
