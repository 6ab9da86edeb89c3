import { LONGEST_DELAY_MS } from '../../base/clock.ts';
import { SERVER_LOG_LEVELS, type ServerLogLevel } from '../../base/log.ts';
import { say } from '../../base/say.ts';
import { type EntryReader, replacing } from './entryReader.ts';
import { membersOf, type ConfigNode } from '../syntax/configNode.ts';
import { START_MODES, type EntryTimings, type ReconnectNumbers, type StartMode } from '../configTypes.ts';

/** When and how an entry's server is connected, where the entry says so; the settings' numbers count otherwise. */
export interface StartOptions {
  readonly startMode?: StartMode;
  readonly discoveryTimeoutMs?: number;
  readonly handshakeTimeoutMs?: number;
  readonly reconnect?: ReconnectNumbers;
  readonly logLevel?: ServerLogLevel;
  readonly timings?: EntryTimings;
}

export const TIMING_FIELDS = ['slowStartMs', 'installMs', 'listDebounceMs', 'keepAliveMs'] as const;
/** Ours, and Cline's. */
export const HANDSHAKE_FIELDS = ['handshakeTimeoutMs', 'initializeTimeoutMs'] as const;
const RECONNECT_FIELDS = ['initialDelayMs', 'maxDelayMs', 'maxAttempts', 'healthyAfterMs'] as const;

/**
 * What an entry's numbers are at least, whatever it says: a file that others write must not have a process started, or a
 * request sent, again and again without a pause.
 */
const SHORTEST_RECONNECT_MS = { initialDelayMs: 100, maxDelayMs: 100, maxAttempts: 0, healthyAfterMs: 1_000 } as const;
const SHORTEST_TIMING_MS = { slowStartMs: 0, installMs: 0, listDebounceMs: 0, keepAliveMs: 1_000 } as const;

/**
 * Reads `startMode` (or `autoConnect: false`), `handshakeTimeoutMs`, `discoveryTimeoutMs`, `reconnect`, `logLevel` and {@link TIMING_FIELDS}.
 */
export function readStartOptions(reader: EntryReader): StartOptions {
  const startMode =
    oneOf(reader, 'startMode', START_MODES) ?? (reader.flag('autoConnect') === false ? 'manual' : undefined);
  const logLevel = oneOf(reader, 'logLevel', SERVER_LOG_LEVELS);
  const handshakeTimeoutMs = wholeNumber(reader, reader.first(HANDSHAKE_FIELDS)?.value, 'handshakeTimeoutMs');
  const discoveryTimeoutMs = wholeNumber(reader, reader.value('discoveryTimeoutMs'), 'discoveryTimeoutMs');
  const reconnect = readReconnect(reader);
  const timings = readTimings(reader);
  return {
    ...(startMode === undefined ? {} : { startMode }),
    ...(handshakeTimeoutMs === undefined ? {} : { handshakeTimeoutMs }),
    ...(discoveryTimeoutMs === undefined ? {} : { discoveryTimeoutMs }),
    ...(reconnect === undefined ? {} : { reconnect }),
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(timings === undefined ? {} : { timings }),
  };
}

/** One of the words that a field takes; any other is a warning. */
function oneOf<T extends string>(reader: EntryReader, field: string, words: readonly T[]): T | undefined {
  const node = reader.value(field);
  const word = words.find((each) => each === node?.value);
  if (node && word === undefined)
    reader.report(node, 'unknown-word', 'warning', {
      message: say`\`${field}\` has no such value; it is ignored.`,
      fix: say`Write one of ${words.map((each) => `\`${each}\``).join(', ')}.`,
    });
  return word;
}

function readReconnect(reader: EntryReader): ReconnectNumbers | undefined {
  const node = reader.value('reconnect');
  if (node?.type !== 'object') return undefined;
  const numbers: Partial<Record<(typeof RECONNECT_FIELDS)[number], number>> = {};
  for (const { key, value } of membersOf(node)) {
    const field = RECONNECT_FIELDS.find((each) => each === key);
    const number = field && wholeNumber(reader, value, `reconnect.${field}`);
    if (field && number !== undefined) numbers[field] = Math.max(number, SHORTEST_RECONNECT_MS[field]);
  }
  return numbers;
}

function readTimings(reader: EntryReader): EntryTimings | undefined {
  const numbers = TIMING_FIELDS.flatMap((field) => {
    const number = wholeNumber(reader, reader.value(field), field);
    return number === undefined ? [] : [[field, Math.max(number, SHORTEST_TIMING_MS[field])] as const];
  });
  return numbers.length > 0 ? Object.fromEntries(numbers) : undefined;
}

function wholeNumber(reader: EntryReader, node: ConfigNode | undefined, field: string): number | undefined {
  if (!node) return undefined;
  const value = node.type === 'number' ? Number(node.value) : Number.NaN;
  if (Number.isInteger(value) && value >= 0 && value <= 2_147_483_647) return value;
  reader.report(node, 'invalid-number', 'warning', {
    message: say`\`${field}\` must be a whole number, 0 or more; the setting applies instead.`,
    fix: say`Write a number without quotes, or remove it.`,
  });
  return undefined;
}

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
      message: say`A time-out must be a number above 0.`,
      fix:
        unitMs === 1
          ? say`Write milliseconds, e.g. \`60000\`, or remove it for the default.`
          : say`Write seconds, e.g. \`60\`, or remove it for the default.`,
    });
    return undefined;
  }
  if (value * unitMs < SHORTEST_MS) {
    reader.report(node, 'short-timeout', 'warning', {
      message: say`This time-out is in milliseconds, so ${value} is too short and is ignored.`,
      fix: say`Write \`${value * 1000}\` for ${value} seconds.`,
      edit: replacing(node, String(value * 1000)),
    });
    return undefined;
  }
  return Math.min(Math.round(value * unitMs), LONGEST_DELAY_MS);
}
