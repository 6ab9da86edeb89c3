// Loaded with the first bundle.
import { say } from '../../base/say.ts';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import {
  dataOffset,
  readZipDirectory,
  safePath,
  ZIP_LIMITS,
  ZipRefused,
  type ZipEntry,
  type ZipLimits,
} from './zipDirectory.ts';

/** A bundle as it lies there, packed. */
export interface OpenBundle {
  /** Of `manifest.json`, or why it can't be read. */
  readonly manifest: unknown;
  readonly files: number;
  /** Whether a file is in it, by its path. */
  has(path: string): boolean;
  /** Unpacked, in bytes. */
  readonly size: number;
  /** Of the archive, in hexadecimal. */
  readonly sha256: string;
}

const MAX_MANIFEST = 2 ** 20;

/**
 * Looks into a bundle (MCPB, earlier DXT: a ZIP archive with a `manifest.json`). Nothing is unpacked.
 * @throws ZipRefused, see `readZipDirectory`; Error where it can't be read
 */
export async function openBundle(file: string, limits: ZipLimits = ZIP_LIMITS): Promise<OpenBundle> {
  const handle = await open(file);
  try {
    const entries = await readZipDirectory(handle, limits);
    const own = entries.find((entry) => entry.path.join('/') === 'manifest.json');
    if (!own) throw new ZipRefused(say`It has no manifest.json.`);
    if (own.size > MAX_MANIFEST) throw new ZipRefused(say`Its manifest.json is too long.`);
    const pieces: Buffer[] = [];
    const collect = new Writable({
      write(piece: Buffer, _encoding, done): void {
        pieces.push(piece);
        done();
      },
    });
    await unpackEntry(handle, own, collect);
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    const paths = new Set(entries.map((entry) => entry.path.join('/')));
    return {
      manifest: parsed(Buffer.concat(pieces)),
      files: entries.length,
      has: (path) => paths.has(safePath(path)?.join('/') ?? ''),
      size,
      sha256: await hashOf(handle),
    };
  } finally {
    await handle.close();
  }
}

export interface UnpackOptions {
  readonly signal: AbortSignal;
  /** Of what was looked at: what has changed since isn't unpacked. */
  readonly sha256: string;
  readonly limits?: ZipLimits;
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Unpacks a bundle into a folder, which is there as a whole or not at all. One that is there already stays.
 * @returns whether it was unpacked now
 * @throws ZipRefused, also where it holds more than its directory says
 */
export async function unpackBundle(file: string, folder: string, options: UnpackOptions): Promise<boolean> {
  if (await isThere(folder)) return false;
  const { signal, sha256, limits = ZIP_LIMITS, onProgress } = options;
  const handle = await open(file);
  const beside = `${folder}.${randomUUID()}`;
  try {
    if ((await hashOf(handle)) !== sha256) throw new ZipRefused(say`It has changed meanwhile.`);
    const entries = await readZipDirectory(handle, limits);
    for (const [index, entry] of entries.entries()) {
      signal.throwIfAborted();
      const target = path.join(beside, ...entry.path);
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await unpackEntry(
        handle,
        entry,
        createWriteStream(target, { flags: 'wx', mode: entry.isExecutable ? 0o700 : 0o600 }),
        signal,
      );
      onProgress?.(index + 1, entries.length);
    }
    await rename(beside, folder);
    return true;
  } finally {
    await handle.close();
    await rm(beside, { recursive: true, force: true });
  }
}

/** Writes the bytes of a file; never more than the directory says. */
async function unpackEntry(handle: FileHandle, entry: ZipEntry, sink: Writable, signal?: AbortSignal): Promise<void> {
  const start = await dataOffset(handle, entry);
  let [size, crc] = [0, 0];
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done): void {
      size += piece.byteLength;
      crc = crc32(piece, crc);
      done(size > entry.size ? new ZipRefused(say`It holds more than it says.`) : null, piece);
    },
  });
  const source = Readable.from(packedBytes(handle, start, entry.packedSize));
  try {
    const options = signal ? { signal } : {};
    await (entry.isDeflated
      ? pipeline(source, createInflateRaw(), counted, sink, options)
      : pipeline(source, counted, sink, options));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ZipRefused) throw cause;
    throw new ZipRefused(say`It is damaged: ${JSON.stringify(entry.path.join('/').slice(0, 100))} can’t be unpacked.`, {
      cause,
    });
  }
  if (size !== entry.size || crc !== entry.crc)
    throw new ZipRefused(say`It is damaged: ${JSON.stringify(entry.path.join('/').slice(0, 100))} isn’t what it was.`);
}

async function* packedBytes(handle: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length;) {
    const size = Math.min(2 ** 16, length - done);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, start + done);
    if (bytesRead === 0) return;
    done += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(2 ** 20);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(piece.subarray(0, bytesRead));
    position += bytesRead;
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new ZipRefused(say`Its manifest.json isn’t JSON.`);
  }
}

function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
