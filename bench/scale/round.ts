/** So many servers with so many tools each; one after another in a process, the first to warm up. */
export interface Round {
  readonly servers: number;
  readonly tools: number;
  /** How long one piece of work takes is looked at all the time, which itself takes the processor. */
  readonly watched: boolean;
}

/** What a round took. */
export interface RoundFigures {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly longestSliceMs: number;
  /** The same less the engine's collecting of garbage. */
  readonly longestWorkMs: number;
  /** What one server's changed list takes, where that is measured. */
  readonly changeCpuMs: readonly number[];
}

export const ROUNDS: readonly Round[] = [
  { servers: 10, tools: 20, watched: false },
  { servers: 100, tools: 20, watched: false },
  { servers: 200, tools: 20, watched: false },
  { servers: 100, tools: 100, watched: true },
];
