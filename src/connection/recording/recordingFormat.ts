import { mayHaveExactNumbers, parseExact } from '../../base/json/exactJson.ts';
import { isRecord } from '../../base/json/json.ts';
import { isTooDeep } from '../../base/json/jsonDepth.ts';
import { atOnce } from '../../base/timeSlices.ts';
import type { RecordedEvent, RecordedWhat } from './recordedEvent.ts';

/** The version of the form of recordings; see docs/recording.md. */
export const RECORDING_VERSION = 1;

/** The first line of a recording. */
export interface RecordingHeader {
  readonly mcpRecording: number;
  /** When it was begun, ISO 8601. */
  readonly begun: string;
  readonly by: { readonly name: string; readonly version: string };
  readonly platform: string;
}

/** An event as a line has it: with the server's name in the place of its id, and the members of `what` beside the others. */
export type RecordedLine = Omit<RecordedEvent, 'what'> & RecordedWhat;

export function headerLine(by: RecordingHeader['by'], begun: Date, platform: string): string {
  const header: RecordingHeader = { mcpRecording: RECORDING_VERSION, begun: begun.toISOString(), by, platform };
  return `${JSON.stringify(header)}\n`;
}

/** @param nameOf the name of a server */
export function eventLine({ what, at, ...event }: RecordedEvent, nameOf: (server: string) => string): string {
  const { seq, connection } = event;
  return `${JSON.stringify({ seq, at: Math.round(at * 1000) / 1000, server: nameOf(event.server), connection, ...what })}\n`;
}

/** Something that isn't in a recording because there was too much of it. */
export function gapLine(left: number, at: number): string {
  return `${JSON.stringify({ at, kind: 'gap', left })}\n`;
}

/** The header, where a line is one. */
export function readHeader(line: string): RecordingHeader | undefined {
  const value = parsed(line);
  if (!isRecord(value) || typeof value['mcpRecording'] !== 'number') return undefined;
  return value as unknown as RecordingHeader;
}

/** The event of a line; `undefined` where it has none that this version knows. */
export function readLine(line: string): RecordedLine | undefined {
  const value = atOnce(isTooDeep(line)) ? undefined : parsed(line);
  if (!isRecord(value)) return undefined;
  const { at, server, connection, kind } = value;
  if (typeof at !== 'number' || typeof server !== 'string' || typeof connection !== 'number') return undefined;
  if (kind !== 'message') return value as unknown as RecordedLine;
  if (!isRecord(value['message'])) return undefined;
  const begin = line.indexOf('"message":');
  if (!mayHaveExactNumbers(line.slice(begin))) return value as unknown as RecordedLine;
  // The numbers of a message stay as the server wrote them.
  const { message } = parseExact(line) as { readonly message: object };
  return { ...value, message } as unknown as RecordedLine;
}

export function isMessage(line: RecordedLine): line is Extract<RecordedLine, { kind: 'message' }> {
  return line.kind === 'message';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
