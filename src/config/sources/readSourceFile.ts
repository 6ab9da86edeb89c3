import fs from 'node:fs/promises';
import path from 'node:path';
import { MAX_FOLDER_FILE_BYTES, readRegularFile, type FileLimits } from '../../base/files/regularFile.ts';
import { say } from '../../base/say.ts';
import type { ConfigSource } from '../configTypes.ts';

/** The user's own files: that of Claude Code also has its history, and grows to some megabytes. */
const MAX_USER_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the file of a source; `undefined` where there is none. A file of a workspace must be a regular one inside its
 * folder, links followed, and at most 1 MB. A managed file counts only where nobody but an administrator can write it.
 * @throws where the file exists and can't be read, or must not be used
 */
export async function readSourceFile(source: ConfigSource, platform: NodeJS.Platform): Promise<string | undefined> {
  const { file, scope } = source;
  if (file === undefined) return undefined;
  const text = await readRegularFile(file, limitsOf(source));
  if (text === undefined || scope !== 'enterprise') return text;
  const fault = managedFileFault(await ownershipOf(file), platform);
  if (fault !== undefined) throw new Error(fault);
  return text;
}

function limitsOf({ scope, folder }: ConfigSource): FileLimits {
  if (scope !== 'project' && scope !== 'workspace') return { maxBytes: MAX_USER_FILE_BYTES };
  return { maxBytes: MAX_FOLDER_FILE_BYTES, ...(folder ? { within: folder.path } : {}) };
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
  return open && say`${open.path} is writable by others than an administrator, so the managed file is ignored.`;
}
