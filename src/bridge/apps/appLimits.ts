import { SwitchboardError } from '../../base/errors.ts';
import type { Asker, Question, Reply } from '../../calls/callTypes.ts';

/** How many requests of one app are under way at once. */
const MAX_AT_ONCE = 16;
/** An app that was refused so often isn't asked for any more. */
export const MAX_REFUSALS = 3;

/** How much one tab's app can ask for, whichever page is in it: of its server, and of the user about that. */
export class AppLimits {
  #running = 0;
  #refusals = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @throws SwitchboardError `call-failed`, where too many are under way */
  async run<T>(request: () => Promise<T>): Promise<T> {
    if (this.#running === MAX_AT_ONCE)
      throw new SwitchboardError('call-failed', `An app can have ${MAX_AT_ONCE} requests at once.`);
    this.#running += 1;
    try {
      return await request();
    } finally {
      this.#running -= 1;
    }
  }

  /** Asks about one of the app's calls at a time, and refuses by itself once the user has refused three. */
  asking(user: Asker): Asker {
    return {
      ask: (question) => {
        const asked = this.#last.then(() => this.#ask(user, question));
        this.#last = asked.catch(() => undefined);
        return asked;
      },
    };
  }

  async #ask(user: Asker, question: Question): Promise<Reply | undefined> {
    if (this.#refusals >= MAX_REFUSALS || question.signal.aborted) return 'deny';
    const reply = await user.ask(question);
    // A question that was closed without an answer is no refusal.
    const isRefused = reply === undefined || reply === 'deny' || typeof reply === 'object';
    if (isRefused && !question.signal.aborted) this.#refusals += 1;
    return reply;
  }
}
