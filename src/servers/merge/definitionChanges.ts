import { isDeepStrictEqual } from 'node:util';
import type { ServerDefinition, ServersChange } from '../serverTypes.ts';

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
