import { dropOldest } from '../../../base/data/dropOldest.ts';

/** More than are in use at a time are forgotten, oldest first. */
const MAX_KEPT = 1000;

/**
 * Values of a server that are sent back to it: ids of its requests and cursors of its lists. Those that the SDK doesn't
 * take have a name of ours between here and the SDK, and go back as they came.
 */
export class OddValues {
  readonly #prefix: string;
  /** Made with the first: most servers send none. */
  #values: Map<string, unknown> | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** What the SDK gets for it; the same for equal values. */
  nameOf(value: unknown): string {
    const name = `${this.#prefix}${JSON.stringify(value)}`;
    this.#values ??= new Map();
    this.#values.set(name, value);
    dropOldest(this.#values, MAX_KEPT);
    return name;
  }

  has(name: unknown): name is string {
    return typeof name === 'string' && this.#values?.has(name) === true;
  }

  valueOf(name: string): unknown {
    return this.#values?.get(name);
  }
}
