/** Versions of the protocol that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** What a server that names no version is taken to speak (specification: Streamable HTTP, *Protocol Version Header*). */
const UNNAMED_VERSION = '2025-03-26';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The known version that a server's answer to `initialize` stands for: servers also name one of their own. Of a date that
 * no version has, the version before it.
 */
export function knownVersion(named: unknown): string {
  if (typeof named !== 'string' || !DATE.test(named)) return UNNAMED_VERSION;
  return LEGACY_VERSIONS.find((version) => version <= named) ?? UNNAMED_VERSION;
}

/** What a server says that refuses `initialize`. */
export interface Refusal {
  readonly message: string;
  readonly data?: unknown;
}

/** Whether it is the version of the protocol that is refused. */
export function refusesVersion({ message }: Refusal): boolean {
  return (
    /\bprotocol[ _-]?version/i.test(message) ||
    (/\bversions?\b/i.test(message) && /\bun(?:supported|known)|not supported|mismatch/i.test(message))
  );
}

/**
 * The version to offer after `offered` was refused: the newest older one that the server names, or, where it names none,
 * the next older one. `undefined`: there is none.
 */
export function olderVersion(offered: string = LEGACY_VERSIONS[0], refusal: Refusal): string | undefined {
  if (!refusesVersion(refusal)) return undefined;
  const text = `${refusal.message} ${refusal.data === undefined ? '' : JSON.stringify(refusal.data)}`;
  const named: readonly string[] = text.slice(0, MAX_CHARS).match(/\d{4}-\d{2}-\d{2}/g) ?? [];
  const older = LEGACY_VERSIONS.filter((version) => version < offered);
  return older.find((version) => named.includes(version)) ?? older[0];
}

const MAX_CHARS = 4096;
