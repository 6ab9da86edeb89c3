import { delay, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import type { CallProgress, Session, ToolCallResult } from '../../connection/connectionTypes.ts';
import type { SentFor } from '../../connection/recording/recordedEvent.ts';
import { READY_WAIT_MS, type CallSettings } from '../callSettings.ts';
import type { CallsInProgress } from './callsInProgress.ts';
import type { CallTrace } from '../callTrace.ts';
import type { ToolCall } from '../callTypes.ts';
import { cleanText } from '../results/cleanText.ts';

/** How often and how patiently a call is tried again (settings `retry.*`). */
export interface RetrySettings {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly multiplier: number;
  readonly maxDelayMs: number;
}

/** What a call may do, as far as its tool is trusted. */
export interface SideEffects {
  readonly writes: boolean;
  /** It only reads, or is idempotent. */
  readonly safeToRepeat: boolean;
}

/** HTTP answers that mean "not now". */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * How long to wait before the next attempt, or `undefined` where there is none. Tried again is only what may pass by
 * itself, and only where the request was certainly never sent (`not-connected`) or the tool is safe to repeat. After a
 * time-out the call may still run: only one that reads is tried again, once, since it takes as long again. Not before the
 * server wants it (`Retry-After`): where that is later than the longest delay, the caller gets the error.
 * @param attempt how many were made, from 1
 * @param random from 0 to 1; the delay is between half and all of what it would be
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  effects: SideEffects,
  settings: RetrySettings,
  random: number,
): number | undefined {
  if (attempt >= settings.maxAttempts || !mayPass(error, attempt, effects)) return undefined;
  const delayMs = Math.min(settings.maxDelayMs, settings.initialDelayMs * settings.multiplier ** (attempt - 1));
  const { retryAfterMs = 0 } = answerOf(error instanceof SwitchboardError ? error.cause : undefined);
  if (retryAfterMs > settings.maxDelayMs) return undefined;
  return Math.max(retryAfterMs, Math.round(delayMs * (0.5 + random / 2)));
}

function mayPass(error: unknown, attempt: number, { writes, safeToRepeat }: SideEffects): boolean {
  if (!(error instanceof SwitchboardError)) return false;
  switch (error.code) {
    case 'not-connected':
      return true;
    case 'connection-lost':
      return safeToRepeat;
    case 'call-timeout':
      return !writes && attempt === 1;
    case 'http-status':
      return safeToRepeat && PASSING_STATUS.has(answerOf(error.cause).status);
    default:
      return false;
  }
}

function wasNeverSent(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'not-connected';
}

/** Of the HTTP answer that the error comes from. */
function answerOf(cause: unknown): { readonly status: number; readonly retryAfterMs?: number } {
  // The SDK's errors of Streamable HTTP have the status as `status`, those of SSE as `code`.
  const { status, code, retryAfterMs } = (cause ?? {}) as Readonly<Record<string, unknown>>;
  return {
    status: typeof status === 'number' ? status : typeof code === 'number' ? code : 0,
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
  };
}

export interface CallSenderPorts {
  /** The connected session of a server; waits up to `waitMs` for it. Throws `not-connected` with the state. */
  session(serverId: string, waitMs: number, signal: AbortSignal): Session | Promise<Session>;
  callTimeoutMs(serverId: string): number;
  settings(): CallSettings;
  readonly clock: Clock;
  /** Told what a request with these arguments is sent for, before it is. */
  readonly sending?: (args: JsonObject, call: SentFor) => void;
}

/** Sends calls to their servers, and retries those that can be retried. Nothing else reaches `session.callTool`. */
export class CallSender {
  readonly #ports: CallSenderPorts;
  readonly #inProgress: CallsInProgress;
  #sent = 0;

  constructor(ports: CallSenderPorts, inProgress: CallsInProgress) {
    this.#ports = ports;
    this.#inProgress = inProgress;
  }

  /** How many requests were sent to servers, each retry included. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * @param args as the server gets them
   * @param checkUnchanged called before each attempt; throws where the call was permitted for something else
   * @throws SwitchboardError of the last attempt or, of one that writes, of the last one that may have run;
   * `call-cancelled` if `signal` aborts between two
   */
  async send(
    tool: CatalogTool,
    args: JsonObject,
    call: ToolCall,
    effects: SideEffects,
    trace: CallTrace,
    checkUnchanged: () => void,
  ): Promise<ToolCallResult> {
    const { signal, onProgress, meta } = call;
    const options = {
      signal,
      timeoutMs: this.#ports.callTimeoutMs(tool.serverId),
      takesTask: true,
      ...(onProgress ? { onProgress: cleanProgress(onProgress) } : {}),
    };
    let inDoubt: unknown;
    let after: string | undefined;
    for (;;) {
      trace.attempts += 1;
      let isSending = false;
      try {
        const session = await this.#ports.session(tool.serverId, READY_WAIT_MS, signal);
        checkUnchanged();
        isSending = true;
        this.#sent += 1;
        const { name } = underlyingOf(tool);
        const { spans, attempts: attempt } = trace;
        // Each request has its own: it is known by it.
        const own = { ...args };
        this.#ports.sending?.(own, { callId: trace.key, attempt, ...(after === undefined ? {} : { after }) });
        const send = (sent: JsonObject | undefined): Promise<ToolCallResult> =>
          session.callTool(name, own, sent ? { ...options, meta: sent } : options);
        const about = { target: name, info: session.info, attempt };
        return await this.#inProgress.during(tool.serverId, call, () =>
          spans ? spans.request(about, meta, send) : send(meta),
        );
      } catch (error) {
        if (isSending && !wasNeverSent(error)) inDoubt = error;
        const { retry } = this.#ports.settings();
        const delayMs = isSending ? retryDelayMs(error, trace.attempts, effects, retry, Math.random()) : undefined;
        if (delayMs === undefined || signal.aborted) throw effects.writes ? (inDoubt ?? error) : error;
        after = error instanceof SwitchboardError ? error.code : undefined;
        await waitToRetry(delayMs, this.#ports.clock, signal);
      }
    }
  }
}

/** Passes on a server's progress. Its message is cleaned like a result's text. */
export function cleanProgress(onProgress: (progress: CallProgress) => void): (progress: CallProgress) => void {
  return ({ message, ...numbers }) =>
    onProgress(message === undefined ? numbers : { ...numbers, message: cleanText(message).text });
}

async function waitToRetry(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let abortion: Disposable | undefined;
  const cancelled = new Promise<never>((_, reject) => {
    abortion = onAbort(signal, () =>
      reject(new SwitchboardError('call-cancelled', 'The call was cancelled before it was retried.')),
    );
  });
  try {
    await Promise.race([delay(delayMs, clock), cancelled]);
  } finally {
    abortion?.dispose();
  }
}
