import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { startInEditor } from './serverOptions.ts';

/**
 * When endpoints that the editor hasn't started yet are started, each from the one before, in milliseconds. The editor (VS
 * Code 1.139) knows a published server 500 ms after the last change: the second to fourth attempts come right after that, so
 * that the next message has its tools. The last ones are for slow machines.
 */
const START_DELAYS_MS = [100, 450, 100, 150, 200, 500, 1_000, 3_000, 10_000, 20_000, 30_000, 60_000];

/** An endpoint that the editor can start. */
export interface StartableEndpoint {
  readonly url: string;
  /** The editor's id of it. */
  readonly definitionId: string;
}

/** Which endpoints the editor has started, and starts the rest where its automatic start is off: they run here already. */
export class StartedEndpoints implements Disposable {
  readonly #clock: Clock;
  readonly #started = new Set<string>();
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(url: string): void {
    this.#started.add(url);
  }

  /** Forgets those that are gone. */
  keepOnly(urls: ReadonlySet<string>): void {
    for (const url of this.#started) if (!urls.has(url)) this.#started.delete(url);
  }

  /** The editor takes a moment to know what was published, and doesn't say when it does. */
  startRest(endpoints: () => readonly StartableEndpoint[], attempt = 0): void {
    this.#timer?.dispose();
    const delayMs = START_DELAYS_MS[attempt];
    if (delayMs === undefined) return;
    this.#timer = this.#clock.schedule(delayMs, () => {
      const rest = endpoints().filter(({ url }) => !this.#started.has(url));
      if (rest.length === 0) return;
      void startInEditor(rest.map(({ definitionId }) => definitionId)).then(() =>
        this.startRest(endpoints, attempt + 1),
      );
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
