import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { SourceOptions } from '../config/configSources.ts';
import type { ServerEntry } from '../config/configTypes.ts';
import { expandSpec, type VariableContext } from '../config/variables/expandVariables.ts';
import { buildEnvironment, searchPathOf } from '../connection/start/serverEnvironment.ts';
import type { CommandLookup } from './doctorReport.ts';

/** The machine that commands and files are looked up on. */
export interface DoctorContext {
  readonly options: SourceOptions;
  readonly environment: NodeJS.ProcessEnv;
  /** PATH of the login shell, where it is another. */
  readonly loginPath: string | undefined;
}

/**
 * Looks for a server's command as it would be started.
 * @returns `undefined` where the command isn't known, for it holds a variable without a value
 */
export async function findCommandOf(
  { transport, scope, source }: ServerEntry,
  { options, environment, loginPath }: DoctorContext,
): Promise<CommandLookup | undefined> {
  const { platform, home, workspaceFolders } = options;
  const folder = source.folder ?? workspaceFolders[0];
  const variables: VariableContext = {
    env: environment,
    platform,
    userHome: home,
    workspaceFolders,
    ...(folder ? { workspaceFolder: folder, baseFolder: folder.path } : {}),
    input: () => '',
    command: () => '',
  };
  if (transport.type !== 'stdio') return undefined;
  // A variable without a value elsewhere doesn't keep the command from being looked for.
  const whole = expandSpec({ ...transport, args: [] }, variables);
  const expansion = whole.ok ? whole : expandSpec({ ...transport, args: [], env: {} }, variables);
  if (!expansion.ok || expansion.spec.type !== 'stdio') return undefined;
  const { command, env, cwd } = expansion.spec;
  const full = buildEnvironment({
    scope,
    platform,
    host: environment,
    entry: env,
    ...(loginPath === undefined ? {} : { loginPath }),
  });
  const searched = searchPathOf(full, platform);
  const base = cwd ?? folder?.path ?? home;
  return { path: searched, ...(await findCommand(command, searched, base, platform)) };
}

async function findCommand(
  command: string,
  searched: string,
  cwd: string,
  platform: NodeJS.Platform,
): Promise<Omit<CommandLookup, 'path'>> {
  const endings = platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : [''];
  const isPath = /[\\/]/.test(command);
  const folders = isPath ? [cwd] : searched.split(path.delimiter).filter((folder) => folder !== '');
  const file = isPath ? path.resolve(cwd, command) : undefined;
  let fault: CommandLookup['fault'];
  for (const folder of folders)
    for (const ending of endings) {
      const kind = await kindOfFile(path.resolve(folder, command + ending));
      if (kind === 'executable') return { found: true };
      if (isPath) fault ??= kind;
    }
  return { found: false, ...(file === undefined ? {} : { file }), ...(fault ? { fault } : {}) };
}

async function kindOfFile(file: string): Promise<'executable' | 'not-executable' | 'folder' | undefined> {
  try {
    if (!(await fs.stat(file)).isFile()) return 'folder';
    await fs.access(file, constants.X_OK);
    return 'executable';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'not-executable' : undefined;
  }
}
