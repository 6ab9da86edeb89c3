import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** Puts a file that only the user can read in the place of one that others may read meanwhile: they never see half of it. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}
