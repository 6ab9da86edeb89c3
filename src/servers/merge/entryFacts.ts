import type { ServerEntry } from '../../config/configTypes.ts';
import { fingerprintOf } from '../trust/fingerprint.ts';
import { endpointSignature } from './endpointSignature.ts';

/** What is computed of an entry alone. */
export interface EntryFacts {
  readonly fingerprint: string;
  readonly signature: string;
}

/** Computes the facts of an entry; its signature only where it is asked for. */
export function factsOf(entry: ServerEntry): EntryFacts {
  let signature: string | undefined;
  return {
    fingerprint: fingerprintOf(entry),
    get signature() {
      signature ??= endpointSignature(entry.transport);
      return signature;
    },
  };
}

/** Computes the facts of each entry once: an entry never changes, and a snapshot keeps those of unchanged files. */
export class EntryFactsCache {
  readonly #known = new WeakMap<ServerEntry, EntryFacts>();

  of(entry: ServerEntry): EntryFacts {
    const known = this.#known.get(entry);
    if (known) return known;
    const facts = factsOf(entry);
    this.#known.set(entry, facts);
    return facts;
  }
}
