import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** How long an announcement waits after lists that showed no change, in milliseconds: doubles. */
const WAIT_MS = { first: 1000, longest: 5 * 60_000 };
/** Lists in a row without a change that cost nothing. */
const FREE = 3;
/** A list that comes and goes within this time, in milliseconds, hasn't changed; one that somebody switches has. */
const SOON_MS = 5000;
/** A server that announces later than this after the last list, in milliseconds, isn't slowed down: once a minute costs little. */
const RESTED_MS = 30_000;
/** So many of the last contents of a list are remembered. */
const RECENT = 4;
/** Lists in a row that did change, each announced within `SOON_MS` of the one before, that cost nothing; how much others count. */
const HURRIED = { free: 30, most: FREE + 6 };

/** What is known of one list. */
interface ListState {
  /** Its last contents, the latest first. */
  recent: readonly string[];
  listedAt: number;
  /** How long the last announcement waited, in milliseconds. */
  waitedMs: number;
  /** It was announced since it was fetched last. */
  isDue: boolean;
  /** Announced lists in a row that were as before, or count as if. */
  unchanged: number;
  /** Announced lists in a row that were others, right after the one before. */
  hurried: number;
  isSaid: boolean;
  timer: Disposable | undefined;
}

/**
 * Slows down a server that announces after each list that the list has changed, although it hasn't, or only to what it was
 * a moment ago: the first announcements pass at once, later ones wait, longer each time. A list that did change begins anew,
 * unless it does so each time that it is fetched, and so does a server that rested. The last announcement is never lost.
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
    const isSoon = this.#restedMs(state) <= SOON_MS;
    const isKnown = state.recent[0] === content || (isSoon && state.recent.includes(content));
    if (isKnown) state.unchanged += state.isDue ? 1 : 0;
    else {
      state.hurried = isSoon && state.isDue ? state.hurried + 1 : 0;
      state.unchanged = Math.min(HURRIED.most, Math.max(0, state.hurried - HURRIED.free));
    }
    state.isDue = false;
    state.waitedMs = 0;
    state.listedAt = this.#clock.now();
    state.recent = [content, ...state.recent.filter((each) => each !== content)].slice(0, RECENT);
  }

  /** The server announced a change: `pass` is called at once, or later. */
  announced(list: string, pass: () => void): void {
    const state = this.#of(list);
    state.isDue = true;
    if (state.timer) return;
    if (this.#restedMs(state) > (state.hurried > 0 ? SOON_MS : RESTED_MS)) {
      state.hurried = 0;
      state.unchanged = 0;
    }
    const over = state.unchanged - FREE;
    if (over < 0) return pass();
    if (!state.isSaid) this.#onSlow(list);
    state.isSaid = true;
    const waitMs = Math.min(WAIT_MS.longest, WAIT_MS.first * 2 ** over);
    state.timer = this.#clock.schedule(waitMs, () => {
      state.timer = undefined;
      state.waitedMs = waitMs;
      state.isDue = true;
      pass();
    });
  }

  dispose(): void {
    for (const { timer } of this.#lists.values()) timer?.dispose();
    this.#lists.clear();
  }

  /** How long ago the list was fetched, apart from what the next one was made to wait. */
  #restedMs({ listedAt, waitedMs }: ListState): number {
    return this.#clock.now() - listedAt - waitedMs;
  }

  #of(list: string): ListState {
    const state = this.#lists.get(list) ?? {
      recent: [],
      listedAt: 0,
      waitedMs: 0,
      isDue: false,
      unchanged: 0,
      hurried: 0,
      isSaid: false,
      timer: undefined,
    };
    this.#lists.set(list, state);
    return state;
  }
}
