import type { Catalog } from '../catalog/catalog.ts';
import type { ConfigProblem, ConfigSnapshot } from '../config/configTypes.ts';
import type { ConnectionPool } from '../connection/connectionPool.ts';
import { allProblems, type ResolveContext } from '../servers/resolveEntry.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';

/** Everything that is wrong in the sources, variables without a value and rules that fit no tool included. */
export function problemsOf(
  snapshot: ConfigSnapshot,
  definitions: readonly ServerDefinition[],
  context: ResolveContext,
  { catalog, pool }: { readonly catalog: Catalog; readonly pool: ConnectionPool },
): readonly ConfigProblem[] {
  return [
    ...allProblems(snapshot, definitions, context),
    // What an entry says of tools that its server doesn't list, and names that are taken: known once it has listed them.
    // And what of the list had to be left out.
    ...definitions.flatMap(({ id, name: serverName, entry: { range } }): ConfigProblem[] => [
      ...catalog.problemsOf(id).map((problem) => ({ ...problem, severity: 'warning' as const, range, serverName })),
      ...(pool.get(id)?.leftOut ?? []).map((said): ConfigProblem => ({
        code: 'left-out',
        severity: 'hint',
        message: `Omitted. ${said}`,
        range,
        serverName,
      })),
    ]),
  ];
}
