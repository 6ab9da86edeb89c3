import { sha256, stableStringify } from '../../base/json/json.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import { isOwn } from '../../servers/trust/serverStatus.ts';

/**
 * What decides who gets the tokens of a sign-in: the address, the headers, and what the entry says of signing in. Of an entry
 * that others write, also which entry it is: that one repository's server is signed in to says nothing of another's.
 */
export function signInBinding({ id, entry }: ServerDefinition): string {
  return sha256(stableStringify({ transport: entry.transport, ...(isOwn(entry) ? {} : { id }) }));
}
