/** Something that happened between a server and us, as a page has it. Texts are without secrets, and otherwise as they came. */
export interface EventRow {
  /** Counts up; unique. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly server: string;
  /** Counts up with each attempt to connect: ids of requests are unique within it. */
  readonly connection: number;
  /** `sent` and `received` are messages; `log` is a line of stderr, `other` a state, a decision or a step of a sign-in. */
  readonly kind: 'sent' | 'received' | 'log' | 'other';
  /** Of a request or a notification; empty of an answer; of anything else, what it is. */
  readonly method: string;
  /** JSON-RPC id as JSON; empty where there is none. With `other`: of the request that ended without an answer. */
  readonly id: string;
  readonly isError: boolean;
  /** The message as JSON, or the line. */
  readonly text: string;
  /** What is known beside it: era, call, what was decided, attempt, HTTP status and headers, size; may be empty. */
  readonly note: string;
  /** Whether a command of a shell could send it again. */
  readonly canCurl: boolean;
}
