import { deferred, onAbort } from '../../base/async.ts';
import type { Asked } from './askUser.ts';

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

  /** Runs the task of the first that comes; the others get its result. */
  async once<T>(task: () => Promise<T>): Promise<{ readonly result: T; readonly isShared: boolean }> {
    const isShared = this.#result !== undefined;
    this.#result ??= task();
    return { result: (await this.#result) as T, isShared };
  }
}
