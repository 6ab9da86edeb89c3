import { crc32 } from 'node:zlib';

/** A PNG as far as its header goes, with chunks before its pixels. */
export function pngOf(width: number, height: number, ...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const all = [
    ['IHDR', header] as const,
    ...chunks,
    ['IDAT', Buffer.alloc(4)] as const,
    ['IEND', Buffer.alloc(0)] as const,
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...all.map(([type, data]) => chunk(type, data))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A JPEG with a comment and the header of its frame. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 0x68, 0x69]), frame, Buffer.from([0xff, 0xd9])]);
}

/** A lossless WebP as far as its header goes. */
export function webpOf(width: number, height: number): Buffer {
  const bits = Buffer.alloc(5);
  bits[0] = 0x2f;
  bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return riff('VP8L', bits);
}

/** A WebP that says that it moves. */
export const MOVING_WEBP = riff('VP8X', Buffer.from([0x02, 0, 0, 0, 15, 0, 0, 15, 0, 0]));

function riff(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), Buffer.from(type, 'latin1'), size, data]);
}

export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

export function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
