import fs from 'node:fs/promises';
import path from 'node:path';
import type { ConfigSource } from '../configTypes.ts';

/**
 * Reads the file of a source; `undefined` where there is none. A managed file counts only where nobody but an
 * administrator can write it.
 * @throws where the file exists and can't be read, or must not be used
 */
export async function readSourceFile(source: ConfigSource, platform: NodeJS.Platform): Promise<string | undefined> {
  const { file, scope } = source;
  if (file === undefined) return undefined;
  try {
    const text = await fs.readFile(file, 'utf8');
    const fault = scope === 'enterprise' ? managedFileFault(await ownershipOf(file), platform) : undefined;
    if (fault !== undefined) throw new Error(fault);
    return text;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** The file and each folder above it, where a link leads elsewhere both ways. */
async function ownershipOf(file: string): Promise<{ path: string; uid: number; mode: number }[]> {
  const real = await fs.realpath(file);
  const chain = [...new Set([...upwards(real), ...upwards(file)])];
  return Promise.all(
    chain.map(async (item) => {
      const { uid, mode } = await fs.stat(item);
      return { path: item, uid, mode };
    }),
  );
}

function upwards(file: string): string[] {
  const parent = path.dirname(file);
  return parent === file ? [file] : [file, ...upwards(parent)];
}

/** What the file system says of a file; the fields of Node's `Stats`. */
export interface FileOwnership {
  readonly uid: number;
  readonly mode: number;
}

const WRITABLE_BY_GROUP_OR_OTHERS = 0o022;

/**
 * Why a managed file must not be followed: somebody who is no administrator can write it.
 * @param chain the file and each folder above it, up to the root
 * @returns a sentence, or `undefined` where all is well. On Windows the place (`Program Files`) is protected by itself,
 *   and its permissions don't show in these fields.
 */
export function managedFileFault(
  chain: readonly (FileOwnership & { readonly path: string })[],
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return undefined;
  const open = chain.find(({ uid, mode }) => uid !== 0 || (mode & WRITABLE_BY_GROUP_OR_OTHERS) !== 0);
  return open && `${open.path} is writable by others than an administrator, so the managed file is ignored.`;
}
