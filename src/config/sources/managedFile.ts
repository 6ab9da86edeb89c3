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
  return open && `${open.path} can be written by others than an administrator, so the managed file isn't followed.`;
}
