import type { ToolFilter } from '../config/configTypes.ts';

/** The tools that an entry's lists (`enabledTools`, `disabledTools`) let through. */
export function offeredTools<T extends { readonly name: string }>(
  tools: readonly T[],
  filter: ToolFilter | undefined,
): readonly T[] {
  if (!filter) return tools;
  const { enabled, disabled } = filter;
  return tools.filter(({ name }) => (enabled?.includes(name) ?? true) && !disabled?.includes(name));
}
