// Loaded when a bundle is added.
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** A bundle that is being fetched or unpacked isn't as old, in milliseconds. */
const OLD_MS = 24 * 60 * 60 * 1000;
/** Archives that were fetched, and folders beside those that bundles are unpacked into. */
const UNFINISHED = /\.mcpb$|\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Removes what an editor that ended meanwhile left behind; what can't be removed stays. */
export async function sweepBundles(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => UNFINISHED.test(each))) {
    const target = path.join(folder, name);
    try {
      const { mtimeMs } = await stat(target);
      if (now - mtimeMs > OLD_MS) await rm(target, { recursive: true, force: true });
    } catch {
      // Another window removes it, or a program has it open.
    }
  }
}
