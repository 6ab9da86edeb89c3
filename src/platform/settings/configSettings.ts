import { say } from '../../base/say.ts';
import * as vscode from 'vscode';
import { DISCOVERABLE_CLIENTS, type DiscoverableClient } from '../../config/configTypes.ts';
import type { PresetSettings } from '../../catalog/presets/readPresets.ts';
import { SCOPES, type Scope } from '../../config/configTypes.ts';
import {
  editorPolicies,
  settingPolicy,
  type EditorMcpLists,
  type ServerPolicy,
} from '../../servers/trust/serverPolicy.ts';
import { ownValue, ownValues, SECTION, setAt, type SetValues } from './ownSettings.ts';

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
  const own = ownValues();
  const url = own('cloud.url');
  return {
    discovery: texts(own('discovery')).filter(isDiscoverable),
    configFiles: texts(own('configFiles')),
    cloudUrl: typeof url === 'string' && url.trim() !== '' ? url.trim() : undefined,
  };
}

/** The scopes in the user's order, highest first. */
export function readScopeOrder(): readonly Scope[] {
  return texts(ownValue('scopeOrder')).filter((name) => (SCOPES as readonly string[]).includes(name)) as Scope[];
}

/** The presets of the user, and those of the workspace, which can't take the place of the user's. */
export function readPresetSettings(): PresetSettings {
  const { user, workspace } = setAt(SECTION);
  return { user: user('presets'), workspace: workspace('presets') };
}

/** The lists of our and the editor's settings. Those of a workspace apply in addition, so they can only restrict. */
export function readPolicies(): readonly ServerPolicy[] {
  const editor = vscode.workspace.getConfiguration('chat.mcp');
  const inForce = {
    access: editor.get('access'),
    allowed: editor.get('allowedServers'),
    denied: editor.get('deniedServers'),
  };
  const { user, workspace } = levelsOf('chat.mcp');
  const own = levelsOf(SECTION);
  return [
    ...editorPolicies(inForce, { user, workspace }),
    ...settingPolicy(say`your settings`, own.user.allowed, own.user.denied),
    ...own.workspace.flatMap(({ allowed, denied }) => settingPolicy(say`the workspace's settings`, allowed, denied)),
  ];
}

/** What the settings of the user, and of the workspace and its folders, say of which servers may run. */
function levelsOf(section: string): { readonly user: EditorMcpLists; readonly workspace: readonly EditorMcpLists[] } {
  const lists = (values: SetValues): EditorMcpLists => ({
    access: values('access'),
    allowed: values('allowedServers'),
    denied: values('deniedServers'),
  });
  const { user, workspace } = setAt(section);
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => setAt(section, folder).folder);
  return { user: lists(user), workspace: [workspace, ...folders].map(lists) };
}

function isDiscoverable(name: string): name is DiscoverableClient {
  return (DISCOVERABLE_CLIENTS as readonly string[]).includes(name);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];
}
