import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive; what is odd about it is said. */
export interface ZipFile {
  readonly name: string;
  readonly data?: string | Buffer;
  /** Of Unix, with the type: `0o120777` is a link. */
  readonly mode?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
  readonly isStored?: boolean;
}

/** A ZIP archive as a tool of any platform would write it, or as an attacker would. */
export function zip(files: readonly ZipFile[], tail: Buffer = Buffer.alloc(0), count = files.length): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const data = Buffer.from(file.data ?? '');
    const packed = file.isStored ? data : deflateRawSync(data);
    const name = Buffer.from(file.name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(file.flags ?? 0, 8);
    entry.writeUInt16LE(file.method ?? (file.isStored ? 0 : 8), 10);
    entry.writeUInt32LE(file.crc ?? crc32(data), 16);
    entry.writeUInt32LE(file.packedSize ?? packed.length, 20);
    entry.writeUInt32LE(file.size ?? data.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(((file.mode ?? 0o100644) << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    parts.push(head, name, packed);
    directory.push(entry, name);
    offset += head.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end, tail]);
}
