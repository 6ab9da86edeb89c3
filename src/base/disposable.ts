/** Something that holds a resource until it is disposed. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Told of every tracked disposable that comes and goes; tests use one to fail on a leak. */
export interface DisposableTracker {
  created(disposable: Disposable): void;
  disposed(disposable: Disposable): void;
}

let tracker: DisposableTracker | undefined;

/** Installs the tracker that sees every disposable made from here on. For tests; `undefined` removes it. */
export function setDisposableTracker(next: DisposableTracker | undefined): void {
  tracker = next;
}

/**
 * A class, since V8 may allocate what a literal makes in the old generation, once most that it made lived long: those of a start do. Of
 * the many that each call makes, each would then keep its call until all of the heap is looked through.
 */
class Once implements Disposable {
  #onDispose: (() => void) | undefined;

  constructor(onDispose: () => void) {
    this.#onDispose = onDispose;
    tracker?.created(this);
  }

  dispose(): void {
    const onDispose = this.#onDispose;
    if (!onDispose) return;
    this.#onDispose = undefined;
    tracker?.disposed(this);
    onDispose();
  }
}

/** A disposable that runs `onDispose` once. */
export function toDisposable(onDispose: () => void): Disposable {
  return new Once(onDispose);
}

/** Holds disposables and disposes them together, last added first. What is added after that is disposed at once. */
export class DisposableStore implements Disposable {
  #items = new Set<Disposable>();
  #disposed = false;

  constructor() {
    tracker?.created(this);
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Takes ownership of `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Disposes what is held; the store can be filled again. */
  clear(): void {
    const items = [...this.#items].reverse();
    this.#items.clear();
    for (const item of items) item.dispose();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    tracker?.disposed(this);
    this.clear();
  }
}

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
