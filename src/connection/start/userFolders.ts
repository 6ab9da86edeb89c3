import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Where users' programs are; everything is given, so that every platform can be asked about. */
export interface UserFoldersContext {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * The folders that installers and version managers put programs in, as far as they exist: searched last, they help where
 * neither the editor's PATH nor the shell's has them.
 */
export async function userFolders(context: UserFoldersContext): Promise<readonly string[]> {
  const { platform } = context;
  const candidates =
    platform === 'win32' ? windowsFolders(context) : [...posixFolders(context), ...(await nvmFolder(context))];
  const found = await Promise.all(candidates.map(isFolder));
  return candidates.filter((_, index) => found[index]);
}

function posixFolders({ platform, environment, home }: UserFoldersContext): string[] {
  const own = (variable: string, ...rest: string[]): string => environment[variable] || path.posix.join(home, ...rest);
  const data = own('XDG_DATA_HOME', '.local', 'share');
  const brew = platform === 'darwin' ? ['/opt/homebrew/bin', '/usr/local/bin'] : ['/home/linuxbrew/.linuxbrew/bin'];
  return [
    ...[path.posix.join(home, '.local/bin'), path.posix.join(home, 'bin')],
    path.posix.join(own('VOLTA_HOME', '.volta'), 'bin'),
    path.posix.join(own('ASDF_DATA_DIR', '.asdf'), 'shims'),
    path.posix.join(environment['MISE_DATA_DIR'] || path.posix.join(data, 'mise'), 'shims'),
    path.posix.join(environment['FNM_DIR'] || path.posix.join(data, 'fnm'), 'aliases/default/bin'),
    path.posix.join(own('NODENV_ROOT', '.nodenv'), 'shims'),
    path.posix.join(environment['N_PREFIX'] || path.posix.join(home, 'n'), 'bin'),
    path.posix.join(own('PYENV_ROOT', '.pyenv'), 'shims'),
    path.posix.join(own('RBENV_ROOT', '.rbenv'), 'shims'),
    path.posix.join(own('BUN_INSTALL', '.bun'), 'bin'),
    path.posix.join(own('DENO_INSTALL', '.deno'), 'bin'),
    path.posix.join(own('CARGO_HOME', '.cargo'), 'bin'),
    path.posix.join(own('GOPATH', 'go'), 'bin'),
    own('PNPM_HOME', platform === 'darwin' ? 'Library/pnpm' : '.local/share/pnpm'),
    ...[path.posix.join(home, '.npm-global/bin'), path.posix.join(home, '.dotnet/tools')],
    ...brew,
    ...['/usr/local/bin', '/snap/bin', '/opt/local/bin', path.posix.join(home, '.nix-profile/bin')],
    ...['/run/current-system/sw/bin', '/nix/var/nix/profiles/default/bin'],
  ];
}

function windowsFolders({ environment, home }: UserFoldersContext): string[] {
  const join = (...parts: string[]): string => path.win32.join(...parts);
  const local = environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  const roaming = environment['APPDATA'] || join(home, 'AppData', 'Roaming');
  const programs = environment['ProgramFiles'] || environment['PROGRAMFILES'] || 'C:\\Program Files';
  return [
    ...[join(programs, 'nodejs'), join(roaming, 'npm'), join(home, '.local', 'bin')],
    ...(environment['NVM_SYMLINK'] ? [environment['NVM_SYMLINK']] : []),
    ...[join(local, 'Volta', 'bin'), join(local, 'fnm', 'aliases', 'default'), join(local, 'mise', 'shims')],
    ...[join(local, 'pnpm'), join(home, '.bun', 'bin'), join(home, '.deno', 'bin'), join(home, '.cargo', 'bin')],
    ...[
      join(local, 'Microsoft', 'WinGet', 'Links'),
      join(local, 'Microsoft', 'WindowsApps'),
      join(home, 'scoop', 'shims'),
    ],
    ...['C:\\ProgramData\\chocolatey\\bin', join(home, 'go', 'bin'), join(home, '.dotnet', 'tools')],
    ...[join(programs, 'Git', 'cmd'), join(programs, 'Docker', 'Docker', 'resources', 'bin')],
  ];
}

/** nvm has no folder that is always the default version's: its alias names a version, a part of one, or another alias. */
async function nvmFolder({ environment, home }: UserFoldersContext): Promise<string[]> {
  const root = environment['NVM_DIR'] || path.posix.join(home, '.nvm');
  const versions = await readdir(path.posix.join(root, 'versions/node')).catch(() => []);
  const chosen = newestOf(versions, await nvmDefault(root));
  return chosen === undefined ? [] : [path.posix.join(root, 'versions/node', chosen, 'bin')];
}

/** How many aliases may lead to one another. */
const MAX_ALIASES = 5;

async function nvmDefault(root: string): Promise<string> {
  let alias = 'default';
  for (let step = 0; step < MAX_ALIASES; step += 1) {
    if (!/^[\w*./-]+$/.test(alias) || alias.includes('..')) return '';
    const text = await readFile(path.posix.join(root, 'alias', alias), 'utf8').catch(() => undefined);
    if (text === undefined) break;
    alias = text.trim();
  }
  return /^v?[\d.]+$/.test(alias) ? alias.replace(/^v/, '') : '';
}

/** The newest version that begins with `wanted`; the newest of all where none does. */
export function newestOf(versions: readonly string[], wanted: string): string | undefined {
  const numbers = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);
  const sorted = versions
    .filter((version) => /^v?\d+(?:\.\d+)*$/.test(version))
    .sort((one, other) => {
      const [a, b] = [numbers(one), numbers(other)];
      const index = a.findIndex((number, at) => number !== b[at]);
      return index < 0 ? 0 : (b[index] ?? 0) - (a[index] ?? 0);
    });
  const fits = (version: string): boolean =>
    `${version.replace(/^v/, '')}.`.startsWith(`${wanted.replace(/\.$/, '')}.`);
  return (wanted === '' ? undefined : sorted.find(fits)) ?? sorted[0];
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
