import * as vscode from 'vscode';
import { OFFICIAL_REGISTRY } from '../../config/registry/registryClient.ts';
import { ownValue } from './ownSettings.ts';

/**
 * The address of the MCP registry: `mcpSwitchboard.registry.url`, else the gallery that an organization or the user has set
 * for the editor itself (`chat.mcp.gallery.serviceUrl`), else the official one. A folder's settings never count.
 */
export function readRegistryUrl(): string {
  const own = ownValue('registry.url');
  if (typeof own === 'string' && own.trim() !== '') return own.trim();
  const gallery = vscode.workspace.getConfiguration('chat.mcp.gallery');
  const about = gallery.inspect('serviceUrl');
  const isFolders = about?.workspaceValue !== undefined || about?.workspaceFolderValue !== undefined;
  const url: unknown = isFolders ? about.globalValue : gallery.get('serviceUrl');
  return typeof url === 'string' && url.trim() !== '' && url !== about?.defaultValue ? url.trim() : OFFICIAL_REGISTRY;
}
