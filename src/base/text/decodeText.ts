/** How many bytes are looked at to tell UTF-16 without a mark from UTF-8. */
const SAMPLE_BYTES = 512;

/** The text of a file in UTF-8 or UTF-16, with or without a byte order mark, which is left out of UTF-16. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  return encoding === 'utf-8' ? Buffer.from(bytes).toString('utf8') : new TextDecoder(encoding).decode(bytes);
}

/** In a text that is mostly ASCII, every other byte of UTF-16 is 0; UTF-8 has none. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length % 2 !== 0) return 'utf-8';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = (from: 0 | 1): number => sample.filter((byte, index) => byte === 0 && index % 2 === from).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) < sample.length / 4) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}
