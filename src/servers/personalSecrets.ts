import type { SecretValues } from '../base/text/secrets.ts';
import type { ServerEntry, TransportSpec } from '../config/configTypes.ts';
import { namedValuesOf } from '../config/variables/namedValues.ts';
import { isOwn } from './trust/serverStatus.ts';

/**
 * Adds a value that replaces a variable, if it is the user's: a default or an option of an input is what the file says, and
 * covering that would hide it.
 */
export function addVariable(
  secrets: SecretValues,
  entry: Pick<ServerEntry, 'inputs' | 'scope'>,
  [variable, field, value]: readonly [variable: string, field: string, value: string],
): void {
  const input = entry.inputs?.find(({ id }) => variable === `input:${id}`);
  if (input?.type === 'pickString' || (input?.type === 'promptString' && input.default === value)) return;
  const isPassword = input?.type === 'promptString' && input.password;
  // What others call it doesn't make an ordinary value of the user's a secret, such as `${SHELL}` in the field `API_TOKEN`.
  const names = isOwn(entry) ? [variable, field] : [variable];
  for (const name of isPassword ? ['password'] : names) secrets.add(name, value);
}

/** Adds the values that the user's own files give to a server. */
export function addWritten(secrets: SecretValues, entry: Pick<ServerEntry, 'scope'>, spec: TransportSpec): void {
  if (isOwn(entry)) for (const [name, value] of namedValuesOf(spec)) secrets.add(name, value);
}
