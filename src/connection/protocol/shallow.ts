import { isRecord } from '../../base/json.ts';

/** How deep a tool may be nested, in objects and arrays. Deeper ones fail whoever walks them, and tell a model nothing. */
export const MAX_DEPTH = 128;

/** Whether a value is nested deeper than that. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  return Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

/** The value without what is nested deeper: objects there are empty. A schema stays one that its own values fit. */
export function shallow(value: unknown, depth = 0): unknown {
  // An array of schemas is left whole, since an empty one may mean that nothing fits.
  if (Array.isArray(value)) return depth > MAX_DEPTH ? [] : value.map((item) => shallow(item, depth + 1));
  if (!isRecord(value)) return value;
  if (depth >= MAX_DEPTH) return {};
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shallow(member, depth + 1)]));
}
