import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { CloudPorts } from './cloudServersCopy.ts';

/**
 * The servers of a configured address without anybody waiting for it: what is known counts at once, and what the address
 * says replaces it when it comes.
 */
export class CloudReader {
  readonly #ports: CloudPorts;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #listeners = new Set<() => void>();
  /** What came last, and whether anybody has read it since. */
  #answer: { readonly url: string; readonly text: Promise<string>; isNew: boolean } | undefined;
  #asking = false;
  /** What to ask after the answer under way, which was asked for with what counted before. */
  #next: string | undefined;

  constructor(ports: CloudPorts, clock: Clock, log: Logger) {
    this.#ports = ports;
    this.#clock = clock;
    this.#log = log;
  }

  /** Calls `onChange` when an answer has come. Returns what ends that. */
  watch(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  }

  /**
   * What is known now; the address is asked unless its answer has just come. Where it is being asked, it is asked again
   * after that, since the token may be another by now, and only the last answer counts.
   * @throws where it has answered with an error and there is no copy
   */
  async read(url: string): Promise<string | undefined> {
    const answer = this.#answer?.url === url ? this.#answer : undefined;
    if (answer?.isNew) answer.isNew = false;
    else this.#ask(url);
    return answer ? answer.text : (await import('./cloudServersCopy.ts')).lastCopy(url, this.#ports.store);
  }

  #ask(url: string): void {
    if (this.#asking) {
      this.#next = url;
      return;
    }
    this.#asking = true;
    const text = import('./cloudServersCopy.ts').then(({ readCloud }) =>
      readCloud(url, this.#ports, this.#clock, this.#log),
    );
    const settled = (): void => {
      this.#asking = false;
      const next = this.#next;
      this.#next = undefined;
      if (next !== undefined) return this.#ask(next);
      this.#answer = { url, text, isNew: true };
      for (const listener of this.#listeners) listener();
    };
    text.then(settled, settled);
  }
}
