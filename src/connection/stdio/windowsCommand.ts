import path from 'node:path';

/** Endings that Windows starts without being told which, where the environment doesn't say. */
const DEFAULT_ENDINGS = '.COM;.EXE;.BAT;.CMD';

/**
 * The file that a command without a folder stands for on Windows: the first on PATH, never one in the working directory,
 * where Windows and cmd.exe look first. A command with a folder is left as it is.
 * @param environment the whole environment of the process
 * @param isFile whether there is such a file
 * @returns `undefined` if there is none on PATH
 */
export async function onWindowsPath(
  command: string,
  environment: Readonly<Record<string, string>>,
  isFile: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
  if (/[\\/:]/.test(command)) return command;
  const valueOf = (wanted: string): string | undefined =>
    Object.entries(environment).find(([name]) => name.toUpperCase() === wanted)?.[1];
  const endings = (valueOf('PATHEXT') || DEFAULT_ENDINGS).split(';').filter((ending) => ending !== '');
  const hasEnding = endings.some((ending) => command.toUpperCase().endsWith(ending.toUpperCase()));
  for (const quoted of (valueOf('PATH') ?? '').split(';')) {
    const folder = quoted.replaceAll('"', '');
    if (!path.win32.isAbsolute(folder)) continue;
    // A PowerShell script comes last: what has one mostly has a `.cmd` beside it.
    for (const ending of [...(hasEnding || isPowerShell(command) ? [''] : []), ...endings, '.ps1']) {
      const file = path.win32.join(folder, command + ending);
      if (await isFile(file)) return file;
    }
  }
  return undefined;
}

function isPowerShell(command: string): boolean {
  return /\.ps1$/i.test(command);
}

/** What to start for a command on Windows, which opens a PowerShell script in an editor instead of running it. */
export function windowsLaunch(
  command: string,
  args: readonly string[],
): readonly [command: string, args: readonly string[]] {
  if (!isPowerShell(command)) return [command, args];
  return ['powershell.exe', ['-NoProfile', '-NonInteractive', '-File', command, ...args]];
}
