import { setDisposableTracker, type Disposable } from './disposable.ts';

/** Remembers every disposable that is made while it is installed, and where, until it is disposed. For tests. */
export class LeakTracker {
  readonly #live = new Map<Disposable, Error>();

  /** Starts to track. Only one tracker is installed at a time. */
  install(): void {
    setDisposableTracker({
      created: (disposable) => this.#live.set(disposable, new Error('made')),
      disposed: (disposable) => this.#live.delete(disposable),
    });
  }

  uninstall(): void {
    setDisposableTracker(undefined);
  }

  /** Where what is still live was made, as stack traces. */
  get leaks(): readonly string[] {
    return [...this.#live.values()].map(({ stack }) => stack ?? '');
  }
}
