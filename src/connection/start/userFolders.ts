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
    ...fnmFolders(environment, home, data).map((folder) => path.posix.join(folder, 'aliases/default/bin')),
    path.posix.join(own('NODENV_ROOT', '.nodenv'), 'shims'),
    path.posix.join(environment['N_PREFIX'] || path.posix.join(home, 'n'), 'bin'),
    ...['shims', 'bin'].map((folder) => path.posix.join(own('PROTO_HOME', '.proto'), folder)),
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

/** fnm has had three places; the older ones stay in use where they exist. */
function fnmFolders(environment: UserFoldersContext['environment'], home: string, data: string): readonly string[] {
  const chosen = environment['FNM_DIR'];
  if (chosen) return [chosen];
  return [path.posix.join(home, '.fnm'), path.posix.join(home, 'Library/Application Support/fnm'), path.posix.join(data, 'fnm')]; // prettier-ignore
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

/**
 * nvm has no folder that is always the default version's: its alias names a version, a part of one, or another alias. That of
 * the fish shell keeps its versions elsewhere, and its default where only fish reads it.
 */
async function nvmFolder({ environment, home }: UserFoldersContext): Promise<string[]> {
  const root = environment['NVM_DIR'] || path.posix.join(home, '.nvm');
  const ofFish = path.posix.join(environment['XDG_DATA_HOME'] || path.posix.join(home, '.local/share'), 'nvm');
  const [own, fish] = await Promise.all([
    newestIn(path.posix.join(root, 'versions/node'), await nvmDefault(root)),
    newestIn(environment['nvm_data'] || ofFish, environment['nvm_default_version']?.replace(/^v/, '') ?? ''),
  ]);
  return [...own, ...fish];
}

/** The folder of programs of the newest version in `folder` that begins with `wanted`. */
async function newestIn(folder: string, wanted: string): Promise<string[]> {
  const chosen = newestOf(await readdir(folder).catch(() => []), wanted);
  return chosen === undefined ? [] : [path.posix.join(folder, chosen, 'bin')];
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
