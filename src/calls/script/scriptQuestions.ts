import { deferred, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Answer, Asker, Question, Reply } from '../callTypes.ts';
import { SCRIPT_LIMITS } from './scriptTypes.ts';

/** Anything but one of our answers is a denial. */
const ALLOWING: readonly unknown[] = ['once', 'session', 'always', 'alwaysArgs'] satisfies readonly Answer[];

/** A call that waits for the user's answer. */
interface WaitingCall {
  readonly question: Question;
  /** Identifies the tool as it was when the question came up. */
  readonly stamp: string | undefined;
  readonly answer: (reply: Reply | undefined) => void;
}

/** `changed`: a tool or a server is another one than the user was shown. `closed`: a call was cancelled meanwhile. */
export type BatchAnswer =
  'allowed' | 'denied' | 'expired' | 'changed' | 'closed' | 'tooMany' | { readonly deny: string };

export interface ScriptQuestionPorts {
  readonly asker: Asker;
  readonly clock: Clock;
  /** How long a question stays open, in milliseconds. */
  readonly limitMs: number;
  /** Identifies the tool that a name means now; `undefined` for none that may be called. */
  readonly stampOf: (name: string) => string | undefined;
}

/**
 * Holds the questions about a script's calls back until the script can't go on without an answer, and then puts them as one. The
 * answer is for exactly the calls that were shown: all of them run, or none.
 */
export class ScriptQuestions implements Asker {
  readonly #ports: ScriptQuestionPorts;
  readonly #onDidChange: () => void;
  #waiting: readonly WaitingCall[] = [];

  constructor(ports: ScriptQuestionPorts, onDidChange: () => void) {
    this.#ports = ports;
    this.#onDidChange = onDidChange;
  }

  /** How many calls wait. */
  get count(): number {
    return this.#waiting.length;
  }

  async ask(question: Question): Promise<Reply | undefined> {
    const answer = deferred<Reply | undefined>();
    const waiting: WaitingCall = {
      question,
      stamp: this.#ports.stampOf(question.tool.name),
      answer: (reply) => answer.resolve(reply),
    };
    this.#waiting = [...this.#waiting, waiting];
    this.#onDidChange();
    const abortion = onAbort(question.signal, () => {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      answer.resolve(undefined);
      this.#onDidChange();
    });
    try {
      return await answer.promise;
    } finally {
      abortion.dispose();
    }
  }

  /** Asks about all calls that wait, for `limitMs` from now, and gives each the answer. */
  async settle(): Promise<BatchAnswer> {
    const shown = this.#waiting;
    this.#waiting = [];
    const answer = await this.#answerFor(shown).catch((error: unknown) => {
      for (const { answer: deny } of shown) deny(undefined);
      throw error;
    });
    for (const call of shown)
      call.answer(answer === 'allowed' ? 'once' : typeof answer === 'object' ? answer : undefined);
    return answer;
  }

  async #answerFor(shown: readonly WaitingCall[]): Promise<BatchAnswer> {
    const questions = shown.map(({ question }) => question);
    if (isTooMuch(questions)) return 'tooMany';
    const [first] = questions;
    if (!first) return 'closed';
    const expiry = new AbortController();
    const ending = AbortSignal.any([...questions.map(({ signal }) => signal), expiry.signal]);
    const shownOne = { ...first, signal: ending };
    const reply = await this.#untilEnd(
      ending,
      expiry,
      questions.length === 1 ? shownOne : { ...shownOne, batch: questions },
    );
    if (ending.aborted) return ending.reason === 'expired' ? 'expired' : 'closed';
    if (typeof reply === 'object') return reply;
    if (!ALLOWING.includes(reply)) return 'denied';
    const isSame = shown.every(
      ({ question, stamp }) => stamp !== undefined && this.#ports.stampOf(question.tool.name) === stamp,
    );
    return isSame ? 'allowed' : 'changed';
  }

  /** @returns `undefined`, too, where the question ended first */
  async #untilEnd(ending: AbortSignal, expiry: AbortController, question: Question): Promise<Reply | undefined> {
    const ended = deferred<undefined>();
    const end = onAbort(ending, () => ended.resolve(undefined));
    const timer = this.#ports.clock.schedule(this.#ports.limitMs, () => expiry.abort('expired'));
    try {
      return await Promise.race([this.#ports.asker.ask(question), ended.promise]);
    } finally {
      timer.dispose();
      end.dispose();
    }
  }
}

function isTooMuch(questions: readonly Question[]): boolean {
  const { calls, json } = SCRIPT_LIMITS.batch;
  return questions.length > calls || questions.reduce((sum, { args }) => sum + JSON.stringify(args).length, 0) > json;
}
