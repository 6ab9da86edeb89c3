import path from 'node:path';
import { oneSpelling } from '../../base/environmentNames.ts';
import { programName } from '../../base/files/programName.ts';
import type { Scope } from '../../config/configTypes.ts';
import { environmentValue } from '../../config/variables/expandVariables.ts';
import { isWsl, wslVariables } from '../../config/variables/wsl.ts';
import type { EnvironmentInheritance } from '../connectionPoolPorts.ts';
import { passedTest } from './passedVariables.ts';

/** Variables of the editor's own processes, which break servers. */
const EDITOR_ONLY = /^(VSCODE_.*|ELECTRON_.*|NODE_OPTIONS|NODE_CHANNEL_.*|NODE_UNIQUE_ID|APPLICATION_INSIGHTS_.*)$/i;

/** Variables that tell of the folder, or of the package's script, that the editor was started from. */
const OF_FOLDER = /^((OLD)?PWD|INIT_CWD|npm_(package|lifecycle)_.*|npm_config_local_prefix)$/i;

/** Variables that list folders of code. A relative one is taken from the working directory. */
const CODE_FOLDERS = /^(PATH|NODE_PATH|PYTHONPATH)$/i;

export interface EnvironmentRequest {
  readonly inheritance?: EnvironmentInheritance;
  readonly scope: Scope;
  readonly platform: NodeJS.Platform;
  readonly host: NodeJS.ProcessEnv;
  /** What the entry says; goes on top. */
  readonly entry: Readonly<Record<string, string>>;
  /** What is started: some variables are for one program alone. */
  readonly command?: string;
  /** The search path of the user's login shell, where it is known. */
  readonly loginPath?: string;
}

/**
 * The environment of a server: for the user scope, the extension host's without the editor's own variables; for other
 * scopes, a list of what passes (see `passedTest`); both with the entry's on top. `inheritance` can force one of them. Pure.
 */
export function buildEnvironment(request: EnvironmentRequest): Record<string, string> {
  const windows = request.platform === 'win32';
  const inherits = request.inheritance === 'inherit' || (request.inheritance !== 'minimal' && request.scope === 'user');
  const passes = inherits ? isNotTheEditors : passedTest(windows, programName(request.command ?? ''));
  const inherited: [string, string][] = [];
  for (const [name, value] of Object.entries(request.host)) {
    // A shell function exported through the environment is code, not a value.
    if (value !== undefined && !value.startsWith('()') && passes(name)) inherited.push([name, value]);
  }
  if (request.loginPath !== undefined) inherited.push(['PATH', request.loginPath]);
  const absolute = inherited.map(([name, value]): [string, string] =>
    CODE_FOLDERS.test(name) ? [name, absoluteEntries(value, request.platform)] : [name, value],
  );
  // Else cmd.exe looks for programs in the working directory first.
  if (windows) absolute.push(['NoDefaultCurrentDirectoryInExePath', '1']);
  const wsl = isWsl(request.command ?? '', request.platform)
    ? wslVariables(request.entry, environmentValue('WSLENV', { env: request.host, platform: request.platform }))
    : {};
  return oneSpelling([...absolute, ...Object.entries(wsl), ...Object.entries(request.entry)], request.platform);
}

/** The variables of the extension host, the editor's own left out, that a server's environment lacks. */
export function withheldFrom(
  environment: Readonly<Record<string, string>>,
  host: NodeJS.ProcessEnv,
): readonly string[] {
  const names = new Set(Object.keys(environment).map((name) => name.toUpperCase()));
  return Object.keys(host).filter((name) => isNotTheEditors(name) && !names.has(name.toUpperCase()));
}

/** The search path in an environment; on Windows its name has any case. */
export function searchPathOf(environment: Readonly<Record<string, string>>, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return environment['PATH'] ?? '';
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH');
  return name === undefined ? '' : (environment[name] ?? '');
}

/** The absolute entries of a list of folders: of others, and of empty ones, the working directory decides. */
export function absoluteEntries(list: string, platform: NodeJS.Platform): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const isAbsolute = (entry: string): boolean => paths.isAbsolute(entry.replace(/^"/, ''));
  return list.split(paths.delimiter).filter(isAbsolute).join(paths.delimiter);
}

function isNotTheEditors(name: string): boolean {
  return !EDITOR_ONLY.test(name) && !OF_FOLDER.test(name);
}
