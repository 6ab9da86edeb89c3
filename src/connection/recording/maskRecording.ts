import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { parseExactSteps } from '../../base/json/exactJson.ts';
import { isRecord } from '../../base/json/json.ts';
import { linesOf } from '../../base/text/linesOf.ts';
import { maskedWithinSteps } from '../../base/text/maskedWithin.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { inSlices, nextTurn, type Steps } from '../../base/timeSlices.ts';

/** Only whoever made it reads it. */
const MODE = 0o600;
/** So much is written at once, in characters. */
const CHUNK_CHARS = 256 * 1024;
/** What these members of a line say is ours, or a name that you gave: a server that calls such a word a secret takes none out. */
const OURS = new Set(['kind', 'direction', 'state', 'server']);

/** Opens a file that wasn't there, or in the place of one that was. @throws an error of the file system */
export async function openAnew(file: string): Promise<FileHandle> {
  await rm(file, { force: true });
  return open(file, 'wx', MODE);
}

/**
 * Writes a recording again, a line at a time, without what `mask` knows by now. Numbers stand as they did. Where that fails, nothing
 * is left of `to`.
 * @throws an error of the file system
 */
export async function maskRecording(from: string, to: string, mask: Mask): Promise<void> {
  const handle = await openAnew(to);
  try {
    await copyMasked(from, handle, mask);
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(to, { force: true });
    throw error;
  }
}

async function copyMasked(from: string, to: FileHandle, mask: Mask): Promise<void> {
  const input = createReadStream(from, { encoding: 'utf8' });
  try {
    let chunk = '';
    for await (const line of linesOf(input as AsyncIterable<string>)) {
      const masked = await inSlices(maskedLine(line, mask));
      if (masked !== undefined) chunk += `${masked}\n`;
      if (chunk.length < CHUNK_CHARS) continue;
      await to.appendFile(chunk);
      chunk = '';
      await nextTurn();
    }
    await to.appendFile(chunk);
  } finally {
    input.destroy();
  }
}

/** `undefined`: the line was cut off while it was written, and can't be read. */
function* maskedLine(line: string, mask: Mask): Steps<string | undefined> {
  if (mask(line) === line) return line;
  const value = yield* readLine(line);
  if (!isRecord(value)) return undefined;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    members.push([name, OURS.has(name) ? member : yield* maskedWithinSteps(member, mask)]);
  return JSON.stringify(Object.fromEntries(members));
}

function* readLine(line: string): Steps<unknown> {
  try {
    return yield* parseExactSteps(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
