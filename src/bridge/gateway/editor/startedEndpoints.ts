import { withTimeout } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';

/**
 * When endpoints that the editor hasn't started yet are started, each from the one before, in milliseconds. The editor (VS
 * Code 1.139) knows a published server 500 ms after the last change: the second to fourth attempts come right after that, so
 * that the next message has its tools. The last ones are for slow machines.
 */
const START_DELAYS_MS = [100, 450, 100, 150, 200, 500, 1_000, 3_000, 10_000, 20_000, 30_000, 60_000];
/** How long a start is waited for: one that doesn't end keeps no other from being started. */
const START_WAIT_MS = 2_000;

/** An endpoint that the editor can start. */
export interface StartableEndpoint {
  /** The editor's id of it. */
  readonly definitionId: string;
  /** When one of these is another, the editor stops what it has started (VS Code 1.139). */
  readonly url: string;
  readonly version: string;
  /**
   * Whether the editor is connected to it. One that it started while its own copy was enabled, it may have stopped since: then it
   * offers the tools that it remembers.
   */
  readonly isInUse: () => boolean;
}

/** Has the editor start servers, by its ids of them. Of one that it doesn't know it starts nothing. */
type Start = (definitionIds: readonly string[]) => Promise<void>;

/** Which endpoints the editor has started, and starts the rest where its automatic start is off: they run here already. */
export class StartedEndpoints implements Disposable {
  readonly #clock: Clock;
  readonly #start: Start;
  /** What was started, by the editor's id. */
  readonly #started = new Map<string, StartableEndpoint>();
  #timer: Disposable | undefined;
  /** Goes up with each publication: what was begun for an earlier one is not gone on with. */
  #publication = 0;

  constructor(clock: Clock, start: Start) {
    this.#clock = clock;
    this.#start = start;
  }

  add(endpoint: StartableEndpoint): void {
    this.#started.set(endpoint.definitionId, endpoint);
  }

  /** The version that the editor has started; `undefined` where it has started none. */
  versionOf(definitionId: string): string | undefined {
    return this.#started.get(definitionId)?.version;
  }

  /** Forgets those that are gone. */
  keepOnly(definitionIds: ReadonlySet<string>): void {
    for (const id of this.#started.keys()) if (!definitionIds.has(id)) this.#started.delete(id);
  }

  /**
   * The editor takes a moment to know what it is told, and doesn't say when it does.
   * @param endpoints what it has just been told, in place of all before
   */
  startRest(endpoints: readonly StartableEndpoint[]): void {
    this.#publication += 1;
    this.#attempt(endpoints, 0, this.#publication);
  }

  #attempt(endpoints: readonly StartableEndpoint[], attempt: number, publication: number): void {
    const delayMs = START_DELAYS_MS[attempt];
    if (delayMs === undefined || publication !== this.#publication) return;
    this.#timer?.dispose();
    this.#timer = this.#clock.schedule(delayMs, () => {
      const rest = endpoints.filter((endpoint) => !this.#isStarted(endpoint));
      if (rest.length === 0) return;
      const ids = rest.map(({ definitionId }) => definitionId);
      void withTimeout(this.#start(ids), START_WAIT_MS, this.#clock, () => undefined).then(() =>
        this.#attempt(endpoints, attempt + 1, publication),
      );
    });
  }

  #isStarted({ definitionId, url, version, isInUse }: StartableEndpoint): boolean {
    const started = this.#started.get(definitionId);
    return started?.url === url && started.version === version && isInUse();
  }

  dispose(): void {
    this.#publication += 1;
    this.#timer?.dispose();
  }
}
