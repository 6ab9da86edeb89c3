import { chownSync } from 'node:fs';

/** Runs a task in folders of a user who isn't root, who can read everything. */
export async function asNobody(folders: readonly string[], task: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return task();
  const nobody = 65_534;
  for (const each of folders) chownSync(each, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await task();
  } finally {
    process.seteuid?.(0);
  }
}
