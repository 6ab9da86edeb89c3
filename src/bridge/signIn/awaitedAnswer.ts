import { say } from '../../base/say.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { deferred, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { RedirectAnswer, SignInOutcome } from '../../connection/auth/signInPorts.ts';

/** How long a person may take in the browser, in milliseconds. */
export const SIGN_IN_LIMIT_MS = 15 * 60_000;

/** Parameters that decide what comes of an answer. */
const ANSWERED = ['state', 'code', 'iss', 'error'] as const;

/** Why an answer isn't the one that is waited for. `other`: of another sign-in; `late`: there was one already, or it is over. */
export type AnswerRefusal = 'other' | 'late';

/** Waits for one answer of an authorization server, however it arrives: the first with the `state` that was sent. */
export class AwaitedAnswer implements Disposable {
  readonly #state: string;
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #taken = deferred<RedirectAnswer>();
  #isOpen = true;

  constructor(state: string, clock: Clock, limitMs: number = SIGN_IN_LIMIT_MS) {
    this.#state = state;
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /**
   * Takes an answer where it is the one, and else says why it isn't: then the wait goes on.
   * @param finish told how the sign-in ended
   */
  offer(params: URLSearchParams, finish: (outcome: SignInOutcome) => void): AnswerRefusal | undefined {
    // RFC 6749, section 3.1: none is there more than once. What reads them could take another one of two.
    if (ANSWERED.some((name) => params.getAll(name).length > 1)) return 'other';
    if (!isSame(params.get('state') ?? '', this.#state)) return 'other';
    if (!this.#isOpen) return 'late';
    this.#isOpen = false;
    this.#taken.resolve({ params, finish });
    return undefined;
  }

  /** @throws SwitchboardError `call-cancelled` where `signal` aborts, `call-timeout` where nobody answers in time */
  async answer(signal: AbortSignal): Promise<RedirectAnswer> {
    const over = deferred<never>();
    const waiting = new DisposableStore();
    waiting.add(onAbort(signal, () => over.reject(ended('call-cancelled', say`The sign-in was cancelled.`))));
    const minutes = this.#limitMs / 60_000;
    const late = ended('call-timeout', say`The sign-in wasn’t finished within ${minutes} minutes.`);
    waiting.add(this.#clock.schedule(this.#limitMs, () => over.reject(late)));
    try {
      return await Promise.race([this.#taken.promise, over.promise]);
    } finally {
      waiting.dispose();
      this.dispose();
    }
  }

  dispose(): void {
    this.#isOpen = false;
  }
}

function ended(code: 'call-cancelled' | 'call-timeout', message: string): SwitchboardError {
  return new SwitchboardError(code, message, { remedy: say`Sign in again.` });
}

/** In a time that tells nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
