import { SCOPES, type Scope } from '../../../config/configTypes.ts';
import { describeState, type ServerState } from '../../../connection/connectionState.ts';
import type { ServerView } from '../../../host/views/serverView.ts';

/** Orders of the servers. `defined`: by scope, source and place in the file. */
export const SORTS = ['defined', 'name', 'state', 'tools'] as const;
export type ServerSort = (typeof SORTS)[number];

/** How the view shows the servers; remembered for the workspace. */
export interface Arrangement {
  /** Below their scopes, where there are several. */
  readonly isGrouped: boolean;
  readonly sort: ServerSort;
  /** Words that all have to be in a server's name, scope, file or state, or in a tool's name; empty: all servers. */
  readonly filter: string;
}

export const DEFAULT_ARRANGEMENT: Arrangement = { isGrouped: true, sort: 'defined', filter: '' };

/** What was remembered, whatever it is. */
export function readArrangement(value: unknown): Arrangement {
  const { isGrouped, sort, filter } = (value ?? {}) as Partial<Record<keyof Arrangement, unknown>>;
  return {
    isGrouped: isGrouped !== false,
    sort: SORTS.find((each) => each === sort) ?? DEFAULT_ARRANGEMENT.sort,
    filter: typeof filter === 'string' ? filter : '',
  };
}

export interface ServerGroup {
  readonly scope: Scope;
  readonly views: readonly ServerView[];
}

/** The servers that the filter lets through, in order. */
export function arrangeServers(
  views: readonly ServerView[],
  { sort, filter }: Pick<Arrangement, 'sort' | 'filter'>,
  toolNamesOf: (serverId: string) => readonly string[] = () => [],
): readonly ServerView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? views : views.filter((view) => fits(view, words, toolNamesOf));
  switch (sort) {
    case 'defined':
      return found;
    case 'name':
      return found.toSorted((one, other) => byName(one, other));
    case 'state':
      return found.toSorted((one, other) => RANKS[one.state.kind] - RANKS[other.state.kind] || byName(one, other));
    case 'tools':
      return found.toSorted(
        (one, other) =>
          toolNamesOf(other.definition.id).length - toolNamesOf(one.definition.id).length || byName(one, other),
      );
  }
}

/** The servers by scope, the highest scope first. */
export function groupServers(views: readonly ServerView[]): readonly ServerGroup[] {
  const byScope = Map.groupBy(views, ({ definition }) => definition.entry.scope);
  return SCOPES.flatMap((scope) => {
    const own = byScope.get(scope);
    return own ? [{ scope, views: own }] : [];
  });
}

/** What needs the user comes first. */
const RANKS: Readonly<Record<ServerState['kind'], number>> = {
  failed: 0,
  problem: 0,
  'needs-auth': 1,
  blocked: 2,
  pending: 3,
  installing: 4,
  connecting: 4,
  connected: 5,
  disconnected: 6,
  disabled: 7,
  shadowed: 8,
};

function byName(one: ServerView, other: ServerView): number {
  return one.definition.name.localeCompare(other.definition.name, undefined, { numeric: true });
}

function fits(
  { definition: { id, name, entry }, state }: ServerView,
  words: readonly string[],
  toolNamesOf: (serverId: string) => readonly string[],
): boolean {
  const own = `${name}\n${entry.scope}\n${entry.source.label}\n${describeState(state)}`.toLowerCase();
  return words.every((word) => own.includes(word) || toolNamesOf(id).some((tool) => tool.toLowerCase().includes(word)));
}
