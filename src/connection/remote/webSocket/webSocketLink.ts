import { deferred, type Deferred } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import { ConnectError, toFailure } from '../../connectionFailure.ts';
import type { ConnectionFailure } from '../../connectionTypes.ts';
import type { Link } from '../../serverLink.ts';
import type { StopGrace } from '../../process/stopGrace.ts';
import { GuardedTransport, type GuardOptions } from '../../protocol/guard/guardedTransport.ts';
import type { SdkFault } from '../../protocol/sdk.ts';
import { ending } from '../answers/answerText.ts';
import { asConnectError, type AuthorizedBy, needsAuth } from '../answers/httpRefusals.ts';
import { wantsSignIn } from '../answers/httpStatus.ts';
import { explainNetwork } from '../networkFault.ts';
import { UnusableUpgrade } from './requestUpgrade.ts';
import { UpgradeRefused, WebSocketTransport, type WebSocketTransportOptions } from './webSocketTransport.ts';
import { say } from '../../../base/say.ts';

export interface WebSocketLinkOptions extends WebSocketTransportOptions {
  readonly clock: Clock;
  readonly guardOptions: GuardOptions;
  readonly authorizedBy?: AuthorizedBy;
}

/** Time-out of the closing handshake. */
const CLOSE_MS = 1000;
/**
 * Close codes that stand for an HTTP status: *Unauthorized* and *Forbidden* as registered, and as servers write them that
 * open every WebSocket first.
 */
const REFUSALS: Readonly<Record<number, number>> = { 3000: 401, 4401: 401, 3003: 403, 4403: 403 };

/** A server over a WebSocket. */
export class WebSocketLink implements Link {
  readonly kind = 'ws';
  readonly pid = undefined;
  readonly transport: GuardedTransport;
  readonly #options: WebSocketLinkOptions;
  readonly #socket: WebSocketTransport;
  readonly #host: string;
  readonly #onLost = new Emitter<ConnectionFailure>();
  readonly onLost: Event<ConnectionFailure> = this.#onLost.event;
  readonly #closed: Deferred<void> = deferred();
  #stopped: Promise<void> | undefined;
  #lost: ConnectionFailure | undefined;

  constructor(options: WebSocketLinkOptions) {
    this.#options = options;
    this.#host = new URL(options.url).host;
    this.#socket = new WebSocketTransport(options);
    this.transport = new GuardedTransport(this.#socket, options.guardOptions);
    this.transport.onclose = () => this.#onClose();
    this.#socket.onoversized = (bytes, id) => this.transport.tooLarge(bytes, id);
    this.#socket.onunreadable = (id, reason) => void this.transport.unreadable(id, reason);
  }

  get lost(): ConnectionFailure | undefined {
    return this.#lost;
  }

  stderrTail(): readonly string[] {
    return [];
  }

  async explainHandshake(fault: SdkFault, error: unknown): Promise<ConnectError> {
    const host = this.#host;
    const { url, authorizedBy } = this.#options;
    const { failure: failed, closeCode = 0 } = this.#socket;
    if (failed instanceof SwitchboardError) return failed instanceof ConnectError ? failed : asConnectError(failed);
    if (failed instanceof UpgradeRefused) {
      const { status, said } = failed;
      if (wantsSignIn(status)) return needsAuth(host, status, error, said, authorizedBy);
      return new ConnectError('http-status', say`${host} refuses a WebSocket (HTTP ${status})${ending(said)}`, {
        remedy: say`Check the URL and the type of the server.`,
        cause: error,
        status,
      });
    }
    if (failed instanceof UnusableUpgrade)
      return new ConnectError('handshake-failed', say`${host} opens a WebSocket that can't be used.`, {
        remedy: say`Check that the URL is the MCP endpoint: its server must speak the WebSocket protocol (RFC 6455).`,
        cause: error,
      });
    if (failed !== undefined) return explainNetwork(new URL(url), failed, error);
    const refusal = REFUSALS[closeCode];
    if (refusal !== undefined) return needsAuth(host, refusal, error, undefined, authorizedBy);
    if (this.#lost) return new ConnectError('handshake-failed', this.#lost.message, { cause: error });
    const said =
      fault.kind === 'protocol' ? say` refused the handshake${ending(fault.message)}` : say`’s answer isn’t MCP.`;
    return new ConnectError('handshake-failed', `${host}${said}`, { cause: error });
  }

  stop(_grace: StopGrace): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  dispose(): void {
    this.#onLost.dispose();
  }

  async #stop(): Promise<void> {
    await this.transport.close();
    if (this.#socket.isClosed) return;
    const timer = this.#options.clock.schedule(CLOSE_MS, () => this.#closed.resolve());
    await this.#closed.promise;
    timer.dispose();
    // A server that doesn't close it has it closed.
    this.#socket.destroy();
  }

  #onClose(): void {
    this.#closed.resolve();
    if (this.#stopped || this.#lost) return;
    const code = this.#socket.closeCode ?? 0;
    this.#lost = toFailure(new ConnectError('connection-lost', say`${this.#host} closed the WebSocket (${code}).`));
    this.#onLost.fire(this.#lost);
  }
}
