import { toDisposable, type Disposable } from './disposable.ts';

/** Subscribes `listener`; disposing the result unsubscribes it. Same shape as the editor's `Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing side of an event. A listener that throws never keeps the others from being called. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #subscriptions = new Set<Disposable>();
  readonly #onListenerError: (error: unknown) => void;

  /** @param onListenerError told of what a listener threw; by default it is rethrown outside the firing code. */
  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    const subscription = toDisposable(() => {
      this.#listeners.delete(entry);
      this.#subscriptions.delete(subscription);
    });
    this.#subscriptions.add(subscription);
    return subscription;
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener.call(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    for (const subscription of [...this.#subscriptions]) subscription.dispose();
  }
}

/** An error that nobody here can deal with, thrown where it disturbs no work at hand. */
export function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
