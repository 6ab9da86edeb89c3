import { toDisposable, type Disposable } from './disposable.ts';

/** Subscribes `listener`; disposing the result unsubscribes it. Same shape as the editor's `Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing side of an event. A listener that throws never keeps the others from being called. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Map<Disposable, (value: T) => void>();
  readonly #onListenerError: (error: unknown) => void;

  /** @param onListenerError told of what a listener threw; by default it is rethrown outside the firing code. */
  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    const subscription = toDisposable(() => this.#listeners.delete(subscription));
    this.#listeners.set(subscription, listener);
    return subscription;
  };

  fire(value: T): void {
    for (const call of [...this.#listeners.values()]) {
      try {
        call(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    for (const subscription of [...this.#listeners.keys()]) subscription.dispose();
  }
}

/** An error that nobody here can deal with, thrown where it disturbs no work at hand. */
export function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
