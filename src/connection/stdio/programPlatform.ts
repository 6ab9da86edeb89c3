import { say } from '../../base/say.ts';
import { open } from 'node:fs/promises';

/** Machines in the header of an ELF file (`e_machine`), by Node's names. */
const ELF: Readonly<Record<number, string>> = {
  0x03: 'ia32',
  0x28: 'arm',
  0x3e: 'x64',
  0xb7: 'arm64',
  0xf3: 'riscv64',
};
/** Types of processors in a Mach-O header. */
const MACH: Readonly<Record<number, string>> = { 0x0100_0007: 'x64', 0x0100_000c: 'arm64' };

/** The system and processor that a program is built for, by its first bytes; `undefined` for a script and for what is unknown. */
export function builtFor(head: Buffer): { readonly platform: NodeJS.Platform; readonly arch?: string } | undefined {
  if (head.length < 20) return undefined;
  const magic = head.readUInt32BE(0);
  const withArch = (platform: NodeJS.Platform, arch: string | undefined): ReturnType<typeof builtFor> => ({
    platform,
    ...(arch === undefined ? {} : { arch }),
  });
  if (magic === 0x7f45_4c46)
    return withArch('linux', ELF[head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18)]);
  if (magic === 0xcffa_edfe) return withArch('darwin', MACH[head.readUInt32LE(4)]);
  if (magic === 0xcafe_babe) return { platform: 'darwin' };
  return head.toString('latin1', 0, 2) === 'MZ' ? { platform: 'win32' } : undefined;
}

const NAMES: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** A sentence's end about a file that is a program for another machine than this; `undefined` where it isn't known to be. */
export async function otherMachine(file: string, platform: NodeJS.Platform, arch: string): Promise<string | undefined> {
  const built = builtFor(await headOf(file));
  if (!built || (built.platform === platform && (built.arch === undefined || built.arch === arch))) return undefined;
  const nameOf = (of: NodeJS.Platform, processor?: string): string =>
    [NAMES[of] ?? of, processor].filter((each) => each !== undefined).join(' ');
  return say`it is built for ${nameOf(built.platform, built.arch)}, and this is ${nameOf(platform, arch)}`;
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return Buffer.alloc(0);
  } finally {
    await handle.close();
  }
}
