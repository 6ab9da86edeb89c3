/** A call that a script made. Once made, nothing that the script does can change it. */
export interface ScriptCall {
  /** Its place among the script's calls, from 0. */
  readonly id: number;
  /** As the script names the tool. */
  readonly name: string;
  /** The arguments as JSON, written at the moment of the call. */
  readonly args: string;
}

/** What came of a call: a value as JSON, or the text of an error. */
export interface ScriptAnswer {
  readonly id: number;
  readonly isError: boolean;
  readonly text: string;
}

/** Answers that the script gets together. */
export type ScriptRound = readonly ScriptAnswer[];

/** What a script is started with: from the beginning, or up to where it stopped. */
export interface ScriptTask {
  readonly source: string;
  /** Callable names of the tools there are. */
  readonly names: readonly string[];
  /** The time in the script, in milliseconds since the epoch; it stands still. Seeds `Math.random`, too. */
  readonly at: number;
  /** What was answered before, in order. */
  readonly rounds: readonly ScriptRound[];
  /** The calls that it made before. It has to make the same ones again. */
  readonly calls: readonly ScriptCall[];
  readonly limits: typeof SCRIPT_LIMITS;
}

/** What the process is told: a script to begin with, then answers for it. */
export type ScriptMessage = { readonly task: ScriptTask } | { readonly round: ScriptRound };

/** Where a script is when it can't go on by itself. */
export interface ScriptState {
  /** Made since the state before. */
  readonly calls: readonly ScriptCall[];
  /** Set when it has ended. */
  readonly end?: ScriptEnd;
}

/** `result`: what it returned, as JSON; absent for nothing. `diverged`: it didn't make the calls again that it made before. */
export type ScriptEnd =
  | { readonly kind: 'returned'; readonly result?: string }
  | { readonly kind: 'threw'; readonly error: string }
  | { readonly kind: 'limit'; readonly limit: ScriptLimit }
  | { readonly kind: 'diverged' };

export type ScriptLimit = 'steps' | 'time' | 'calls' | 'arguments' | 'result';

/** The most that a script may take. */
export const SCRIPT_LIMITS = {
  /** Of its source, in characters. */
  source: 64 * 1024,
  /** Of the interpreter, in bytes. */
  memory: 64 * 1024 * 1024,
  stack: 256 * 1024,
  /** Tens of thousands of steps of the interpreter, from its beginning: what is repeated counts again. */
  steps: 10_000,
  /** Of work between two calls, in milliseconds. */
  timeMs: 3_000,
  calls: 200,
  /** Of the arguments of one call, and of the result, in characters of JSON. */
  json: 1024 * 1024,
  /** Of the arguments of all calls, and of all results of tools, in characters. */
  arguments: 16 * 1024 * 1024,
  answers: 16 * 1024 * 1024,
  /** How many calls one question may be about, and of how many characters of arguments. */
  batch: { calls: 100, json: 256 * 1024 },
  questions: 20,
} as const;
