/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * How large an image that doesn't move is when it is decoded, by its own header: PNG, JPEG and WebP. Pure.
 * @param type by the bytes (`mediaTypeOf`)
 * @returns `undefined`: it can't be told, or the image is animated
 */
export function stillSize(bytes: Uint8Array, type: string): ImageSize | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (type) {
      case 'image/png':
        return pngSize(data);
      case 'image/jpeg':
        return jpegSize(data);
      case 'image/webp':
        return webpSize(data);
      default:
        return undefined;
    }
  } catch {
    // It ends before its size is said.
    return undefined;
  }
}

/** Chunks of length, type, data and checksum; `acTL` stands before the pixels of one that moves (PNG, third edition). */
function pngSize(data: Buffer): ImageSize | undefined {
  let size: ImageSize | undefined;
  for (let at = 8; at + 8 <= data.length; at += 12 + data.readUInt32BE(at)) {
    const type = data.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') size = { width: data.readUInt32BE(at + 8), height: data.readUInt32BE(at + 12) };
    if (type === 'acTL') return undefined;
    if (type === 'IDAT') return size;
  }
  return undefined;
}

/** Segments of a marker and a length; those of a frame say its size (ITU-T T.81, B.2.2). */
function jpegSize(data: Buffer): ImageSize | undefined {
  for (let at = 2; data[at] === 0xff; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
  }
  return undefined;
}

/** One of three forms of a first chunk (RFC 9649); `VP8X` has a bit for animations. */
function webpSize(data: Buffer): ImageSize | undefined {
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      if (data.readUInt8(20) & 0x02) return undefined;
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
