const END = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
const ENTRY_BYTES = 46;
/** A regular file that everybody may read and its owner write, where the upper half is the mode of Unix. */
const REGULAR_FILE = (0o10_0644 << 16) >>> 0;
/** Made by version 6.3 of the format on Unix. */
const MADE_ON_UNIX = 0x03_3f;

/**
 * Sets what a zip file says of the machine that it was made on (permissions of its files, and the system) to the same for all,
 * in place. See APPNOTE 6.3.10 of the format, sections 4.3.12 and 4.4.15.
 * @param {Buffer} zip without a comment and below 4 GB
 * @returns {Buffer} the same
 */
export function normalizeZip(zip) {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('This is no zip file: it has no end record.');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`The zip file has no entry at byte ${at}.`);
    zip.writeUInt16LE(MADE_ON_UNIX, at + 4);
    zip.writeUInt32LE(REGULAR_FILE, at + 38);
    at += ENTRY_BYTES + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return zip;
}
