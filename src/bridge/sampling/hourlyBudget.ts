const HOUR_MS = 3_600_000;

/** How many requests each server may make in any hour. */
export class HourlyBudget {
  readonly #times = new Map<string, number[]>();

  /**
   * Takes one request of a server's budget.
   * @param now milliseconds since the epoch
   * @returns how long until there is one again, in milliseconds; 0: taken
   */
  take(serverId: string, limit: number, now: number): number {
    const recent = (this.#times.get(serverId) ?? []).filter((time) => time > now - HOUR_MS);
    this.#times.set(serverId, recent);
    if (recent.length < limit) {
      recent.push(now);
      return 0;
    }
    // Where nothing is allowed, nothing becomes free.
    const next = limit < 1 ? undefined : recent[recent.length - limit];
    return next === undefined ? HOUR_MS : next + HOUR_MS - now;
  }
}
