import { deferred, onAbort } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import type { Installing } from './installing/startStep.ts';
import type { ConnectionFailure, ConnectionState, ServerInfo } from './connectionTypes.ts';
import { recased, say } from '../base/say.ts';

/** What happens to a connection. Times are milliseconds since the epoch. */
export type ConnectionEvent =
  | { readonly kind: 'start'; readonly at: number; readonly hint?: string }
  /** What starts it fetches or builds it. */
  | ({ readonly kind: 'installing'; readonly at: number } & Installing)
  /** Its own process runs. */
  | { readonly kind: 'begun'; readonly at: number }
  /** What it waits for, to show; `undefined`: nothing in particular. */
  | { readonly kind: 'hint'; readonly hint: string | undefined }
  | { readonly kind: 'opened'; readonly at: number; readonly info: ServerInfo; readonly listError?: string }
  /** A request was refused without an account; the others are answered. */
  | { readonly kind: 'account-needed' }
  /** Its tools were listed again; `listError`: why that failed. */
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
 * The state after `event`. Pure. An event that a state doesn't know returns the same object.
 */
export function transition(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.kind) {
    case 'start':
      if (isStarting(state) || state.kind === 'connected') return state;
      return { kind: 'connecting', since: event.at, ...withHint(event.hint) };
    case 'installing': {
      if (!isStarting(state)) return state;
      const { kind, at, ...what } = event;
      const isSame = state.kind === 'installing' && state.progress === what.progress && state.what === what.what;
      return isSame ? state : { kind, since: state.kind === 'installing' ? state.since : at, ...what };
    }
    case 'begun':
      return state.kind === 'installing' ? { kind: 'connecting', since: event.at } : state;
    case 'hint':
      if (state.kind !== 'connecting' || state.hint === event.hint) return state;
      return { kind: 'connecting', since: state.since, ...withHint(event.hint) };
    case 'opened':
      if (!isStarting(state)) return state;
      return { kind: 'connected', since: event.at, info: event.info, ...withListError(event.listError) };
    case 'account-needed':
      return state.kind === 'connected' && !state.accountNeeded ? { ...state, accountNeeded: true } : state;
    case 'listed': {
      if (state.kind !== 'connected' || state.listError === event.listError) return state;
      const { listError: _before, ...rest } = state;
      return { ...rest, ...withListError(event.listError) };
    }
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

/** Whether the state may become `connected` by itself, so that a call may wait. */
export function isUnderWay(state: ServerState): boolean {
  return isStarting(state) || state.kind === 'pending';
}

/** Whether an attempt to connect is under way. */
export function isStarting(
  state: ServerState,
): state is Extract<ConnectionState, { readonly kind: 'connecting' | 'installing' }> {
  return state.kind === 'connecting' || state.kind === 'installing';
}

/** A server's state: what its definition rules out, else the state of its connection (design: *Connections*). */
export type ServerState =
  | { readonly kind: 'disabled'; readonly reason: string }
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      readonly needsApproval: boolean;
      /** The workspace isn't trusted, which the reason says first: the word that matters has to fit a narrow row. */
      readonly byTrust?: boolean;
      /** The rule of a list that blocks it, and the file that the rule stands in. */
      readonly rule?: string;
      readonly file?: string;
    }
  | { readonly kind: 'shadowed'; readonly reason: string }
  | { readonly kind: 'problem'; readonly reason: string }
  | ConnectionState;

/**
 * A state in a few words, for the tree, a tooltip, a log or the model.
 *
 * @param now milliseconds since the epoch; adds how long it has been connecting, or when the next attempt comes
 */
export function describeState(state: ServerState, now?: number): string {
  switch (state.kind) {
    case 'disabled':
      return capitalized(state.reason);
    case 'blocked':
      return state.needsApproval || state.byTrust ? capitalized(state.reason) : say`Blocked: ${state.reason}`;
    case 'shadowed':
      return say`Shadowed: ${state.reason}`;
    case 'problem':
      return say`Configuration error: ${state.reason}`;
    case 'connecting':
      return startText(say`Connecting`, state.since, now, state.hint);
    case 'installing': {
      const { what, tool } = state;
      const text = what === undefined ? say`Installing with ${tool}` : say`Installing ${what} with ${tool}`;
      return startText(text, state.since, now, state.progress);
    }
    case 'connected':
      if (state.listError) return say`Connected; listing tools failed: ${state.listError}`;
      return state.accountNeeded ? say`Connected; some of it needs a sign-in` : say`Connected`;
    case 'pending': {
      const { attempt, maxAttempts, failure } = state;
      if (now === undefined) return say`Reconnecting (attempt ${attempt} of ${maxAttempts}): ${failure.message}`;
      const next = seconds(Math.max(0, state.nextAttemptAt - now));
      return say`Reconnecting (attempt ${attempt} of ${maxAttempts} in ${next}): ${failure.message}`;
    }
    case 'needs-auth':
      return say`Needs sign-in: ${state.failure.message}`;
    case 'failed':
      return say`Failed: ${state.failure.message}`;
    case 'disconnected':
      return say`Disconnected`;
  }
}

function startText(what: string, since: number, now: number | undefined, hint: string | undefined): string {
  const text = now === undefined ? what : say`${what} for ${seconds(now - since)}`;
  return hint ? say`${text} (${hint})` : text;
}

function capitalized(text: string): string {
  return recased(text, (first) => first.toUpperCase());
}

/** Only a connection under way or established can be lost. */
function isLive(state: ConnectionState): boolean {
  return isStarting(state) || state.kind === 'connected';
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

/** Holds the state of one connection. Only `apply` changes it, as `transition` says. */
export class StateKeeper implements Disposable {
  #state: ConnectionState = { kind: 'disconnected' };
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onState: (previous: ConnectionState) => void;
  readonly #changed = new Emitter<void>();

  constructor(clock: Clock, logger: Logger, onState: (previous: ConnectionState) => void) {
    this.#clock = clock;
    this.#logger = logger;
    this.#onState = onState;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  apply(event: ConnectionEvent): void {
    const previous = this.#state;
    const next = transition(previous, event);
    if (next === previous) return;
    this.#state = next;
    const isProgress = next.kind === 'installing' && previous.kind === 'installing';
    if (next.kind !== 'connected' && next.kind !== 'connecting' && !isProgress) {
      this.#logger.log(next.kind === 'failed' ? 'error' : 'info', describeState(next, this.#clock.now()));
    }
    this.#onState(previous);
    this.#changed.fire();
  }

  /**
   * Waits until it no longer connects, `waitMs` have passed, or the signal aborts.
   * @param connectMs how long an attempt that is under way may take beside that
   */
  async settled(waitMs: number, signal: AbortSignal | undefined, connectMs = 0): Promise<void> {
    if (connectMs > 0) await this.#wait(connectMs, signal, ({ kind }) => kind !== 'connecting');
    await this.#wait(waitMs, signal, (state) => !isUnderWay(state));
  }

  async #wait(
    waitMs: number,
    signal: AbortSignal | undefined,
    isOver: (state: ConnectionState) => boolean,
  ): Promise<void> {
    if (isOver(this.#state) || signal?.aborted) return;
    const done = deferred<void>();
    const store = new DisposableStore();
    store.add(this.#clock.schedule(waitMs, () => done.resolve()));
    store.add(this.#changed.event(() => isOver(this.#state) && done.resolve()));
    if (signal) store.add(onAbort(signal, () => done.resolve()));
    await done.promise;
    store.dispose();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
