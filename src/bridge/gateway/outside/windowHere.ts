// Part of connect.js, which agents outside start.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';

/** How many windows are looked at. */
const MAX_WINDOWS = 1_000;

/** There is no window that answers. */
export class Unavailable extends Error {}

/** Where a portable entry finds windows. */
export const WINDOWS = join(homedir(), '.mcp-switchboard', 'windows');
/** A window as its record has it. */
export interface FoundWindow {
  readonly socket: string;
  readonly folders?: unknown;
  readonly editor?: unknown;
}

/** A record of a window that runs. */
export function recordIn(file: string): FoundWindow | undefined {
  try {
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

/**
 * The window that has the folder open in which this runs: the innermost, and of several that which came last.
 * @throws Unavailable
 */
export function windowHere(): FoundWindow {
  let best: { readonly found: FoundWindow; readonly near: number; readonly since: number } | undefined;
  try {
    const here = realFolder(process.cwd());
    for (const name of readdirSync(WINDOWS).slice(0, MAX_WINDOWS)) {
      const file = join(WINDOWS, name);
      const found = name.endsWith('.json') ? recordIn(file) : undefined;
      const near = found && nearness(found.folders, here);
      if (!found || near === undefined) continue;
      const since = statSync(file).mtimeMs;
      if (!best || near > best.near || (near === best.near && since > best.since)) best = { found, near, since };
    }
  } catch {
    // Nobody has opened a window since the folder is there.
  }
  if (best) return best.found;
  throw new Unavailable(
    `No window of the editor that has ${process.cwd()} open lets agents in, so its MCP servers aren’t available. Open this ` +
      'folder in the editor; if it is open, run “MCP Switchboard: Add Portable Entry…” there, which lets agents in.',
  );
}
