import { say } from '../base/say.ts';
// Loaded when the configuration is read.
import { clientSources, pathsOf, userFilesOf, type Machine } from './clients/clientFiles.ts';
import { managedFilePath, USER_SETTING_ID } from './ownSources.ts';
import type {
  ClientId,
  ConfigSource,
  DiscoverableClient,
  Scope,
  SourceFormat,
  WorkspaceFolder,
} from './configTypes.ts';

/** What decides which sources exist. */
export interface SourceOptions extends Machine {
  readonly workspaceFolders: readonly WorkspaceFolder[];
  /** The `.code-workspace` file that is open. */
  readonly workspaceFile?: string;
  /** The profile's folder, with its `mcp.json` and `settings.json`. */
  readonly profileFolder?: string;
  /** This machine's and workspace's own file. */
  readonly localFile?: string;
  /** Clients whose files are read, too: the user's value of `mcpSwitchboard.discovery`. */
  readonly discovery: readonly DiscoverableClient[];
  /** Further files: the user's value of `mcpSwitchboard.configFiles`, absolute or `~/`; later ones win. */
  readonly configFiles: readonly string[];
}

/**
 * Every place that servers may be defined in (design: *Scopes*), whether it exists or not. Within a scope the earlier
 * source wins.
 */
export function sourcesFor(options: SourceOptions): ConfigSource[] {
  const { workspaceFolders: folders, home, discovery } = options;
  const paths = pathsOf(options);
  const labelOf = (file: string, folder?: WorkspaceFolder): string => {
    if (!folder) return file.startsWith(home + paths.sep) ? `~${file.slice(home.length)}` : file;
    const relative = paths.relative(folder.path, file).replaceAll('\\', '/');
    return folders.length > 1 ? `${folder.name}/${relative}` : relative;
  };
  const source = (scope: Scope, format: SourceFormat, client: ClientId | undefined, file: string): ConfigSource => ({
    id: `${scope}:${file}`,
    scope,
    format,
    label: labelOf(file),
    file,
    ...(client ? { client } : {}),
  });
  const inFolder = (
    folder: WorkspaceFolder,
    scope: Scope,
    format: SourceFormat,
    client: ClientId,
    ...relative: string[]
  ): ConfigSource => {
    const file = paths.join(folder.path, ...relative);
    return { ...source(scope, format, client, file), label: labelOf(file, folder), folder };
  };
  const discovered = discovery.flatMap((client) => clientSources(client, options, folders, labelOf));
  const all = [
    source('enterprise', 'mcp', 'claude-code', managedFilePath(options)),
    ...(options.localFile === undefined ? [] : [source('local', 'mcp', undefined, options.localFile)]),
    ...(discovery.includes('claude-code') ? claudeProjects(options, labelOf) : []),
    ...folders.map((folder) => inFolder(folder, 'project', 'mcp', 'claude-code', '.mcp.json')),
    ...folders.flatMap((folder) => [
      inFolder(folder, 'workspace', 'mcp', 'vscode', '.vscode', 'mcp.json'),
      inFolder(folder, 'workspace', 'settings', 'vscode', '.vscode', 'settings.json'),
      inFolder(folder, 'workspace', 'settings', 'claude-code', '.claude', 'settings.local.json'),
      inFolder(folder, 'workspace', 'settings', 'claude-code', '.claude', 'settings.json'),
      ...[['.devcontainer', 'devcontainer.json'], ['.devcontainer.json']].map((relative) => ({
        ...inFolder(folder, 'workspace', 'settings', 'vscode', ...relative),
        within: ['customizations', 'vscode'],
      })),
    ]),
    ...(options.workspaceFile === undefined
      ? []
      : [{ ...source('workspace', 'settings', 'vscode', options.workspaceFile), within: ['settings'] }]),
    userSetting,
    ...options.configFiles.toReversed().map((file) => source('user', 'mcp', undefined, absolute(file, options))),
    ...(options.profileFolder === undefined
      ? []
      : [
          source('user', 'mcp', 'vscode', paths.join(options.profileFolder, 'mcp.json')),
          source('user', 'settings', 'vscode', paths.join(options.profileFolder, 'settings.json')),
        ]),
    source('user', 'settings', 'claude-code', paths.join(claudeFolder(options), 'settings.json')),
    ...discovered,
  ];
  return [...new Map(all.toReversed().map((item) => [item.id, item])).values()].toReversed();
}

const userSetting: ConfigSource = {
  id: USER_SETTING_ID,
  scope: 'user',
  format: 'mcp',
  label: say`user setting mcpSwitchboard.servers`,
};

function claudeFolder(options: SourceOptions): string {
  return options.env['CLAUDE_CONFIG_DIR'] || pathsOf(options).join(options.home, '.claude');
}

/** What Claude Code keeps for each project in the user's own file: private to this machine and folder. */
function claudeProjects(options: SourceOptions, labelOf: (file: string) => string): ConfigSource[] {
  return userFilesOf('claude-code', options).flatMap(({ file }) =>
    options.workspaceFolders.map((folder): ConfigSource => ({
      id: `local:${file}#${folder.path}`,
      scope: 'local',
      format: 'settings',
      label: say`${labelOf(file)} (project ${folder.name})`,
      file,
      folder,
      client: 'claude-code',
      within: ['projects', folder.path],
    })),
  );
}

function absolute(file: string, options: SourceOptions): string {
  const paths = pathsOf(options);
  const expanded = /^~[\\/]/.test(file) ? paths.join(options.home, file.slice(2)) : file;
  return paths.isAbsolute(expanded) ? paths.normalize(expanded) : paths.join(options.home, expanded);
}

/** The source that a configured address is; `undefined` where it isn't one that may be used. */
export function cloudSource(url: string): ConfigSource | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, host } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) return undefined;
  return { id: `cloud:${url}`, scope: 'cloud', format: 'settings', label: say`servers from ${host}` };
}
