import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Span } from './span.ts';

/** So long spans wait for others to be sent with, in milliseconds. */
const WAIT_MS = 1_000;
/** So long nothing is sent after it failed. */
const PAUSE_MS = 60_000;
/** So many wait at most; then the oldest are left out. */
export const MAX_WAITING = 2_048;
/** So many are sent at once. */
const MAX_SENT = 512;

export interface SpanExportPorts {
  /** @throws what says why they weren't taken */
  readonly send: (spans: readonly Span[]) => Promise<void>;
  /** Told why spans aren't taken, once. */
  readonly refused: (why: string) => void;
  readonly clock: Clock;
}

/** Sends spans some at a time. Where they aren't taken, they are left out, and nobody waits for them. */
export class SpanExport implements Disposable {
  readonly #ports: SpanExportPorts;
  #waiting: Span[] = [];
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;
  #isTold = false;
  #isDisposed = false;

  constructor(ports: SpanExportPorts) {
    this.#ports = ports;
  }

  readonly add = (span: Span): void => {
    if (this.#isDisposed) return;
    if (this.#waiting.length >= MAX_WAITING) this.#waiting.splice(0, MAX_SENT);
    this.#waiting.push(span);
    if (!this.#sending) this.#schedule(WAIT_MS);
  };

  /** Sends what waits. Never rejects. */
  async flush(): Promise<void> {
    await this.#sending;
    await this.#send();
  }

  #schedule(delayMs: number): void {
    this.#timer ??= this.#ports.clock.schedule(delayMs, () => {
      this.#timer = undefined;
      void this.#send();
    });
  }

  #send(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().then((isTaken) => {
      this.#sending = undefined;
      if (this.#waiting.length > 0 && !this.#isDisposed) this.#schedule(isTaken ? WAIT_MS : PAUSE_MS);
      else if (!isTaken) this.#pause();
    });
    return this.#sending;
  }

  /** What comes within the pause waits for its end. */
  #pause(): void {
    if (!this.#isDisposed) this.#schedule(PAUSE_MS);
  }

  async #sendAll(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      try {
        await this.#ports.send(this.#waiting.splice(0, MAX_SENT));
      } catch (error) {
        if (!this.#isTold) this.#ports.refused(messageOf(error));
        this.#isTold = true;
        return false;
      }
    }
    return true;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#waiting = [];
  }
}
