// Loaded with the first completion of a command.
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** What Windows runs by its name alone where `PATHEXT` is unset. */
const WINDOWS_ENDINGS = '.com;.exe;.bat;.cmd';
/** So many names at most: a folder on the path can be anything. */
const MAX_COMMANDS = 10_000;

/** Where programs are looked for. */
export interface SearchPath {
  /** The value of `PATH`. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** The value of `PATHEXT`, on Windows. */
  readonly endings?: string | undefined;
}

/**
 * The names of the programs on a search path, each once, sorted; on Windows without their ending. Folders that can't be read
 * are left out. Whether a file may be executed isn't looked at: that would take a look at each.
 */
export async function commandsOnPath({ path: searched, platform, endings }: SearchPath): Promise<readonly string[]> {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const folders = [...new Set(searched.split(paths.delimiter))].filter((folder) => paths.isAbsolute(folder));
  const listed = await Promise.all(folders.map((folder) => filesIn(folder)));
  const names = listed.flat().flatMap((name) => (platform === 'win32' ? withoutEnding(name, endings) : name));
  return [...new Set(names)].slice(0, MAX_COMMANDS).sort();
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [] : entry.name));
}

function withoutEnding(name: string, endings = WINDOWS_ENDINGS): string[] {
  const lower = name.toLowerCase();
  const ending = endings
    .toLowerCase()
    .split(';')
    .find((each) => each !== '' && lower.endsWith(each));
  return ending === undefined ? [] : [name.slice(0, -ending.length)];
}
