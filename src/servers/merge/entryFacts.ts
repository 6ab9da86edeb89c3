import type { ServerEntry, TransportSpec } from '../../config/configTypes.ts';
import { fingerprintOf } from '../trust/fingerprint.ts';
import { sha256, stableStringify } from '../../base/json/json.ts';

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

/**
 * What a server is, whatever it is called (design: *Scopes*): scheme, host, port, path and sorted query of its address, or
 * command and arguments; with environment and header values as written, so that two accounts of one service stay two.
 * @returns a hash: equal ones are one endpoint
 */
export function endpointSignature(spec: TransportSpec): string {
  if (spec.type === 'sdk') return sha256(stableStringify({ extension: spec.extension, server: spec.server }));
  return sha256(
    stableStringify(
      spec.type === 'stdio'
        ? { run: [spec.command, ...spec.args], env: spec.env, cwd: spec.cwd, envFile: spec.envFile }
        : { url: canonicalUrl(spec.url), headers: lowerCaseNames(spec.headers), helper: spec.headersHelper },
    ),
  );
}

function canonicalUrl(url: string): string {
  const parsed = url.includes('${') ? null : URL.parse(url);
  if (!parsed) return url;
  const { protocol, username, password, host, pathname, searchParams } = parsed;
  searchParams.sort();
  return stableStringify([protocol, username, password, host, pathname.replace(/\/+$/, ''), searchParams.toString()]);
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
