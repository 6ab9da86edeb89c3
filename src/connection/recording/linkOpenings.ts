import type { RecordedEvent } from './recordedEvent.ts';

/** So many messages open a link at most, a probe of the other era included. */
const MOST_MESSAGES = 8;
/** What a message may take, in bytes: the instructions of a server are the largest part. */
const MAX_BYTES = 64 * 1024;
const OPENING: ReadonlySet<unknown> = new Set(['initialize', 'server/discover', 'notifications/initialized']);

/** The messages that opened the last link of each server: without them, what came later can't be replayed. */
export class LinkOpenings {
  readonly #kept = new Map<string, { readonly link: number; readonly events: RecordedEvent[]; isOver: boolean }>();

  /** Another link of the server is about to be opened. */
  begin(server: string, link: number): void {
    this.#kept.set(server, { link, events: [], isOver: false });
  }

  /** Whether a message is part of what opens a link; the first one of ours that isn't ends that. */
  isPart(server: string, link: number, direction: 'sent' | 'received', message: object): boolean {
    const kept = this.#kept.get(server);
    if (kept?.link !== link || kept.isOver) return false;
    const { method } = message as { readonly method?: unknown };
    if (direction === 'received') return method === undefined;
    kept.isOver = !OPENING.has(method) || kept.events.length >= MOST_MESSAGES;
    return !kept.isOver;
  }

  /** Keeps such a message. @param bytes about its size */
  keep(event: RecordedEvent, bytes: number): void {
    const events = this.#kept.get(event.server)?.events;
    if (events && events.length < MOST_MESSAGES && bytes <= MAX_BYTES) events.push(event);
  }

  /** What opened the last link of a server, in order. */
  of(server: string): readonly RecordedEvent[] {
    return this.#kept.get(server)?.events ?? [];
  }
}
