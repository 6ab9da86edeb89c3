import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Puts a file that only the user can read in the place of one that others may read meanwhile: they never see half of it.
 * @param isWanted asked when the new file is written and before it takes the place; where it says no, the old one stays
 * @throws where it can't be written, or something else than a file is in its place; nothing is left beside it then
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array | Iterable<string>,
  isWanted: (draft: string) => Promise<boolean> = async () => true,
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
    if (await isWanted(draft)) await rename(draft, file);
    else await rm(draft, { force: true });
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
