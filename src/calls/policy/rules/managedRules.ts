// Loaded where there is a managed file.
import { readJsonc } from '../../../config/syntax/readJsonc.ts';
import { plainValue, valueAt } from '../../../config/syntax/configNode.ts';
import { isRecord } from '../../../base/json/json.ts';
import { CAUTIOUS_RULES, readPermissionRules, type PermissionRule } from '../../../config/rules/permissionRules.ts';

/**
 * The rules for calls of a managed file: `{ "permissions": { "rules": [ … ] } }` beside its servers.
 * @param text `undefined`: there is no such file
 */
export function managedRules(text: string | undefined): readonly PermissionRule[] {
  if (text === undefined) return [];
  const { root, faults } = readJsonc(text.replace(/^\uFEFF/, ''));
  if (faults.some(({ scope }) => scope !== 'nothing')) return CAUTIOUS_RULES;
  const node = root?.type === 'object' ? valueAt(root, 'permissions') : undefined;
  const permissions = node && plainValue(node);
  const read = readPermissionRules(isRecord(permissions) ? permissions['rules'] : undefined, 'enterprise');
  // A rule that can't be followed as it is written may have been meant to forbid something.
  return read.problems.length > 0 ? [...read.rules, ...CAUTIOUS_RULES] : read.rules;
}
