/** How callable names are made (setting `toolNameFormat`). */
export const TOOL_NAME_FORMATS = ['mcp__{server}__{tool}', '{server}__{tool}'] as const;
export type ToolNameFormat = (typeof TOOL_NAME_FORMATS)[number];

/** What the editor puts before every name that it makes. */
const EDITOR_PREFIX = 'mcp_';

/** What callable names have before the tool's part. */
export function prefixOf(part: string, format: ToolNameFormat): string {
  return `${format === 'mcp__{server}__{tool}' ? 'mcp__' : ''}${part}__`;
}

/**
 * What a server has to be called for the editor to come nearest to the callable names: it puts `mcp_`, this and `_` before
 * a tool's name (seen in VS Code 1.139).
 */
export function editorServerName(part: string, format: ToolNameFormat): string {
  return format === 'mcp__{server}__{tool}' ? `_${part}_` : `${part}_`;
}

/** A callable name as the editor's own list has it: the very same, or behind `mcp_`, which it puts before every name. */
export function editorNameOf(callableName: string, format: ToolNameFormat): string {
  return format === 'mcp__{server}__{tool}' ? callableName : EDITOR_PREFIX + callableName;
}
