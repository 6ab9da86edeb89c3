import type { Sequencer } from '../../base/async.ts';
import type { Asker, Question, Reply } from '../../calls/callTypes.ts';

/** Asks as {@link EditorAsker} does, which is loaded with the first question. */
export class LazyAsker implements Asker {
  readonly #turns: Sequencer;
  #asker: Promise<Asker> | undefined;

  /** @param turns in which lists and inputs come up one after another */
  constructor(turns: Sequencer) {
    this.#turns = turns;
  }

  async ask(question: Question): Promise<Reply | undefined> {
    this.#asker ??= import('./editorAsker.ts').then(({ EditorAsker }) => new EditorAsker(this.#turns));
    return (await this.#asker).ask(question);
  }
}
