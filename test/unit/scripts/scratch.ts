import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { temporaryFolder } from '../connection/harness.ts';

/** A folder for a test, and files in it: with the folders that they need. */
export function scratchFolder(): ReturnType<typeof temporaryFolder> & {
  write(name: string, text: string | Buffer, mode?: number): string;
} {
  const folder = temporaryFolder();
  return {
    ...folder,
    write: (name, text, mode = 0o644) => {
      const file = folder.file(name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
      return file;
    },
  };
}
