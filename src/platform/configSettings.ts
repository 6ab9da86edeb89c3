import * as vscode from 'vscode';
import { DISCOVERABLE_CLIENTS, type DiscoverableClient } from '../config/clients/clientFiles.ts';
import { SCOPES, type Scope } from '../config/configTypes.ts';
import { editorPolicies, settingPolicy, type ServerPolicy } from '../servers/trust/serverPolicy.ts';
import { ownValue, SECTION } from './ownSettings.ts';

/** The user's settings about sources. A workspace can't set any of them. */
export interface SourceSettings {
  readonly discovery: readonly DiscoverableClient[];
  readonly configFiles: readonly string[];
  readonly cloudUrl: string | undefined;
}

/** Settings that decide which sources there are. */
export const SOURCE_SETTINGS = [`${SECTION}.discovery`, `${SECTION}.configFiles`, `${SECTION}.cloud`] as const;
/** Settings that decide the status of a server. */
export const MERGE_SETTINGS = [
  `${SECTION}.scopeOrder`,
  `${SECTION}.allowedServers`,
  `${SECTION}.deniedServers`,
  'chat.mcp',
] as const;

export function readSourceSettings(): SourceSettings {
  const url = ownValue('cloud.url');
  return {
    discovery: texts(ownValue('discovery')).filter(isDiscoverable),
    configFiles: texts(ownValue('configFiles')),
    cloudUrl: typeof url === 'string' && url.trim() !== '' ? url.trim() : undefined,
  };
}

/** The scopes in the user's order, highest first. */
export function readScopeOrder(): readonly Scope[] {
  return texts(ownValue('scopeOrder')).filter((name) => (SCOPES as readonly string[]).includes(name)) as Scope[];
}

/** The lists of our and the editor's settings. A workspace's lists apply in addition, so they can only restrict. */
export function readPolicies(): readonly ServerPolicy[] {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const allowed = settings.inspect('allowedServers');
  const denied = settings.inspect('deniedServers');
  const editor = vscode.workspace.getConfiguration('chat.mcp');
  return [
    ...editorPolicies({
      access: editor.get('access'),
      allowed: editor.get('allowedServers'),
      denied: editor.get('deniedServers'),
    }),
    ...settingPolicy('your settings', allowed?.globalValue, denied?.globalValue),
    ...settingPolicy("the workspace's settings", allowed?.workspaceValue, denied?.workspaceValue),
  ];
}

function isDiscoverable(name: string): name is DiscoverableClient {
  return (DISCOVERABLE_CLIENTS as readonly string[]).includes(name);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
}
