import { say } from '../say.ts';
import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { decodeText } from '../text/decodeText.ts';
import { isInside } from './isInside.ts';

/** Numbers, and not the handles of `fs/promises`, which take half as long again where there are hundreds of files. */
const byNumber = { open: promisify(open), fstat: promisify(fstat), read: promisify(read), close: promisify(close) };

/** What a file that others can write may be. */
export interface FileLimits {
  readonly maxBytes: number;
  /** The folder that the file must be in, links followed. */
  readonly within?: string;
}

/** The limit of a file that a folder brings along. */
export const MAX_FOLDER_FILE_BYTES = 1024 * 1024;

/**
 * Reads the text of a regular file, `undefined` if there is none. Devices, FIFOs and sockets are never opened: reading one
 * may never end, and would hold one of the few threads that all file access of this process shares.
 * @throws for anything but a regular file, one over the limit, and a link that leads out of `within`
 */
export async function readRegularFile(file: string, limits: FileLimits): Promise<string | undefined> {
  // Some drives of Windows (RAM disks) know no real path of what can be read there.
  const real = limits.within === undefined ? file : await realPathOf(file, limits.within);
  const found = real === undefined ? undefined : await unlessAbsent(fs.stat(real));
  if (real === undefined || found === undefined) return undefined;
  checkKind(found);
  const follow = limits.within === undefined ? 0 : constants.O_NOFOLLOW;
  const handle = await byNumber.open(real, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  try {
    // Another file may have taken the path.
    const stats = await byNumber.fstat(handle);
    checkKind(stats);
    return await readAtMost(handle, stats.size, limits.maxBytes);
  } finally {
    await byNumber.close(handle);
  }
}

/**
 * Checks that writing a file stays in a folder: neither the file nor a folder on the way to it is a link that leads out or
 * to nothing, and what is there is a regular file.
 * @throws with a sentence's end, as `readRegularFile` does
 */
export async function checkWritable(file: string, within: string): Promise<void> {
  for (let at = file; at !== within && isInside(at, within); at = path.dirname(at)) {
    const real = await realPathOf(at, within);
    if (real === undefined) continue;
    if (at === file) checkKind(await fs.stat(real));
    return;
  }
}

async function realPathOf(file: string, within: string): Promise<string | undefined> {
  const real = await unlessAbsent(fs.realpath(file));
  if (real === undefined) {
    const target = await unlessAbsent(fs.readlink(file));
    if (target === undefined) return undefined;
    throw new Error(say`it is a link to ${target}, which doesn't exist`);
  }
  // Where no link was on the way to the file, none is on the way to its folder.
  const isPlain = real === file && isInside(file, within);
  if (isPlain || isInside(real, await fs.realpath(within))) return real;
  throw new Error(say`it is a link to ${real}, outside of the folder ${within}`);
}

async function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function checkKind(stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new Error(say`it is a folder`);
  throw new Error(stats.isFIFO() ? say`it is a FIFO` : stats.isSocket() ? say`it is a socket` : say`it is a device`);
}

/** Counts what is read: the size that the file system tells may be another (it is 0 in /proc). */
async function readAtMost(handle: number, size: number, maxBytes: number): Promise<string> {
  const tooLarge = (): Error => new Error(say`it is larger than ${maxBytes / (1024 * 1024)} MB`);
  if (size > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    // One byte more than it says it has: where that stays empty, this was all.
    const chunk = Buffer.allocUnsafe(size > total ? size + 1 - total : 64 * 1024);
    const { bytesRead } = await byNumber.read(handle, chunk, 0, chunk.length, null);
    total += bytesRead;
    if (total > maxBytes) throw tooLarge();
    chunks.push(chunk.subarray(0, bytesRead));
    if (bytesRead === 0 || total === size)
      return decodeText(chunks.length === 1 ? chunk.subarray(0, bytesRead) : Buffer.concat(chunks));
  }
}
