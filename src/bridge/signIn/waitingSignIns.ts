import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { AskingServer } from '../../connection/serverQuestionTypes.ts';
import type { AnswerRefusal, AwaitedAnswer } from './awaitedAnswer.ts';

/** A sign-in of this window that waits for the browser. */
export interface WaitingSignIn {
  readonly server: AskingServer;
  readonly awaited: AwaitedAnswer;
  /** Where the browser is sent back to. */
  readonly redirectUri: string;
  /** The browser can't come back by itself. */
  needsPaste: boolean;
}

/** The sign-ins of this window that wait for the browser. An answer that comes without a listener of its own is for one of them. */
export class WaitingSignIns implements Disposable {
  readonly #all = new Set<WaitingSignIn>();
  readonly #changed = new Emitter<void>();

  readonly onDidChange: Event<void> = this.#changed.event;

  get all(): readonly WaitingSignIn[] {
    return [...this.#all];
  }

  /** The one of a server that began last. */
  of(serverId: string): WaitingSignIn | undefined {
    return this.all.findLast(({ server }) => server.id === serverId);
  }

  /** Dispose the result when it no longer waits. */
  add(waiting: WaitingSignIn): Disposable {
    this.#all.add(waiting);
    this.#changed.fire();
    return toDisposable(() => {
      this.#all.delete(waiting);
      this.#changed.fire();
    });
  }

  /** Hands an answer to the sign-in that it is of. @returns why it is refused */
  offer(params: URLSearchParams): AnswerRefusal | undefined {
    let refusal: AnswerRefusal = 'other';
    for (const { awaited } of this.#all) {
      const why = awaited.offer(params, () => undefined);
      if (why === undefined) return undefined;
      if (why === 'late') refusal = why;
    }
    return refusal;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
