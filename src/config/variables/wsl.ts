import { programName } from '../../base/files/programName.ts';
import { say } from '../../base/say.ts';

/** Whether a command is Windows' launcher of programs in Linux: `wsl`, `wsl.exe -d NAME …`. */
export function isWsl(command: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && programName(command) === 'wsl';
}

/**
 * What `wsl` is started with, below what the entry says: without `WSLENV` no variable of the entry reaches a program in Linux
 * (https://learn.microsoft.com/windows/wsl/filesystems#share-environment-variables-between-windows-and-wsl-with-wslenv), and
 * without `WSL_UTF8` its own messages are in UTF-16.
 * @param entry the variables that are for the program
 * @param shared the editor's own `WSLENV`
 */
export function wslVariables(entry: Readonly<Record<string, string>>, shared: string = ''): Record<string, string> {
  const names = Object.keys(entry).filter((name) => /^\w+$/.test(name) && !/^(?:WSLENV|WSL_UTF8)$/i.test(name));
  const list = [...(shared === '' ? [] : [shared]), ...names.map((name) => `${name}/u`)].join(':');
  return { WSL_UTF8: '1', ...(list === '' ? {} : { WSLENV: list }) };
}

/** What to write instead of a folder of Linux as the `cwd` of `wsl`; `undefined` where it is none. */
export function wslFolderFix(command: string, cwd: string, platform: NodeJS.Platform): string | undefined {
  return isWsl(command, platform) && cwd.startsWith('/')
    ? say`\`cwd\` is a folder of Windows. Remove it, and write "--cd", "${cwd}" first in "args".`
    : undefined;
}
