// Part of connect.js, which agents outside start.
import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { type FoundWindow, Unavailable } from './windowsHere.ts';

/** Failures before anything was sent. */
const NOT_SENT = new Set(['ENOENT', 'ECONNREFUSED', 'EACCES', 'ENOTSOCK']);
export const NO_WINDOW =
  'No window of the editor answers here: its folder isn’t open, or access for agents outside was revoked. Open the folder in ' +
  'the editor, run “MCP Switchboard: Copy Gateway Address…” if access is off, and try again.';

/**
 * Tries windows in turn, until one answers: of those before it, nothing was sent to any.
 * @param attempt rejects as Node does
 * @throws Unavailable where none answers, with the reason of the first
 */
export async function firstAnswering<T>(
  windows: readonly FoundWindow[],
  attempt: (window: FoundWindow) => Promise<T>,
): Promise<T> {
  let why: Unavailable | undefined;
  for (const window of windows)
    try {
      checkPrivate(window.socket);
      return await attempt(window);
    } catch (error) {
      if (error instanceof Unavailable) why ??= error;
      else if (NOT_SENT.has((error as NodeJS.ErrnoException).code ?? '')) why ??= new Unavailable(NO_WINDOW);
      else throw error;
    }
  throw why ?? new Unavailable(NO_WINDOW);
}

/** Which of these windows answers. @throws Unavailable as above */
export function windowOf(windows: readonly FoundWindow[]): Promise<FoundWindow> {
  return firstAnswering(
    windows,
    (window) =>
      new Promise((resolve, reject) => {
        const socket = connect(window.socket, () => {
          socket.destroy();
          resolve(window);
        }).once('error', reject);
      }),
  );
}

/** A window is only talked to in a private folder of the user's, wherever its record leads. @throws Unavailable */
function checkPrivate(socket: string): void {
  if (process.platform === 'win32') return;
  const folder = lstatSync(dirname(socket), { throwIfNoEntry: false });
  const isOwn = folder?.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0;
  if (!isOwn) throw new Unavailable(`${dirname(socket)} isn’t a private folder of yours, so nothing is sent there.`);
}
