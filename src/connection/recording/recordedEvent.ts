/** An answer over HTTP, as far as it can be shown: what a header says is masked unless the header is known to hold no secret. */
export interface HttpFrame {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a request is sent for. */
export interface SentFor {
  /** As that of `decision`. */
  readonly callId: string;
  /** How many requests were sent for the call, with this one. */
  readonly attempt: number;
  /** Why the one before failed, by the code of its error. */
  readonly after?: string;
}

/** What happened, by its kind. Texts are as they came: `maskedEvent` takes the secrets out before one is shown or saved. */
export type RecordedWhat =
  | {
      readonly kind: 'message';
      readonly direction: 'sent' | 'received';
      /** The JSON-RPC message, as it was sent or came. Not to be changed. */
      readonly message: object;
      /** About its size as JSON, in bytes; where it is larger than `MAX_HELD`, that it is. */
      readonly bytes: number;
      /** It was too large to keep: only `jsonrpc`, `id` and `method` are left of it. */
      readonly cut?: true;
      readonly http?: HttpFrame;
      /** The call that the request is sent for. */
      readonly call?: SentFor;
    }
  /** A request of ours that ended without an answer of the server. */
  | {
      readonly kind: 'unanswered';
      readonly id: string | number;
      readonly method: string;
      /** A word for what happened: `http`, `stream-ended`, `too-large`, `ECONNRESET` … */
      readonly reason: string;
      /** HTTP status, where one came. */
      readonly status?: number;
    }
  /** A state of the connection, by its `kind` (`ConnectionState`), and why it is in it. */
  | { readonly kind: 'state'; readonly state: string; readonly reason?: string }
  /** A line that a local server wrote on stderr. */
  | { readonly kind: 'stderr'; readonly line: string }
  /** What was decided about a call or a request: `allow`, `deny`, `queued`, or the user's answer. */
  | {
      readonly kind: 'decision';
      readonly callId: string;
      readonly method: string;
      /** The server's own name for it. */
      readonly tool: string;
      readonly outcome: string;
      readonly why: string;
    }
  /** A step of a sign-in: never a parameter, a header or a body. `ms`: how long a request took. */
  | { readonly kind: 'signIn'; readonly step: string; readonly detail: string; readonly ms?: number };

/** Something that happened between a server and us, as the inspector shows it and a recording keeps it. */
export interface RecordedEvent {
  /** Counts up within the process. */
  readonly seq: number;
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number;
  /** The server's id (`ServerDefinition.id`). */
  readonly server: string;
  /** Counts up with each link that is opened: ids of messages are unique within it. 0: there was none yet. */
  readonly connection: number;
  readonly what: RecordedWhat;
}
