import { deferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { ConnectError } from './connectionFailure.ts';
import type { GuardedTransport } from './protocol/guardedTransport.ts';
import type { SdkFault } from './protocol/sdk.ts';
import type { ConnectionFailure } from './connectionTypes.ts';
import type { StopGrace } from './process/stopLadder.ts';

/**
 * One transport with what watches over it: it knows when the server is gone, why, and how to end it. A link is used for
 * one attempt to connect; the next attempt gets a new one.
 */
export interface Link extends Disposable {
  readonly kind: 'stdio' | 'http' | 'sse' | 'ws' | 'in-process';
  readonly transport: GuardedTransport;
  readonly pid: number | undefined;
  /** Why the server is gone; `undefined` while it isn't. */
  readonly lost: ConnectionFailure | undefined;
  /** Fires once, when the server is gone without having been stopped. */
  readonly onLost: Event<ConnectionFailure>;
  /** Why the handshake failed. */
  explainHandshake(fault: SdkFault, error: unknown): Promise<ConnectError>;
  /** The last lines on stderr, where there is one. */
  stderrTail(): readonly string[];
  /** Told when the handshake is through. */
  opened?(): void;
  /** `Retry-After` of the last answer with this HTTP status, where it had one. */
  retryAfter?(status: number): string | undefined;
  /** Ends it in an orderly way; a second call escalates. */
  stop(grace: StopGrace): Promise<void>;
}

/** How long the news of a process's end may lag behind that of its pipe's end. */
const EXIT_NEWS_MS = 250;

/** Lets the news of a process's end arrive, so that an error can name its exit code. */
export async function exitNews(link: Link, clock: Clock): Promise<void> {
  if (link.kind !== 'stdio' || link.lost) return;
  const waited = deferred<void>();
  const timer = clock.schedule(EXIT_NEWS_MS, () => waited.resolve());
  const subscription = link.onLost(() => waited.resolve());
  await waited.promise;
  timer.dispose();
  subscription.dispose();
}
