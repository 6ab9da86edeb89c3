// Loaded with the gateway.
import path from 'node:path';
import type { ServerEntry } from '../config/configTypes.ts';
import { isWorkspaceFile, samePath } from './editorOwnServers.ts';

/**
 * What the editor calls its own server of this entry (seen in VS Code 1.139), where it has one; several where it depends
 * on the kind of window.
 * @param folderPaths paths of the workspace folders, in their order
 */
export function editorDefinitionIds(
  entry: ServerEntry,
  profileMcpFile: string | undefined,
  folderPaths: readonly string[],
): readonly string[] {
  const { file, folder } = entry.source;
  if (file === undefined) return [];
  if (profileMcpFile !== undefined && samePath(file, profileMcpFile)) {
    return ['usrlocal', 'usrremote'].map((place) => `mcp.config.${place}.${entry.name}`);
  }
  if (folder === undefined && isWorkspaceFile(file)) return [`mcp.config.workspace.${entry.name}`];
  const index = folder === undefined ? -1 : folderPaths.findIndex((each) => samePath(each, folder.path));
  if (folder === undefined || index < 0) return [];
  if (samePath(file, path.join(folder.path, '.vscode', 'mcp.json'))) return [`mcp.config.ws${index}.${entry.name}`];
  if (samePath(file, path.join(folder.path, '.mcp.json'))) return [`workspace-dot-mcp.${index}.${entry.name}`];
  return [];
}
