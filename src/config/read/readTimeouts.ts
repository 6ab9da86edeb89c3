import { replacing, type EntryReader } from './entryReader.ts';
import { membersOf, type ConfigNode } from '../syntax/configNode.ts';

/** A timer can't wait longer (2^31 - 1 ms, some 24 days). */
const LONGEST_MS = 2_147_483_647;
/** Shorter than any call; Claude Code passes such a value over, too. */
const SHORTEST_MS = 1000;

/** The time-outs of an entry, in milliseconds whatever the unit in the file. */
export interface EntryTimeouts {
  readonly callTimeoutMs?: number;
  readonly handshakeTimeoutMs?: number;
}

/** Reads `timeout` (in the unit of the client whose file it is), and what Codex and opencode write instead. */
export function readTimeouts(reader: EntryReader): EntryTimeouts {
  const timeout = reader.value('timeout');
  const unitMs = reader.conventions?.timeoutUnit === 'seconds' ? 1000 : 1;
  const parts = timeout?.type === 'object' ? timeout : undefined;
  const part = (...keys: string[]): ConfigNode | undefined =>
    membersOf(parts).find((member) => keys.includes(member.key))?.value;
  const call =
    durationMs(reader, reader.value('tool_timeout_sec'), 1000) ??
    durationMs(reader, parts ? part('execution', 'request') : timeout, unitMs);
  const handshake =
    durationMs(reader, reader.value('startup_timeout_sec'), 1000) ??
    durationMs(reader, reader.value('startup_timeout_ms'), 1) ??
    durationMs(reader, part('startup'), unitMs);
  return {
    ...(call === undefined ? {} : { callTimeoutMs: call }),
    ...(handshake === undefined ? {} : { handshakeTimeoutMs: handshake }),
  };
}

function durationMs(reader: EntryReader, node: ConfigNode | undefined, unitMs: number): number | undefined {
  if (!node || node.type === 'null') return undefined;
  const value = node.type === 'number' ? Number(node.value) : Number.NaN;
  if (!(value > 0)) {
    reader.report(node, 'invalid-timeout', 'warning', {
      message: 'A time-out has to be a number above 0.',
      fix: `Write ${unitMs === 1 ? 'milliseconds, e.g. `60000`' : 'seconds, e.g. `60`'}, or remove it for the default.`,
    });
    return undefined;
  }
  if (value * unitMs < SHORTEST_MS) {
    reader.report(node, 'short-timeout', 'warning', {
      message: `This time-out is in milliseconds here, so ${value} is too short and is ignored.`,
      fix: `Write \`${value * 1000}\` for ${value} seconds.`,
      edit: replacing(node, String(value * 1000)),
    });
    return undefined;
  }
  return Math.min(Math.round(value * unitMs), LONGEST_MS);
}
