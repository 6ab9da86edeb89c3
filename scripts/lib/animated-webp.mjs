/**
 * Frames in one file that plays for ever (https://developers.google.com/speed/webp/docs/riff_container, *Extended File Format*).
 * @param {{ width: number, height: number }} canvas
 * @param {readonly { webp: Buffer, x: number, y: number, width: number, height: number, ms: number }[]} frames each a WebP file, drawn over
 * what was there before; `x` and `y` are even
 * @returns {Buffer}
 */
export function animatedWebp(canvas, frames) {
  const header = Buffer.alloc(10);
  header[0] = 0b10;
  header.writeUIntLE(canvas.width - 1, 4, 3);
  header.writeUIntLE(canvas.height - 1, 7, 3);
  const chunks = [
    chunk('VP8X', header),
    chunk('ANIM', Buffer.alloc(6)),
    ...frames.map(({ webp, x, y, width, height, ms }) => {
      const frame = Buffer.alloc(16);
      for (const [at, value] of [[0, x / 2], [3, y / 2], [6, width - 1], [9, height - 1], [12, ms]]) frame.writeUIntLE(value, at, 3); // prettier-ignore
      // Not blended: what is new stands in place of what was.
      frame[15] = 0b10;
      return chunk('ANMF', Buffer.concat([frame, imageOf(webp)]));
    }),
  ];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** The chunk with the pixels, of a file with one picture. */
function imageOf(webp) {
  for (let at = 12; at < webp.length;) {
    const length = 8 + webp.readUInt32LE(at + 4);
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) return webp.subarray(at, at + length + (length % 2));
    at += length + (length % 2);
  }
  throw new Error('This WebP file has no picture that is known.');
}

function chunk(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
