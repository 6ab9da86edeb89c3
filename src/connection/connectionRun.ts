import { deferred, type Deferred } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { ConnectError } from './connectionFailure.ts';
import type { ConnectionState } from './connectionTypes.ts';

/** From a start to the stop that ends it, over all reconnections. */
export class ConnectionRun {
  readonly abort = new AbortController();
  /** What the present attempt came to. */
  outcome: Deferred<ConnectionState> = deferred();
  /** Reconnections in a row. */
  attempts = 0;
  connectedAt = 0;
  /** Nobody asked for the next attempt: it needn't be made where the answer is known. */
  isAutomatic = false;
  /** It was not made for that reason. */
  refused = false;
  timer: Disposable | undefined;
  /** Settles when the present attempt has left nothing running. Never rejects. */
  attempt: Promise<void> = Promise.resolve();
  readonly session = new DisposableStore();

  end(): void {
    this.abort.abort(new ConnectError('not-connected', 'Stopped.'));
    this.timer?.dispose();
    this.session.dispose();
  }
}
