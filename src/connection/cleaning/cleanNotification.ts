import { SERVER_LOG_LEVELS } from '../../base/log.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

type Members = Readonly<Record<string, unknown>>;

/** The parameters of progress: its numbers as numbers, and without what isn't there. */
export function cleanProgress(params: Members, tolerate: Tolerate): Members {
  const { progress, total, message, ...rest } = params;
  const isRight =
    typeof progress === 'number' &&
    (total === undefined || typeof total === 'number') &&
    (message === undefined || typeof message === 'string');
  if (isRight) return params;
  tolerate('progress of another form');
  const all = numberOf(total);
  return {
    ...rest,
    progress: numberOf(progress) ?? 0,
    ...(all === undefined ? {} : { total: all }),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const LEVELS: ReadonlySet<string> = new Set(SERVER_LOG_LEVELS);
/** The levels of the usual loggers. */
const MEANT: Readonly<Record<string, string>> = {
  trace: 'debug',
  verbose: 'debug',
  information: 'info',
  log: 'info',
  warn: 'warning',
  err: 'error',
  fatal: 'critical',
  crit: 'critical',
  panic: 'emergency',
  emerg: 'emergency',
};

/** The parameters of an entry of the server's log, with a level that the protocol has. */
export function cleanLogEntry(params: Members, tolerate: Tolerate): Members {
  const { level, data, logger, ...rest } = params;
  const isLogger = logger === undefined || typeof logger === 'string';
  if (typeof level === 'string' && LEVELS.has(level) && data !== undefined && isLogger) return params;
  tolerate('level of another name');
  const name = typeof level === 'string' ? level.toLowerCase() : '';
  return {
    ...rest,
    level: LEVELS.has(name) ? name : ((Object.hasOwn(MEANT, name) ? MEANT[name] : undefined) ?? 'info'),
    data: data ?? params['message'] ?? params['text'] ?? '',
    ...(typeof logger === 'string' ? { logger } : {}),
  };
}
