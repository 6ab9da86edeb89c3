import * as vscode from 'vscode';
import { takesNamesFromServers } from './editorVersions.ts';

/**
 * Whether the editor can be told which of two servers of one name is enabled: not where it keeps both
 * (`chat.mcp.collisionBehavior`, which a workspace can set, too).
 */
export function canDisableCopies(): boolean {
  if (!takesNamesFromServers(vscode.version)) return false;
  return vscode.workspace.getConfiguration('chat.mcp').get('collisionBehavior') !== 'suffix';
}
