// Part of connect.js, which agents outside start.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, watch } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** How many windows are looked at. */
const MAX_WINDOWS = 1_000;

/** There is no window that answers. */
export class Unavailable extends Error {}

/** Where a portable entry finds windows. */
const WINDOWS = join(homedir(), '.mcp-switchboard', 'windows');
/** A window as its record has it. */
export interface FoundWindow {
  readonly socket: string;
  readonly folders?: unknown;
  readonly editor?: unknown;
}

/** A record of a window that runs. */
export function recordIn(file: string): FoundWindow | undefined {
  try {
    // Reading a FIFO would never end.
    if (!statSync(file).isFile()) return undefined;
    const found = JSON.parse(readFileSync(file, 'utf8')) as { socket?: unknown; pid?: unknown };
    if (typeof found.socket !== 'string' || typeof found.pid !== 'number') return undefined;
    process.kill(found.pid, 0);
    return found as FoundWindow;
  } catch {
    return undefined;
  }
}

/** A folder as it is on the disk; on Windows in one case. */
function realFolder(folder: string): string {
  const real = realpathSync.native(folder);
  return process.platform === 'win32' ? real.toLowerCase() : real;
}

/** How long the folder of these that has `inner` in it is; nothing where none has. */
function nearness(folders: unknown, inner: string): number | undefined {
  let longest: number | undefined;
  for (const folder of Array.isArray(folders) ? (folders as unknown[]) : []) {
    if (typeof folder !== 'string') continue;
    try {
      const real = realFolder(folder);
      const path = relative(real, inner);
      const isWithin = path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
      if (isWithin && real.length > (longest ?? -1)) longest = real.length;
    } catch {
      // It isn't there any more.
    }
  }
  return longest;
}

/** Whether a window's socket may be there; on Windows, it is no file that one could look for. */
function hasSocket({ socket }: FoundWindow): boolean {
  return process.platform === 'win32' || existsSync(socket);
}

/**
 * The windows that have the folder open in which this runs: the innermost first, and of several that which came last. The first that
 * answers is meant: after a crash, a record stays, and another process may have the window's number.
 * @throws Unavailable where there is none
 */
export function windowsHere(): readonly FoundWindow[] {
  const all: { readonly found: FoundWindow; readonly near: number; readonly since: number }[] = [];
  try {
    const here = realFolder(process.cwd());
    for (const name of readdirSync(WINDOWS).slice(0, MAX_WINDOWS)) {
      const file = join(WINDOWS, name);
      const found = name.endsWith('.json') ? recordIn(file) : undefined;
      const near = found && hasSocket(found) ? nearness(found.folders, here) : undefined;
      if (found && near !== undefined) all.push({ found, near, since: statSync(file).mtimeMs });
    }
  } catch {
    // Nobody has opened a window since the folder is there.
  }
  if (all.length > 0)
    return all.toSorted((one, other) => other.near - one.near || other.since - one.since).map(({ found }) => found);
  throw new Unavailable(
    `No window of the editor that has ${process.cwd()} open lets agents in, so its MCP servers aren’t available. Open this ` +
      'folder in the editor; if it is open, run “MCP Switchboard: Add Portable Entry…” there, which lets agents in.',
  );
}

/** From the outermost; each is made by the first window that lets agents in. */
const FOLDERS = [dirname(dirname(WINDOWS)), dirname(WINDOWS), WINDOWS] as const;

/**
 * Watches the windows that come and go, for as long as this process runs. Where their folder isn't there, the innermost around it
 * that is one is watched until it comes.
 */
export function watchWindows(onChange: () => void): void {
  const index = FOLDERS.findLastIndex((folder) => existsSync(folder));
  const [folder, inner] = [FOLDERS[index], FOLDERS[index + 1]];
  if (folder === undefined) return;
  try {
    const watcher = watch(folder, () => {
      const isOther = !existsSync(folder) || (inner !== undefined && existsSync(inner));
      if (isOther) {
        watcher.close();
        watchWindows(onChange);
      }
      if (isOther || inner === undefined) onChange();
    });
    // Then the next request finds a window.
    watcher.once('error', () => watcher.close()).unref();
  } catch {
    // As above.
  }
}
