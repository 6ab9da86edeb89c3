import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import type { Disposable } from '../../../base/disposable.ts';
import { isRecord } from '../../../base/json/json.ts';
import { endServer, requestServer, type RequestHandler } from '../protocol/requestServer.ts';
import { replaceFile } from '../../../base/files/replaceFile.ts';

/** The longest path of a socket, in bytes: macOS takes 104 with its end, Linux 108. */
const MAX_PATH_BYTES = 103;
const PREFIX = 'mcp-switchboard-';

/** Where a private server is, and where it says so. */
export interface PrivatePlace {
  readonly platform: NodeJS.Platform;
  /** For temporary files; other users may share it. */
  readonly temporary: string;
  /** The file that names the socket, in a folder of its own for the user alone. */
  readonly record: string;
}

/**
 * A server that only the user's own processes reach: a socket in a folder of theirs, or a named pipe, whose name can't be
 * guessed. A file in the extension's storage says where it is as long as it is there. There is no token: whoever may open the
 * socket may come in.
 */
export class PrivateServer implements Disposable {
  readonly #server: Server;
  readonly #record: string;
  #folder: string | undefined;
  #address = '';

  /** @param find the handler of a path; `undefined`: nothing is there */
  constructor(record: string, find: (path: string) => RequestHandler | undefined) {
    this.#record = record;
    this.#server = requestServer({ find });
  }

  /** The socket or pipe, once it listens. */
  get address(): string {
    return this.#address;
  }

  /** Listens, and takes the place of what a window that is gone has left. */
  async listen({ platform, temporary }: Omit<PrivatePlace, 'record'>): Promise<void> {
    await mkdir(path.dirname(this.#record), { recursive: true, mode: 0o700 });
    if (platform !== 'win32') await chmod(path.dirname(this.#record), 0o700);
    await removeStale(this.#record);
    if (platform === 'win32') this.#address = `\\\\.\\pipe\\${PREFIX}${randomBytes(16).toString('hex')}`;
    else {
      this.#folder = await mkdtemp(path.join(shortFolder(temporary), PREFIX));
      this.#address = path.join(this.#folder, 'gateway');
    }
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ path: this.#address, readableAll: false, writableAll: false }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    if (platform !== 'win32') await chmod(this.#address, 0o600);
    await replaceFile(this.#record, JSON.stringify({ socket: this.#address, pid: process.pid }));
  }

  dispose(): void {
    endServer(this.#server);
    // Another window may have taken over.
    if (socketIn(readText(this.#record)) === this.#address) rmSync(this.#record, { force: true });
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A folder whose path leaves room for a socket. */
function shortFolder(temporary: string): string {
  // As `mkdtemp` names it: six characters are added.
  const longest = path.join(temporary, `${PREFIX}abcdef`, 'gateway');
  return Buffer.byteLength(longest) > MAX_PATH_BYTES ? '/tmp' : temporary;
}

/** Removes the socket of a process that is gone. */
async function removeStale(record: string): Promise<void> {
  const text = await readFile(record, 'utf8').catch(() => undefined);
  const socket = socketIn(text);
  if (socket === undefined || isAlive(pidIn(text))) return;
  await rm(record, { force: true });
  const folder = path.dirname(socket);
  if (!path.basename(folder).startsWith(PREFIX) || !(await isOwnFolder(folder))) return;
  await rm(socket, { force: true }).catch(() => undefined);
  await rmdir(folder).catch(() => undefined);
}

/** Whether it is a folder of the user's alone: when theirs was cleared away, anybody may have put a link in its place. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  return process.platform === 'win32' || (found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function socketIn(text: string | undefined): string | undefined {
  const { socket } = parsed(text);
  return typeof socket === 'string' ? socket : undefined;
}

function pidIn(text: string | undefined): number | undefined {
  const { pid } = parsed(text);
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
