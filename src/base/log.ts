/** How severe a line of a server's log is, least first (specification: *Logging*, `LoggingLevel`). */
export const SERVER_LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type ServerLogLevel = (typeof SERVER_LOG_LEVELS)[number];

/** The levels of this extension's own log. */
export type LogLevel = Extract<ServerLogLevel, 'debug' | 'info' | 'warning' | 'error'>;

/** Where lines of a log go. Never give it a tool's arguments, an environment value, a header or a token. */
export interface Logger {
  log(level: LogLevel, message: string): void;
}

/** A logger that says nothing. */
export const silentLogger: Logger = { log() {} };
