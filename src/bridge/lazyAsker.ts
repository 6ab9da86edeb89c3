import type { Asker, Question, Reply } from '../calls/types.ts';

/** Asks as {@link EditorAsker} does, which is loaded with the first question. */
export class LazyAsker implements Asker {
  #asker: Promise<Asker> | undefined;

  async ask(question: Question): Promise<Reply | undefined> {
    this.#asker ??= import('./asker.ts').then(({ EditorAsker }) => new EditorAsker());
    return (await this.#asker).ask(question);
  }
}
