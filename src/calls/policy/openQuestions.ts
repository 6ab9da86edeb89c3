import { deferred, onAbort } from '../../base/async.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { Asked } from './askUser.ts';
import { say } from '../../base/say.ts';

/** What came of a question. */
export interface SharedAnswer {
  readonly answer: Asked;
  /** Whether this call is the first to get the answer, of the identical ones that have the question together. */
  readonly isFirst: boolean;
  /** What was allowed once runs once, for all calls of the question. */
  readonly run: SharedRun;
}

interface OpenQuestion {
  /** Of the calls that wait for it. */
  waiting: number;
  readonly ending: AbortController;
  readonly answer: Promise<Asked>;
  readonly run: SharedRun;
  isTaken: boolean;
}

/** The questions that are open now. Identical calls have one together, which closes when none of them waits any more. */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();

  /**
   * @param key the same for calls that an answer is to be the same for
   * @param signal of the call; it leaves the question, and the others go on waiting
   * @param ask asks until the signal that it gets
   */
  async ask(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<Asked>): Promise<SharedAnswer> {
    const question = this.#open.get(key) ?? this.#begin(key, ask);
    question.waiting += 1;
    const left = deferred<'left'>();
    const abortion = onAbort(signal, () => left.resolve('left'));
    try {
      const answer = await Promise.race([left.promise, question.answer]);
      if (answer === 'left') return { answer: 'cancelled', isFirst: false, run: question.run };
      const isFirst = !question.isTaken;
      question.isTaken = true;
      return { answer, isFirst, run: question.run };
    } finally {
      abortion.dispose();
      question.waiting -= 1;
      if (question.waiting === 0) question.ending.abort('cancelled');
    }
  }

  #begin(key: string, ask: (signal: AbortSignal) => Promise<Asked>): OpenQuestion {
    const ending = new AbortController();
    // A call that comes after the answer is another one.
    const answer = ask(ending.signal).finally(() => this.#open.delete(key));
    const question: OpenQuestion = { waiting: 0, ending, answer, run: new SharedRun(), isTaken: false };
    this.#open.set(key, question);
    return question;
  }
}

/** Runs what was allowed once for several identical calls. */
export class SharedRun {
  #result: Promise<unknown> | undefined;
  readonly #ending = new AbortController();
  /** How many calls take part that weren't cancelled. */
  #sharing = 0;

  /**
   * Runs the task of the first that comes; the others get its result.
   * @param task runs until the signal that it gets aborts: when all calls were cancelled
   * @param signal of the call; it leaves, and the others go on
   * @throws SwitchboardError `call-cancelled`, where it left
   */
  async once<T>(
    task: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ readonly result: T; readonly isShared: boolean }> {
    const isShared = this.#result !== undefined;
    const left = deferred<never>();
    this.#sharing += 1;
    const abortion = onAbort(signal, () => {
      this.#sharing -= 1;
      // The last one gets what comes of it.
      if (this.#sharing === 0) this.#ending.abort(signal.reason);
      else left.reject(new SwitchboardError('call-cancelled', say`The call was cancelled. It may have run.`));
    });
    try {
      this.#result ??= task(this.#ending.signal);
      return { result: (await Promise.race([this.#result, left.promise])) as T, isShared };
    } finally {
      abortion.dispose();
    }
  }
}
