import fs from 'node:fs/promises';
import path from 'node:path';
import { managedFileFault } from './managedFile.ts';
import type { ConfigSource } from '../configTypes.ts';

/**
 * Reads the file of a source; `undefined` where there is none. A managed file is only followed where nobody but an
 * administrator can write it.
 * @throws where the file exists and can't be read, or mustn't be followed
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
