/** Something that a view shows once it is loaded, which its first use begins. */
export class LazyPart<T> {
  readonly #load: () => Promise<T>;
  readonly #onLoaded: () => void;
  #begun = false;
  #value: T | undefined;

  /** @param onLoaded the view can be shown again */
  constructor(load: () => Promise<T>, onLoaded: () => void) {
    this.#load = load;
    this.#onLoaded = onLoaded;
  }

  /** `undefined` until it is loaded. */
  get value(): T | undefined {
    if (!this.#begun) {
      this.#begun = true;
      void this.#load().then((value) => {
        this.#value = value;
        this.#onLoaded();
      });
    }
    return this.#value;
  }
}
