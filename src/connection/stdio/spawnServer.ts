import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve } from 'node:path';
import spawn from 'cross-spawn';
import { SwitchboardError } from '../../base/errors.ts';
import { programName } from '../../base/files/programName.ts';
import { searchPathOf } from '../start/serverEnvironment.ts';
import { otherMachine } from './programPlatform.ts';
import { missingProgramRemedy } from './missingProgram.ts';
import { onWindowsPath, windowsLaunch } from './windowsCommand.ts';
import { say } from '../../base/say.ts';

/** A process to start: variables are expanded, and `env` is the whole environment. */
export interface LaunchSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Names of the editor's variables that it doesn't get. */
  readonly withheld?: readonly string[];
}

/**
 * Starts a server in a process group of its own, through cross-spawn, which knows how Windows runs `.cmd` and scripts.
 *
 * @throws SwitchboardError `cwd-not-found`, `command-not-found` or
 * `command-not-executable`
 */
export async function spawnServer(
  spec: LaunchSpec,
  platform: NodeJS.Platform,
): Promise<ChildProcessWithoutNullStreams> {
  await checkDirectory(spec.cwd);
  const command = platform === 'win32' ? await onWindowsPath(spec.command, spec.env, isFile) : spec.command;
  if (command === undefined) throw await explainSpawnError({ code: 'ENOENT' }, spec, platform);
  const [program, args] = platform === 'win32' ? windowsLaunch(command, spec.args) : [command, spec.args];
  const options: SpawnOptionsWithoutStdio = {
    cwd: spec.cwd,
    env: spec.env,
    stdio: 'pipe',
    windowsHide: true,
    // A process group of its own, so that the stop ladder reaches everything the server starts.
    detached: platform !== 'win32',
  };
  return new Promise<ChildProcessWithoutNullStreams>((resolveStarted, reject) => {
    const fail = (error: unknown): void => reject(error);
    try {
      const child = spawn(program, args, options);
      child.once('error', fail);
      child.once('spawn', () => {
        child.off('error', fail);
        resolveStarted(child);
      });
    } catch (error) {
      fail(error);
    }
  }).catch(async (error: unknown) => {
    throw await explainSpawnError(error, spec, platform);
  });
}

async function checkDirectory(cwd: string): Promise<void> {
  const found = await statOf(cwd);
  if (found?.isDirectory()) return;
  throw new SwitchboardError(
    'cwd-not-found',
    say`The working directory ${cwd} ${found ? say`is not a folder` : say`does not exist`}.`,
    {
      remedy: say`Correct "cwd" in the server's definition, or create the folder.`,
    },
  );
}

async function explainSpawnError(
  error: unknown,
  spec: LaunchSpec,
  platform: NodeJS.Platform,
): Promise<SwitchboardError> {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const { command } = spec;
  const foreign = pathOfOtherSystem(command, platform);
  if (foreign !== undefined)
    return new SwitchboardError('command-not-found', foreign.message, { remedy: foreign.remedy, cause: error });
  const file = isAbsolute(command) ? command : resolve(spec.cwd, command);
  const isPath = /[\\/]/.test(command);
  if (isPath && (await statOf(file))?.isDirectory()) {
    const message = say`The command ${file} is a folder.`;
    return new SwitchboardError('command-not-executable', message, {
      remedy: say`Name a program in it.`,
      cause: error,
    });
  }
  const other = isPath ? await otherMachine(file, platform, process.arch) : undefined;
  if (other !== undefined) {
    return new SwitchboardError('command-not-executable', say`The command ${file} can't be executed: ${other}.`, {
      remedy: say`Install the build for this system and processor.`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOEXEC') {
    return new SwitchboardError('command-not-executable', say`The command "${command}" can't be executed (${code}).`, {
      remedy: say`Make the file executable, or start it through its interpreter.`,
      cause: error,
    });
  }
  if (code !== 'ENOENT') {
    const why = error instanceof Error ? error.message : String(error);
    return new SwitchboardError('command-not-executable', say`The command "${command}" didn't start: ${why}.`, {
      cause: error,
    });
  }
  if (isPath) {
    const exists = (await statOf(file)) !== undefined;
    const message = exists
      ? say`The file ${file} exists, but what it is run by doesn't: the interpreter in its first line, or the system's loader of programs.`
      : say`The command ${file} does not exist.`;
    return new SwitchboardError('command-not-found', message, {
      remedy: say`Correct "command" in the server's definition, or install what it names.`,
      cause: error,
    });
  }
  const folders =
    searchPathOf(spec.env, platform)
      ?.split(delimiter)
      .filter((folder) => folder !== '').length ?? 0;
  // All of them would hide the rest of the message.
  const where =
    folders === 0
      ? say`PATH, which is empty`
      : folders === 1
        ? say`PATH (1 folder; “Doctor” lists it)`
        : say`PATH (${folders} folders; “Doctor” lists it)`;
  return new SwitchboardError('command-not-found', say`The command "${command}" was not found on the ${where}.`, {
    remedy: missingProgramRemedy(command),
    cause: error,
  });
}

/** A path of Windows on another system, or the other way round: what a copied definition has, and WSL. */
function pathOfOtherSystem(
  command: string,
  platform: NodeJS.Platform,
): { readonly message: string; readonly remedy: string } | undefined {
  const [, drive, rest] = /^([A-Za-z]):[\\/](.*)$/s.exec(command) ?? [];
  if (platform !== 'win32' && drive !== undefined && rest !== undefined)
    return {
      message: say`The command ${command} is a path of Windows, and this isn't Windows.`,
      remedy: say`Write a path of this system; in WSL, that is /mnt/${drive.toLowerCase()}/${rest.replaceAll('\\', '/')}.`,
    };
  if (platform !== 'win32' && programName(command) === 'wsl')
    return {
      message: say`The command ${command} starts programs of Linux on Windows, and this isn't Windows.`,
      remedy: say`Write the command behind it as "command", and what follows as "args".`,
    };
  if (platform === 'win32' && /^\/(?:usr|bin|opt|home|Users|mnt)\//.test(command))
    return {
      message: say`The command ${command} is a path of Linux or macOS, and this is Windows.`,
      remedy: say`Write a path of Windows, or start it with \`wsl\` as "command" if it is in WSL.`,
    };
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return (await statOf(path))?.isFile() === true;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}
