import { say } from './say.ts';

/** Why something failed, by code. Code is what callers branch on; the text is for users. */
export type ErrorCode =
  | 'command-not-found'
  | 'command-not-executable'
  | 'cwd-not-found'
  | 'install-failed'
  | 'exited'
  | 'handshake-timeout'
  | 'handshake-failed'
  | 'discovery-failed'
  | 'connection-lost'
  | 'unreachable'
  | 'certificate'
  | 'http-status'
  | 'needs-auth'
  | 'not-connected'
  | 'call-timeout'
  | 'call-cancelled'
  | 'call-failed'
  | 'tool-error'
  | 'unknown-server'
  | 'unknown-tool'
  | 'invalid-arguments'
  | 'denied'
  | 'message-too-large'
  | 'unresolved-variable'
  | 'unsupported'
  | 'internal';

/** An error that a user or a model reads: what happened, why, and what to do next. */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly code: ErrorCode;
  /** One sentence: what to do next. */
  readonly remedy: string | undefined;

  /**
   * @param message a sentence that says what happened and why; never arguments, environment values, headers or tokens
   * @param options `remedy`: what to do next; `cause`: the original error
   */
  constructor(code: ErrorCode, message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy;
  }

  /** Message and remedy as one text. */
  get fullMessage(): string {
    return this.remedy ? say`${this.message} ${this.remedy}` : this.message;
  }
}

/** The text of anything thrown, never empty. */
export function messageOf(error: unknown): string {
  if (error instanceof SwitchboardError) return error.fullMessage;
  if (error instanceof Error) return error.message || error.name;
  return String(error) || 'unknown error';
}
