import type { RecordedEvent } from './recordedEvent.ts';

/** So many requests open a link at most, a probe of the other era included. */
const MOST_SENT = 8;
/** What all of it may take, in bytes: the instructions of a server are the largest part. */
const MAX_BYTES = 256 * 1024;
const OPENING: ReadonlySet<unknown> = new Set(['initialize', 'server/discover', 'notifications/initialized']);

interface Opening {
  readonly link: number;
  events: RecordedEvent[];
  /** Requests that have no answer yet. */
  readonly awaited: Set<unknown>;
  sent: number;
  bytes: number;
}

/** The messages that opened the last link of each server: without them, what came later can't be replayed. */
export class LinkOpenings {
  readonly #kept = new Map<string, Opening>();

  /** Another link of the server is about to be opened. */
  begin(server: string, link: number): void {
    this.#kept.set(server, { link, events: [], awaited: new Set(), sent: 0, bytes: 0 });
  }

  /** Whether a message is part of what opens a link: what asks for it before anything else is sent, and its answers. */
  isPart(server: string, link: number, direction: 'sent' | 'received', message: object): boolean {
    const kept = this.#kept.get(server);
    if (kept?.link !== link) return false;
    const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
    if (direction === 'received') return method === undefined && kept.awaited.delete(id);
    if (kept.sent >= MOST_SENT) return false;
    if (!OPENING.has(method)) {
      kept.sent = MOST_SENT;
      return false;
    }
    kept.sent += 1;
    if (id !== undefined) kept.awaited.add(id);
    return true;
  }

  /** Keeps such a message; where they are too large, none: half an opening opens nothing. @param bytes about its size in memory */
  keep(event: RecordedEvent, bytes: number): void {
    const kept = this.#kept.get(event.server);
    if (!kept) return;
    kept.bytes += bytes;
    if (kept.bytes <= MAX_BYTES) kept.events.push(event);
    else kept.events = [];
  }

  /** What opened the last link of a server, in order. */
  of(server: string): readonly RecordedEvent[] {
    return this.#kept.get(server)?.events ?? [];
  }
}
