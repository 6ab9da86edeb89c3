import path from 'node:path';
import type { ServerEntry } from '../config/configTypes.ts';

/** The editor's own MCP settings, as far as they decide what it starts. */
export interface EditorMcpSettings {
  /** `chat.mcp.access`. */
  readonly access: string | undefined;
  /** `chat.mcp.autostart`. */
  readonly autostart: unknown;
  /** Whether the editor looks for `.mcp.json` at the root of a folder. */
  readonly discoverDotMcpJson: boolean;
}

/**
 * Whether the editor's built-in MCP support would start this server by itself (measured in VS Code 1.139): it does for a
 * root `.mcp.json`, `.vscode/mcp.json`, the settings of a workspace file and the profile's `mcp.json`, unless `chat.mcp.access` is `none` or
 * `chat.mcp.autostart` is `never`.
 * @param profileMcpFile path of the profile's `mcp.json`, where it is known
 * @param isChosen the user wants the editor to host: then it does what it has, whether it starts it by itself or not
 */
export function wouldEditorHost(
  entry: ServerEntry,
  settings: EditorMcpSettings,
  profileMcpFile: string | undefined,
  isChosen: boolean,
): boolean {
  if (settings.access === 'none' || (!isChosen && settings.autostart === 'never')) return false;
  const { file, folder } = entry.source;
  if (file === undefined) return false;
  if (profileMcpFile !== undefined && samePath(file, profileMcpFile)) return true;
  if (folder === undefined) return isWorkspaceFile(file);
  if (samePath(file, path.join(folder.path, '.vscode', 'mcp.json'))) return true;
  return settings.discoverDotMcpJson && samePath(file, path.join(folder.path, '.mcp.json'));
}

/** Whether a file is that of a workspace with several folders (`.code-workspace`), whose settings the editor reads. */
export function isWorkspaceFile(file: string): boolean {
  return file.endsWith('.code-workspace');
}

/** Whether two paths are the same as written. */
export function samePath(one: string, other: string): boolean {
  return path.normalize(one) === path.normalize(other);
}
