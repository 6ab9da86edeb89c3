import { sha256, stableStringify } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { HookGroups } from './hookTypes.ts';

const KEY = 'hooks.approved';

/** Whether the user approved these hooks of the workspace and of other clients: all of them as they are. @param store of the workspace */
export function isHookApproved(store: KeyValueStore, hooks: HookGroups): boolean {
  return store.get(KEY) === digestOf(hooks);
}

/** @param hooks as the user saw them; `undefined`: none is approved any more */
export function approveHooks(store: KeyValueStore, hooks: HookGroups | undefined): Promise<void> {
  return store.set(KEY, hooks && digestOf(hooks));
}

function digestOf(hooks: HookGroups): string {
  return sha256(stableStringify(hooks));
}
