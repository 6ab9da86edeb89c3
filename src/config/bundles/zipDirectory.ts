import { say } from '../../base/say.ts';
import type { FileHandle } from 'node:fs/promises';

/** A file of an archive. */
export interface ZipEntry {
  /** Its path inside, safe on every platform: parts that are names, without `.` and `..`. */
  readonly path: readonly string[];
  /** In bytes, unpacked and packed, as the archive says. */
  readonly size: number;
  readonly packedSize: number;
  readonly isDeflated: boolean;
  readonly crc: number;
  /** Of its header in the archive. */
  readonly offset: number;
  readonly isExecutable: boolean;
}

/** What an archive may hold. In bytes. */
export const ZIP_LIMITS = { fileBytes: 512 * 2 ** 20, totalBytes: 2 ** 30, entries: 50_000, pathLength: 240 } as const;
export type ZipLimits = { readonly [K in keyof typeof ZIP_LIMITS]: number };

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const HEADER = 0x04034b50;
/** The end of the directory comes last, but for a comment and a signature of the bundle. */
const MAX_TAIL = 256 * 1024;
const MAX_DIRECTORY = 64 * 2 ** 20;

/** Why an archive isn't unpacked, a sentence. */
export class ZipRefused extends Error {}

/**
 * The files of a ZIP archive (APPNOTE 6.3.9; stored and deflated, without encryption, ZIP64 and several disks).
 * @throws ZipRefused where it is none, is larger than the limits, or has a path that leads out of its folder, a link, or two
 * files that are one where case doesn't count
 */
export async function readZipDirectory(file: FileHandle, limits: ZipLimits = ZIP_LIMITS): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat();
  if (size > limits.fileBytes) throw new ZipRefused(say`It is larger than ${limits.fileBytes / 2 ** 20} MB.`);
  const tail = await bytesAt(file, Math.max(0, size - MAX_TAIL), Math.min(size, MAX_TAIL));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== END)
    throw new ZipRefused(say`It isn’t a ZIP archive.`);
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0xffff || length === 0xffffffff || start === 0xffffffff)
    throw new ZipRefused(say`It has more files than are unpacked.`);
  if (count > limits.entries) throw new ZipRefused(say`It has more than ${limits.entries} files.`);
  if (length > MAX_DIRECTORY || start + length > size) throw new ZipRefused(say`Its directory is damaged.`);
  const entries = checked(entriesIn(await bytesAt(file, start, length), count, limits), limits);
  // Files that share their bytes make much of little.
  const packed = entries.reduce((sum, { packedSize }) => sum + packedSize, 0);
  if (packed > size) throw new ZipRefused(say`Its directory is damaged.`);
  return entries;
}

/** Where the packed bytes of a file begin. */
export async function dataOffset(file: FileHandle, { offset }: ZipEntry): Promise<number> {
  const header = await bytesAt(file, offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== HEADER) throw new ZipRefused(say`Its directory is damaged.`);
  return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function entriesIn(bytes: Buffer, count: number, limits: ZipLimits): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY)
      throw new ZipRefused(say`Its directory is damaged.`);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const name = bytes.subarray(at + 46, at + 46 + (nameLength ?? 0)).toString('utf8');
    const entry = entryAt(bytes, at, name, limits);
    if (entry) entries.push(entry);
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

function entryAt(bytes: Buffer, at: number, name: string, limits: ZipLimits): ZipEntry | undefined {
  const method = bytes.readUInt16LE(at + 10);
  const mode = bytes.readUInt32LE(at + 38) >>> 16;
  const path = safePath(name, limits);
  if (!path)
    throw new ZipRefused(
      say`It has a file whose path leads elsewhere or can’t be written: ${JSON.stringify(name.slice(0, 100))}.`,
    );
  if ((mode & 0o170000) === 0o120000)
    throw new ZipRefused(say`It has a link in it: ${JSON.stringify(name.slice(0, 100))}.`);
  if (/[\\/]$/.test(name)) return undefined;
  if ((bytes.readUInt16LE(at + 8) & 1) !== 0) throw new ZipRefused(say`It is encrypted.`);
  if (method !== 0 && method !== 8) throw new ZipRefused(say`It is packed in a way that isn’t supported.`);
  return {
    path,
    crc: bytes.readUInt32LE(at + 16),
    packedSize: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
    isDeflated: method === 8,
    isExecutable: (mode & 0o111) !== 0,
  };
}

/** Names that Windows takes for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The parts of a path; `undefined` where it leads out of the folder, or some platform can't write it. */
export function safePath(
  name: string,
  { pathLength }: Pick<ZipLimits, 'pathLength'> = ZIP_LIMITS,
): readonly string[] | undefined {
  const plain = name.replaceAll('\\', '/');
  if (plain === '' || plain.startsWith('/') || plain.length > pathLength) return undefined;
  const parts = plain
    .replace(/\/$/, '')
    .split('/')
    .filter((part) => part !== '.');
  const isRight = (part: string): boolean =>
    part !== '' && part !== '..' && !/[<>:"|?*\p{Cc}]|[. ]$/u.test(part) && !DEVICE.test(part);
  return parts.length > 0 && parts.every(isRight) ? parts : undefined;
}

function checked(entries: readonly ZipEntry[], limits: ZipLimits): readonly ZipEntry[] {
  const files = new Set<string>();
  const folders = new Set<string>();
  let total = 0;
  for (const { path, size } of entries) {
    const key = path.join('/').normalize('NFC').toLowerCase();
    if (files.has(key))
      throw new ZipRefused(say`It has a file twice: ${JSON.stringify(path.join('/').slice(0, 100))}.`);
    files.add(key);
    for (let depth = 1; depth < path.length; depth += 1)
      folders.add(path.slice(0, depth).join('/').normalize('NFC').toLowerCase());
    total += size;
  }
  if (total > limits.totalBytes)
    throw new ZipRefused(say`Unpacked it is larger than ${limits.totalBytes / 2 ** 20} MB.`);
  const both = [...files].find((file) => folders.has(file));
  if (both !== undefined) throw new ZipRefused(say`It has a file and a folder of one name.`);
  return entries;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
