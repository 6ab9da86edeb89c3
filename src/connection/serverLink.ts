import { deferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { ConnectError } from './connectionFailure.ts';
import type { GuardedTransport } from './protocol/guard/guardedTransport.ts';
import type { SdkFault } from './protocol/sdk.ts';
import type { ConnectionFailure } from './connectionTypes.ts';
import type { ExitStatus } from './stdio/describeExit.ts';
import type { StopGrace } from './process/stopGrace.ts';

/**
 * A transport that knows when the server is gone, why, and how to stop it. Each attempt to connect gets a new one.
 */
export interface Link extends Disposable {
  readonly kind: 'stdio' | 'http' | 'sse' | 'ws' | 'in-process';
  readonly transport: GuardedTransport;
  readonly pid: number | undefined;
  /** Why the server is gone; `undefined` while it isn't. */
  readonly lost: ConnectionFailure | undefined;
  /** Fires once, when the server is gone without having been stopped. */
  readonly onLost: Event<ConnectionFailure>;
  /** Something was refused without an account, while the rest is answered; then it fires. */
  readonly accountNeeded?: boolean;
  readonly onAccountNeeded?: Event<void>;
  /** Why the handshake failed. */
  explainHandshake(fault: SdkFault, error: unknown): Promise<ConnectError>;
  /** The last lines on stderr, where there is one. */
  stderrTail(): readonly string[];
  /** What it wrote on stderr, as far as that is remembered, oldest first. */
  stderrLines?(): readonly string[];
  /** How its process ended by itself, where there is one. */
  readonly exit?: ExitStatus | undefined;
  /** What an unfinished handshake waits for, where that isn't an answer: a sentence. */
  readonly waitsFor?: string | undefined;
  /** Called after the handshake. */
  opened?(): void;
  /** Closes it in order; a second call escalates. */
  stop(grace: StopGrace): Promise<void>;
}

/** How long a process's exit event may come after the end of its pipe. */
const EXIT_LAG_MS = 250;

/** Waits for a process's exit event, so that an error can have its exit code. */
export async function waitForExit(link: Link, clock: Clock): Promise<void> {
  if (link.kind !== 'stdio' || link.lost) return;
  const waited = deferred<void>();
  const timer = clock.schedule(EXIT_LAG_MS, () => waited.resolve());
  const subscription = link.onLost(() => waited.resolve());
  await waited.promise;
  timer.dispose();
  subscription.dispose();
}
