import { deferred, type Deferred } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { ConnectError } from './connectionFailure.ts';
import type { ConnectionState } from './connectionTypes.ts';

/** The attempts to connect a server, from a start to the stop. */
export class ConnectionAttempts {
  readonly abort = new AbortController();
  /** Resolves with the state that the current attempt leads to. */
  outcome: Deferred<ConnectionState> = deferred();
  /** Reconnections in a row. */
  inARow = 0;
  connectedAt = 0;
  /** The next attempt was not requested: it is skipped where the server refused a short while ago. */
  isAutomatic = false;
  /** It was skipped for that reason. */
  refused = false;
  timer: Disposable | undefined;
  /** Resolves when the current attempt has ended. Never rejects. */
  current: Promise<void> = Promise.resolve();
  readonly session = new DisposableStore();

  end(): void {
    this.abort.abort(new ConnectError('not-connected', 'Stopped.'));
    this.timer?.dispose();
    this.session.dispose();
  }
}
