import path from 'node:path';
import type { ConfigSource, DiscoverableClient, SourceFormat, WorkspaceFolder } from '../configTypes.ts';

/** The machine that files are looked for on. Everything is given, so that every platform can be asked about on any. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder that extensions of this editor's profile store their files in (`…/User/globalStorage`). */
  readonly globalStorageRoot?: string;
}

/** A file of a client. */
export interface ClientFile {
  readonly file: string;
  readonly format: SourceFormat;
}

/** `path` of the machine's platform. */
export function pathsOf({ platform }: Pick<Machine, 'platform'>): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** Where applications keep the files of this user. */
function applicationData(machine: Machine): string {
  const { platform, env, home } = machine;
  const paths = pathsOf(machine);
  if (platform === 'win32') return env['APPDATA'] || paths.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || paths.join(home, '.config');
}

/** The user's file or files of a client, highest precedence first, as its documentation places them. */
export function userFilesOf(client: DiscoverableClient, machine: Machine): ClientFile[] {
  const { platform, env, home, globalStorageRoot } = machine;
  const paths = pathsOf(machine);
  const data = applicationData(machine);
  const storage = globalStorageRoot ?? paths.join(data, 'Code', 'User', 'globalStorage');
  const xdg = env['XDG_CONFIG_HOME'];
  const isWindows = platform === 'win32';
  const mcp = (folder: string, file: string): ClientFile[] => [{ file: paths.join(folder, file), format: 'mcp' }];
  const settings = (folder: string, ...files: string[]): ClientFile[] =>
    files.map((file) => ({ file: paths.join(folder, file), format: 'settings' }));
  const ofHome = (folder: string): string => paths.join(home, folder);
  switch (client) {
    case 'claude-code':
      return settings(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
    case 'claude-desktop':
      return settings(data, 'Claude/claude_desktop_config.json');
    case 'cursor':
      return mcp(home, '.cursor/mcp.json');
    case 'windsurf':
      return mcp(home, '.codeium/windsurf/mcp_config.json');
    case 'codex':
      return settings(env['CODEX_HOME'] || ofHome('.codex'), 'config.toml');
    case 'gemini':
      return settings(home, '.gemini/settings.json');
    case 'cline':
      return mcp(storage, 'saoudrizwan.claude-dev/settings/cline_mcp_settings.json');
    case 'roo':
      return mcp(storage, 'rooveterinaryinc.roo-cline/settings/mcp_settings.json');
    case 'kilo':
      return mcp(storage, 'kilocode.kilo-code/settings/mcp_settings.json');
    case 'opencode':
      // It follows the XDG layout on every platform.
      return settings(xdg || ofHome('.config'), 'opencode/opencode.jsonc', 'opencode/opencode.json');
    case 'zed':
      return isWindows
        ? settings(data, 'Zed/settings.json')
        : settings((platform === 'linux' && xdg) || ofHome('.config'), 'zed/settings.json');
    case 'amazon-q':
      return mcp(home, '.aws/amazonq/mcp.json');
    case 'kiro':
      return mcp(home, '.kiro/settings/mcp.json');
    case 'copilot':
      return mcp(env['COPILOT_HOME'] || ofHome('.copilot'), 'mcp-config.json');
  }
}

/** What a client reads in a project's folder, relative to it and with `/`. (`.mcp.json` is read for everybody.) */
const PROJECT_FILES: Readonly<Partial<Record<DiscoverableClient, readonly (readonly [string, SourceFormat])[]>>> = {
  cursor: [['.cursor/mcp.json', 'mcp']],
  codex: [['.codex/config.toml', 'settings']],
  gemini: [['.gemini/settings.json', 'settings']],
  roo: [['.roo/mcp.json', 'mcp']],
  kilo: [['.kilocode/mcp.json', 'mcp']],
  opencode: [
    ['opencode.jsonc', 'settings'],
    ['opencode.json', 'settings'],
  ],
  zed: [['.zed/settings.json', 'settings']],
  'amazon-q': [['.amazonq/mcp.json', 'mcp']],
  kiro: [['.kiro/settings/mcp.json', 'mcp']],
  copilot: [['.github/mcp.json', 'mcp']],
};

/** The sources of an opted-in client: its user file, and its files in the workspace's folders. */
export function clientSources(
  client: DiscoverableClient,
  machine: Machine,
  folders: readonly WorkspaceFolder[],
  labelOf: (file: string, folder?: WorkspaceFolder) => string,
): ConfigSource[] {
  const paths = pathsOf(machine);
  const inFolders = folders.flatMap((folder) =>
    (PROJECT_FILES[client] ?? []).map(([relative, format]): ConfigSource => {
      const file = paths.join(folder.path, relative);
      return {
        id: `workspace:${file}`,
        scope: 'workspace',
        format,
        label: labelOf(file, folder),
        file,
        folder,
        client,
      };
    }),
  );
  const ofUser = userFilesOf(client, machine).map(({ file, format }): ConfigSource => ({
    id: `user:${file}`,
    scope: 'user',
    format,
    label: labelOf(file),
    file,
    client,
  }));
  return [...inFolders, ...ofUser];
}
