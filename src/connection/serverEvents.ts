import type { ConnectionFailure, ConnectionState } from './connectionTypes.ts';

/** An event of a server's connection. `durationMs`: of the state that ended. */
export type ServerEvent = { readonly id: string; readonly name: string; readonly at: number } & (
  | { readonly kind: 'server.connecting' }
  | { readonly kind: 'server.connected'; readonly durationMs: number; readonly toolCount: number }
  | { readonly kind: 'server.disconnected'; readonly durationMs: number }
  | { readonly kind: 'server.error'; readonly durationMs: number; readonly failure: ConnectionFailure }
);

/** The events that a change of state means, in order. Pure. */
export function eventsOf(
  server: { readonly id: string; readonly name: string },
  previous: ConnectionState,
  next: ConnectionState,
  toolCount: number,
  at: number,
): readonly ServerEvent[] {
  if (previous.kind === next.kind) return [];
  const base = { id: server.id, name: server.name, at };
  const durationMs = 'since' in previous ? Math.max(0, at - previous.since) : 0;
  // A fetch is a part of connecting.
  if (next.kind === 'installing' || (previous.kind === 'installing' && next.kind === 'connecting')) return [];
  if (next.kind === 'connecting') return [{ ...base, kind: 'server.connecting' }];
  if (next.kind === 'connected') return [{ ...base, kind: 'server.connected', durationMs, toolCount }];
  const events: ServerEvent[] = [];
  if (previous.kind === 'connected') events.push({ ...base, kind: 'server.disconnected', durationMs });
  if ('failure' in next) events.push({ ...base, kind: 'server.error', durationMs, failure: next.failure });
  return events;
}
