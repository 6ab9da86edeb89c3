// What a benchmark asks of each client of MCP servers that it compares.

/** How a server is reached: the command of a process, or a URL. */
export type Definition =
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** What a call came back with: `text` is all that a model can read, `error` is the text of a failure. */
export interface Said {
  readonly text: string;
  /** `hex`: the first bytes. */
  readonly images: readonly { readonly mimeType: string; readonly hex: string }[];
  readonly error?: string;
}

export type ListName = 'resources' | 'templates' | 'prompts';

/** A server that is connected. What a peer has no way to do rejects with `NotOffered`. */
export interface Session {
  /** Names of its tools, as the server has them. */
  tools(): Promise<readonly string[]>;
  call(tool: string): Promise<Said>;
  /** URIs, URI templates or names. */
  list(what: ListName): Promise<readonly string[]>;
  /** Asks whether the server is alive; any outcome is fine. */
  ping(): Promise<void>;
  /** Stops the server and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface Peer {
  readonly name: string;
  /** Rejects with an error whose message is all that the user is told. */
  open(definition: Definition): Promise<Session>;
  close(): Promise<void>;
}

export class NotOffered extends Error {}

/** Longer than any server here takes; who waits longer has lost the answer. */
export const LIMIT_MS = 6_000;

/** `promise`, or a rejection after a time. */
export async function within<T>(promise: Promise<T>, what: string, ms = LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end of ${what} within ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** An error with its causes, in one text. */
export function wholeMessage(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) messages.push(each.message);
  return messages.length > 0 ? messages.join(': ') : String(error);
}
