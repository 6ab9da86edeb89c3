import type { HttpFrame } from '../recording/recordedEvent.ts';
import type { RawMessage } from './readMessages.ts';

/** A message that came in the answer to an HTTP request. */
export interface InboxMessage {
  readonly message: RawMessage;
  /** The id of the request that it came in the answer to. */
  readonly requestId?: () => string | number | undefined;
  /** What the server sent, where the message is made here in place of it. */
  readonly came?: RawMessage;
  /** The text of what the server sent, where that is one message. */
  readonly text?: string | undefined;
  /** The answer, without its body. */
  readonly http?: () => HttpFrame;
}

const METHOD = 'notifications/mcp-switchboard/inbox';
const KEY = 'mcp-switchboard/inbox';

/**
 * Messages on their way past the SDK's HTTP transports, which would parse them again and drop what isn't right: they get a
 * place holder that stands for the message, and the guard takes the message from here.
 */
export class Inbox {
  readonly #messages = new Map<number, InboxMessage>();
  #count = 0;

  /** Keeps the message and gives the place holder: an answer where the message is one, else a notification. */
  put(entry: InboxMessage): object {
    const ticket = ++this.#count;
    this.#messages.set(ticket, entry);
    const { message } = entry;
    const isAnswer = 'result' in message || 'error' in message;
    return isAnswer
      ? { jsonrpc: '2.0', id: 0, result: { _meta: { [KEY]: ticket } } }
      : { jsonrpc: '2.0', method: METHOD, params: { _meta: { [KEY]: ticket } } };
  }

  /** The message that a place holder stands for. */
  take(holder: object): InboxMessage | undefined {
    const { result, params } = holder as { result?: { _meta?: object }; params?: { _meta?: object } };
    const ticket: unknown = Reflect.get((result ?? params)?._meta ?? {}, KEY);
    if (typeof ticket !== 'number') return undefined;
    const entry = this.#messages.get(ticket);
    this.#messages.delete(ticket);
    return entry;
  }
}
