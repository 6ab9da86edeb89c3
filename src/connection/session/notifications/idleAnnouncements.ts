import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** How long an announcement waits after lists that showed no change, in milliseconds: doubles. */
const WAIT_MS = { first: 1000, longest: 5 * 60_000 };
/** Lists in a row without a change that cost nothing. */
const FREE = 3;

/** What is known of one list. */
interface ListState {
  last: string | undefined;
  /** It was announced since it was fetched last. */
  isDue: boolean;
  /** Announced lists in a row that were as before. */
  unchanged: number;
  isSaid: boolean;
  timer: Disposable | undefined;
}

/**
 * Slows down a server that announces after each list that the list has changed, although it hasn't: the first
 * announcements pass at once, later ones wait, longer each time. A list that did change begins anew. The last
 * announcement is never lost.
 */
export class IdleAnnouncements implements Disposable {
  readonly #clock: Clock;
  readonly #onSlow: (list: string) => void;
  readonly #lists = new Map<string, ListState>();

  /** @param onSlow called once per list */
  constructor(clock: Clock, onSlow: (list: string) => void) {
    this.#clock = clock;
    this.#onSlow = onSlow;
  }

  /** The list was fetched; `content` is the same for the same list, and short. */
  listed(list: string, content: string): void {
    const state = this.#of(list);
    if (state.last !== content) state.unchanged = 0;
    else if (state.isDue) state.unchanged += 1;
    state.isDue = false;
    state.last = content;
  }

  /** The server announced a change: `pass` is called at once, or later. */
  announced(list: string, pass: () => void): void {
    const state = this.#of(list);
    state.isDue = true;
    if (state.timer) return;
    const over = state.unchanged - FREE;
    if (over < 0) return pass();
    if (!state.isSaid) this.#onSlow(list);
    state.isSaid = true;
    state.timer = this.#clock.schedule(Math.min(WAIT_MS.longest, WAIT_MS.first * 2 ** over), () => {
      state.timer = undefined;
      state.isDue = true;
      pass();
    });
  }

  dispose(): void {
    for (const { timer } of this.#lists.values()) timer?.dispose();
    this.#lists.clear();
  }

  #of(list: string): ListState {
    const state = this.#lists.get(list) ?? {
      last: undefined,
      isDue: false,
      unchanged: 0,
      isSaid: false,
      timer: undefined,
    };
    this.#lists.set(list, state);
    return state;
  }
}
