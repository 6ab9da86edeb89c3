import type { ConnectionFailure, ConnectionState, ServerInfo } from './connectionTypes.ts';

/** What happens to a connection. Times are milliseconds since the epoch. */
export type ConnectionEvent =
  | { readonly kind: 'start'; readonly at: number; readonly hint?: string }
  /** What it waits for, for people; `undefined`: nothing in particular. */
  | { readonly kind: 'hint'; readonly hint: string | undefined }
  | { readonly kind: 'opened'; readonly at: number; readonly info: ServerInfo; readonly listError?: string }
  /** Its tools were listed again; `listError` where that failed. */
  | { readonly kind: 'listed'; readonly listError: string | undefined }
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly nextAttemptAt: number;
      readonly failure: ConnectionFailure;
    }
  | { readonly kind: 'auth-required'; readonly failure: ConnectionFailure }
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure }
  | { readonly kind: 'stopped' };

/**
 * The state after `event`. Pure. An event that makes no sense in a state leaves it as it is, and the very same object
 * comes back: nothing happened.
 */
export function transition(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.kind) {
    case 'start':
      if (state.kind === 'connecting' || state.kind === 'connected') return state;
      return { kind: 'connecting', since: event.at, ...withHint(event.hint) };
    case 'hint':
      if (state.kind !== 'connecting' || state.hint === event.hint) return state;
      return { kind: 'connecting', since: state.since, ...withHint(event.hint) };
    case 'opened':
      if (state.kind !== 'connecting') return state;
      return { kind: 'connected', since: event.at, info: event.info, ...withListError(event.listError) };
    case 'listed':
      if (state.kind !== 'connected' || state.listError === event.listError) return state;
      return { kind: 'connected', since: state.since, info: state.info, ...withListError(event.listError) };
    case 'retry': {
      if (!isLive(state)) return state;
      const { kind: _kind, ...next } = event;
      return { kind: 'pending', ...next };
    }
    case 'auth-required':
      return isLive(state) ? { kind: 'needs-auth', failure: event.failure } : state;
    case 'failed':
      return isLive(state) || state.kind === 'pending' ? { kind: 'failed', failure: event.failure } : state;
    case 'stopped':
      return state.kind === 'disconnected' ? state : { kind: 'disconnected' };
  }
}

/** Whether a call may wait for this state to become `connected` by itself. */
export function isUnderWay(state: ConnectionState): boolean {
  return state.kind === 'connecting' || state.kind === 'pending';
}

/** For people: the state in a few words, with the next attempt where there is one. */
export function describeState(state: ConnectionState, now: number): string {
  switch (state.kind) {
    case 'disconnected':
      return 'not connected';
    case 'connecting':
      return `still connecting, for ${seconds(now - state.since)}${state.hint ? ` (${state.hint})` : ''}`;
    case 'connected':
      return 'connected';
    case 'pending': {
      const next = Math.max(0, state.nextAttemptAt - now);
      return `reconnecting (attempt ${state.attempt} of ${state.maxAttempts} in ${seconds(next)}): ${state.failure.message}`;
    }
    case 'needs-auth':
      return `waiting for a sign-in: ${state.failure.message}`;
    case 'failed':
      return `not connected: ${state.failure.message}`;
  }
}

/** A connection that is being made or holds can be lost; others can't. */
function isLive(state: ConnectionState): boolean {
  return state.kind === 'connecting' || state.kind === 'connected';
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function withHint(hint: string | undefined): { readonly hint?: string } {
  return hint === undefined ? {} : { hint };
}

function withListError(listError: string | undefined): { readonly listError?: string } {
  return listError === undefined ? {} : { listError };
}
