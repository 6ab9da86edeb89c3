import {
  SCOPES,
  type BrokenEntry,
  type ConfigSnapshot,
  type ConfigSource,
  type Scope,
  type ServerEntry,
  type SourceResult,
} from '../../config/configTypes.ts';
import { oneLine } from '../../base/text/showInvisible.ts';
import { factsOf, type EntryFacts } from './entryFacts.ts';
import { disabledStatus, isBacked, isOwn, statusOf } from '../trust/serverStatus.ts';
import { filePolicies } from '../trust/serverPolicy.ts';
import { withSwitchedOff } from './switchedOff.ts';
import { settleShadows, type Candidate } from './serversOfOneName.ts';
import type { ServerDecisions, ServerDefinition, ServerStatus, ServersChange } from '../serverTypes.ts';
import { isDeepStrictEqual } from 'node:util';

/** Scope, source and name as one text; the last `#` separates the name. */
export function definitionId(source: ConfigSource, name: string): string {
  return `${source.scope}:${source.id}#${name.replaceAll('%', '%25').replaceAll('#', '%23')}`;
}

/**
 * Merges what all sources say into one set of servers, and says of each where it stands (design: *Scopes*, *Trust*).
 * The result is ordered by scope, then by source, then as in the file. While a managed file exists, servers from the
 * cloud don't.
 * @param scopeOrder highest first; the enterprise's is always the highest, and scopes left out follow in their default order
 * @param facts computes what is known of an entry alone; pass one that remembers
 */
export function mergeServers(
  snapshot: ConfigSnapshot,
  decisions: ServerDecisions,
  scopeOrder: readonly Scope[] = SCOPES,
  facts: (entry: ServerEntry) => EntryFacts = factsOf,
): ServerDefinition[] {
  const order: readonly Scope[] = ['enterprise', ...scopeOrder, ...SCOPES];
  const isManaged = snapshot.results.some(({ source, status }) => source.scope === 'enterprise' && status !== 'absent');
  const results = withSwitchedOff(
    snapshot.results
      .filter(({ source }) => !(isManaged && source.scope === 'cloud'))
      .sort((one, other) => order.indexOf(one.source.scope) - order.indexOf(other.source.scope)),
  );
  const policies = [...filePolicies(snapshot), ...(decisions.policies ?? [])];
  const names = decisions.judge ? namesIn(results) : [];
  const candidates = results.flatMap((result) => candidatesOf(result, { ...decisions, policies, names }, facts));
  const displayNames = displayNamesOf(candidates);
  return settleShadows(candidates, decisions).map(({ entry, id, fingerprint, status }) => ({
    id,
    // What rules go by is the entry's own name.
    name: oneLine(displayNames.get(id) ?? entry.name),
    entry,
    fingerprint,
    status,
  }));
}

function namesIn(results: readonly SourceResult[]): readonly string[] {
  return [...new Set(results.flatMap(({ entries }) => entries.map(({ name }) => name)))];
}

function candidatesOf(
  { source, entries, broken = [] }: SourceResult,
  decisions: ServerDecisions,
  facts: (entry: ServerEntry) => EntryFacts,
): Candidate[] {
  const good = entries.map((entry) => {
    const id = definitionId(source, entry.name);
    const known = facts(entry);
    const { fingerprint } = known;
    const status = statusOf(entry, id, fingerprint, decisions);
    return { entry, id, fingerprint, facts: known, status, backed: isBacked(entry, id, fingerprint, decisions) };
  });
  const bad = broken.map((item): Candidate => {
    const entry = emptyEntry(item, source);
    const id = definitionId(source, item.name);
    const problem: ServerStatus = { kind: 'problem', problem: item.problem };
    return {
      entry,
      id,
      fingerprint: '',
      status: disabledStatus(entry, id, decisions) ?? problem,
      backed: isOwn(entry),
    };
  });
  return [...good, ...bad].sort((one, other) => one.entry.range.offset - other.entry.range.offset);
}

/** Stands for an entry that can't be used: it has a name and a place. */
function emptyEntry({ name, range, disabled = false }: BrokenEntry, source: ConfigSource): ServerEntry {
  const transport = { type: 'stdio', command: '', args: [], env: {} } as const;
  return { name, scope: source.scope, source, range, transport, disabled };
}

/**
 * Id -> name, for the names that several folders use: `name (folder)`, with the path where folders are namesakes, too. A
 * name changes only for another that the user stands behind.
 */
function displayNamesOf(candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, namesakes] of Map.groupBy(candidates, (candidate) => candidate.entry.name)) {
    const folders = new Map(
      namesakes.flatMap(({ entry }) =>
        entry.source.folder ? [[entry.source.folder.path, entry.source.folder.name]] : [],
      ),
    );
    if (folders.size < 2) continue;
    const unique = new Set(folders.values()).size === folders.size;
    const backed = new Set(namesakes.flatMap((each) => (each.backed ? (each.entry.source.folder?.path ?? []) : [])));
    for (const candidate of namesakes) {
      const { entry, id } = candidate;
      const folder = entry.source.folder;
      if (folder && !(candidate.backed && backed.size === 1))
        names.set(id, `${name} (${unique ? folder.name : folder.path})`);
    }
  }
  return names;
}

/**
 * Compares two sets of definitions by content.
 * @returns the change, and `next` with every definition that is equal to an old one replaced by the old object
 */
export function diffDefinitions(
  before: ReadonlyMap<string, ServerDefinition>,
  next: readonly ServerDefinition[],
): { readonly definitions: readonly ServerDefinition[]; readonly change: ServersChange } {
  const added: ServerDefinition[] = [];
  const changed: ServerDefinition[] = [];
  const moved: ServerDefinition[] = [];
  const definitions = next.map((definition) => {
    const old = before.get(definition.id);
    if (!old) added.push(definition);
    else if (isDeepStrictEqual(old, definition)) return old;
    else if (isDeepStrictEqual(withoutPlace(old), withoutPlace(definition))) moved.push(definition);
    else changed.push(definition);
    return definition;
  });
  const ids = new Set(next.map((definition) => definition.id));
  const removed = [...before.values()].filter((definition) => !ids.has(definition.id));
  return { definitions, change: { added, changed, removed, moved } };
}

/** Whether anything differs. */
export function isEmptyChange({ added, changed, removed, moved }: ServersChange): boolean {
  return added.length + changed.length + removed.length + moved.length === 0;
}

function withoutPlace(definition: ServerDefinition): unknown {
  const { entry, status } = definition;
  return {
    ...definition,
    entry: { ...entry, range: undefined, variables: undefined },
    status:
      status.kind === 'problem'
        ? { ...status, problem: { ...status.problem, range: undefined, edit: undefined } }
        : status,
  };
}
