import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SwitchboardError } from '../../../base/errors.ts';
import { say } from '../../../base/say.ts';
import { linesOf } from '../../../base/text/linesOf.ts';
import {
  readHeader,
  readLine,
  RECORDING_VERSION,
  type RecordedLine,
  type RecordingHeader,
} from '../recordingFormat.ts';

/** A larger file isn't read: recordings end at 256 MB. */
const MAX_FILE_BYTES = 320 * 1024 * 1024;
/** A longer line isn't read, in characters: of what is larger than 4 MB, a recording keeps the id. */
const MAX_LINE = 8 * 1024 * 1024;

/** A file with more isn't read. */
const MAX_LINES = 1_000_000;

/** A recording that was read. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly lines: readonly RecordedLine[];
  /** Lines that are none of this form, such as one that was being written when the window closed. */
  readonly unread: number;
}

/**
 * Reads a recording.
 * @throws SwitchboardError `unsupported` where the file isn't one, a later version wrote it, or it is too large or has too many lines
 */
export async function readRecording(file: string): Promise<Recording> {
  const stats = await stat(file);
  if (!stats.isFile()) throw new SwitchboardError('unsupported', say`${file} is not a file.`);
  if (stats.size > MAX_FILE_BYTES)
    throw new SwitchboardError('unsupported', say`${file} is larger than 320 MB, and is not read.`);
  const input = createReadStream(file, { encoding: 'utf8' });
  try {
    let header: RecordingHeader | undefined;
    let unread = 0;
    const lines: RecordedLine[] = [];
    let count = 0;
    for await (const text of linesOf(input as AsyncIterable<string>, MAX_LINE)) {
      if (!header) {
        header = checkedHeader(file, (text ?? '').replace(/^\ufeff/, ''));
        continue;
      }
      count += 1;
      if (count > MAX_LINES)
        throw new SwitchboardError('unsupported', say`${file} has more than a million lines, and is not read.`);
      if (text === '') continue;
      const line = text === undefined ? undefined : readLine(text);
      if (line) lines.push(line);
      else unread += 1;
    }
    if (!header) throw noRecording(file);
    return { header, lines, unread };
  } finally {
    input.destroy();
  }
}

function checkedHeader(file: string, line: string): RecordingHeader {
  const header = readHeader(line);
  if (!header) throw noRecording(file);
  const { mcpRecording: version } = header;
  if (version <= RECORDING_VERSION) return header;
  throw new SwitchboardError(
    'unsupported',
    say`${file} has version ${version} of the form of recordings; this version of MCP Switchboard reads version ${RECORDING_VERSION}.`,
    { remedy: say`Update MCP Switchboard.` },
  );
}

function noRecording(file: string): SwitchboardError {
  return new SwitchboardError('unsupported', say`${file} is no recording of MCP Switchboard.`);
}
