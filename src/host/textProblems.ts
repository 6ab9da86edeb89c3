// Loaded with the first file of servers that is open in an editor.
import type { ConfigProblem, ConfigSource, ServerEntry } from '../config/configTypes.ts';
import type { ParsedSource } from '../config/read/parseSource.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import { problemsOf } from './hostProblems.ts';
import type { Host } from './host.ts';

/** A source, and what its text says while it isn't saved. */
export interface ReadText {
  readonly source: ConfigSource;
  readonly parsed: ParsedSource;
}

/**
 * What is wrong in a file as it stands in an editor: the same as once it is saved, but for the folders on disk, which are
 * looked at then.
 */
export function problemsOfTexts(
  { servers, variables, catalog, pool }: Pick<Host, 'servers' | 'variables' | 'catalog' | 'pool'>,
  texts: readonly ReadText[],
): readonly ConfigProblem[] {
  const known = new Map(servers.definitions.map((definition) => [keyOf(definition.entry), definition]));
  const definitions = texts.flatMap(({ parsed }) =>
    parsed.entries.flatMap((entry) => (entry.disabled ? [] : [definitionOf(entry, known.get(keyOf(entry)))])),
  );
  const results = texts.map(({ source, parsed }) => ({ source, status: 'found' as const, stale: false, ...parsed }));
  return problemsOf({ results }, definitions, variables, { catalog, pool });
}

function keyOf({ source, name }: ServerEntry): string {
  return `${source.id}\n${name}`;
}

function definitionOf(entry: ServerEntry, saved: ServerDefinition | undefined): ServerDefinition {
  if (saved && !saved.entry.disabled) return { ...saved, entry };
  return { id: saved?.id ?? '', name: entry.name, entry, fingerprint: '', status: { kind: 'ready' } };
}
