// node normalize-zip.mjs FILE: packs a zip file anew, in place.
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';

const END = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const DEFLATED = 8;
/** A regular file that everybody may read and its owner write, where the upper half is the mode of Unix. */
const REGULAR_FILE = (0o10_0644 << 16) >>> 0;
/** Made by version 6.3 of the format on Unix. */
const MADE_ON_UNIX = 0x03_3f;
const NEEDS = 20;
const OF_NPM = ['scripts', 'devDependencies', 'allowScripts'];

/**
 * The same files, packed by Zopfli, which is 4 % tighter than zlib, and JSON without its blanks, with nothing in it of the machine that it
 * was made on: permissions, the system, extra fields. See APPNOTE 6.3.10 of the format, sections 4.3.7, 4.3.12 and 4.4.15.
 * @param {Buffer} zip without a comment and below 4 GB
 * @returns {Promise<Buffer>}
 */
async function normalizeZip(zip) {
  const locals = [];
  const entries = [];
  let offset = 0;
  for (const { name, time, date, bytes } of entriesOf(zip)) {
    const packed = Buffer.from(await zopfli.deflateAsync(bytes, { numiterations: 15 }));
    // What both kinds of header have alike, from the version that it takes to read the file to the length of its extra fields.
    const common = Buffer.alloc(26);
    for (const [at, value] of [[0, NEEDS], [4, DEFLATED], [6, time], [8, date], [22, name.length]]) common.writeUInt16LE(value, at); // prettier-ignore
    for (const [at, value] of [[10, crc32(bytes)], [14, packed.length], [18, bytes.length]]) common.writeUInt32LE(value, at); // prettier-ignore
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL);
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeUInt32LE(ENTRY);
    entry.writeUInt16LE(MADE_ON_UNIX, 4);
    common.copy(entry, 6);
    entry.writeUInt32LE(REGULAR_FILE, 38);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, common, name, packed);
    entries.push(entry, name);
    offset += LOCAL_BYTES + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END);
  for (const at of [8, 10]) end.writeUInt16LE(entries.length / 2, at);
  end.writeUInt32LE(Buffer.concat(entries).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...entries, end]);
}

/** @param {Buffer} zip */
function* entriesOf(zip) {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('This is no zip file: it has no end record.');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`The zip file has no entry at byte ${at}.`);
    const [method, time, date] = [10, 12, 14].map((field) => zip.readUInt16LE(at + field));
    const packedBytes = zip.readUInt32LE(at + 20);
    const nameBytes = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const begin = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(begin, begin + packedBytes);
    const name = zip.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const bytes = method === DEFLATED ? inflateRawSync(packed) : packed;
    yield { name, time, date, bytes: slimmed(name.toString(), bytes) };
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/**
 * JSON without its blanks, the manifest also without what npm alone reads, in the repository.
 * @param {string} name
 * @param {Buffer} bytes
 */
function slimmed(name, bytes) {
  if (!name.endsWith('.json')) return bytes;
  const value = JSON.parse(bytes.toString());
  if (name === 'extension/package.json') for (const key of OF_NPM) delete value[key];
  return Buffer.from(JSON.stringify(value));
}

const [, , file = ''] = process.argv;
writeFileSync(file, await normalizeZip(readFileSync(file)));
