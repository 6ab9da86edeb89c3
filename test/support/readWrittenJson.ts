import { readFileSync } from 'node:fs';

const WRITING_MS = 2_000;

/** Reads a JSON file that the editor may be writing at this moment: half a file is read again. */
export function readWrittenJson(file: string): unknown {
  for (const deadline = Date.now() + WRITING_MS; ;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if (!(error instanceof SyntaxError) || Date.now() > deadline) throw error;
    }
  }
}
