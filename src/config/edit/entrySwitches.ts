import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { DISABLED_TOOLS, ENABLED_TOOLS } from '../read/knownFields.ts';
import type { EntryChange, EntryChanges } from './changeServer.ts';

/** Enables an entry that says itself that it is disabled. */
export const enableEntry: EntryChanges = (entry) => [
  ...(entry['disabled'] === true ? [{ path: ['disabled'], value: undefined }] : []),
  ...(entry['enabled'] === false ? [{ path: ['enabled'], value: undefined }] : []),
];

/**
 * Enables or disables a tool in its server's entry, in the lists that the entry has (`disabledTools`, `enabledTools`, or
 * what another client calls them), and by `toolOverrides`. Patterns stay as they are: where one decides, the entry does.
 * @param tool as the server calls it
 */
export function switchTool(tool: string, isEnabled: boolean): EntryChanges {
  return (entry) => {
    const [disabledKey = 'disabledTools', disabled] = listOf(entry, DISABLED_TOOLS);
    if (!isEnabled) {
      if (disabled.includes(tool)) return [];
      const isThere = Array.isArray(entry[disabledKey]);
      return isThere ? [{ path: [disabledKey], value: tool, isItem: true }] : [{ path: [disabledKey], value: [tool] }];
    }
    const [enabledKey, enabled] = listOf(entry, ENABLED_TOOLS);
    const pattern =
      disabled.find((each) => each !== tool && matchesGlob(tool, each)) ??
      hidingPatterns(entry).find((each) => each !== tool && matchesGlob(tool, each));
    if (pattern !== undefined) return say`The pattern \`${pattern}\` disables \`${tool}\`; edit it here.`;
    const isLeft = enabledKey !== undefined && enabled.length > 0 && !enabled.some((each) => matchesGlob(tool, each));
    return [
      ...withoutItem(disabledKey, disabled, tool),
      ...(isLeft ? [{ path: [enabledKey], value: tool, isItem: true }] : []),
      ...(hidingPatterns(entry).includes(tool) ? [{ path: ['toolOverrides', tool, 'hidden'], value: undefined }] : []),
    ];
  };
}

function withoutItem(key: string, list: readonly string[], item: string): readonly EntryChange[] {
  const at = list.indexOf(item);
  if (at < 0) return [];
  return [list.length === 1 ? { path: [key], value: undefined } : { path: [key, at], value: undefined }];
}

/** The list that counts: the first that is there. */
function listOf(
  entry: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): readonly [key: string | undefined, list: readonly string[]] {
  const key = keys.find((each) => Array.isArray(entry[each]));
  const list = key === undefined ? [] : (entry[key] as unknown[]);
  return [key, list.map(String)];
}

function hidingPatterns({ toolOverrides }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!isRecord(toolOverrides)) return [];
  return Object.entries(toolOverrides).flatMap(([key, value]) =>
    isRecord(value) && value['hidden'] === true ? [key] : [],
  );
}
