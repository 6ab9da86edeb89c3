import { randomBytes } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';

/** What `draftOf` calls the draft of a JSON file. */
const DRAFT = /\.json\.[0-9a-f]{12}$/;

/** No window writes for so long, in milliseconds. */
const OLD_MS = 3_600_000;

/** The file beside `file` that is written first, and takes its place. */
export function draftOf(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

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
  const draft = draftOf(file);
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
    if (await isWanted(draft)) await rename(draft, file);
    else await rm(draft, { force: true });
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes what windows left that ended while they wrote: drafts of JSON files that are older than an hour.
 * @param names what is in the folder
 */
export async function removeOldDrafts(folder: string, names: readonly string[]): Promise<void> {
  const before = systemClock.now() - OLD_MS;
  const drafts = names.filter((name) => DRAFT.test(name)).map((name) => join(folder, name));
  await Promise.all(
    drafts.map(async (draft) => {
      const found = await lstat(draft).catch(() => undefined);
      if (found?.isFile() && found.mtimeMs < before) await rm(draft, { force: true }).catch(() => undefined);
    }),
  );
}
