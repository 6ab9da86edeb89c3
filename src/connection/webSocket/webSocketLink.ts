import { deferred, type Deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { ConnectError, toFailure } from '../connectionFailure.ts';
import { GuardedTransport, type GuardHooks } from '../protocol/guardedTransport.ts';
import type { Link } from '../link.ts';
import { needsAuth } from '../http/httpLink.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import type { ConnectionFailure } from '../connectionTypes.ts';
import { WebSocketTransport, type WebSocketConstructor } from './webSocketTransport.ts';
import type { StopGrace } from '../process/stopGrace.ts';

export interface SocketLinkOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly webSocket: WebSocketConstructor;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly hooks: GuardHooks;
}

/** How long the other side may take for the closing handshake. */
const CLOSE_MS = 1000;
/** How long the request may take that finds out why a WebSocket was refused. */
const WHY_MS = 3000;

/** A server that is reached over a WebSocket. */
export class SocketLink implements Link {
  readonly kind = 'ws';
  readonly pid = undefined;
  readonly transport: GuardedTransport;
  readonly #options: SocketLinkOptions;
  readonly #socket: WebSocketTransport;
  readonly #host: string;
  readonly #onLost = new Emitter<ConnectionFailure>();
  readonly onLost: Event<ConnectionFailure> = this.#onLost.event;
  readonly #closed: Deferred<void> = deferred();
  #opened = false;
  #stopped: Promise<void> | undefined;
  #lost: ConnectionFailure | undefined;

  constructor(options: SocketLinkOptions) {
    this.#options = options;
    this.#host = new URL(options.url).host;
    this.#socket = new WebSocketTransport(options.webSocket, options.url, options.headers);
    this.transport = new GuardedTransport(this.#socket, options.hooks);
    this.transport.onclose = () => this.#onClose();
  }

  get lost(): ConnectionFailure | undefined {
    return this.#lost;
  }

  stderrTail(): readonly string[] {
    return [];
  }

  /** A WebSocket doesn't tell why it was refused; a plain request with the same headers does. */
  async explainHandshake(_fault: SdkFault, error: unknown): Promise<ConnectError> {
    if (this.#opened) {
      return new ConnectError('handshake-failed', `What ${this.#host} answered isn't MCP.`, { cause: error });
    }
    const status = await this.#askWhy();
    if (status === 401 || status === 403) return needsAuth(this.#host, status, error);
    if (status === undefined) {
      return new ConnectError('unreachable', `${this.#host} can't be reached.`, {
        remedy: 'Check that the server runs, and the URL.',
        cause: error,
      });
    }
    return new ConnectError('http-status', `${this.#host} refuses a WebSocket (HTTP ${status} to a plain request).`, {
      remedy: 'Check the URL and the type of the server.',
      cause: error,
      status,
    });
  }

  stop(_grace: StopGrace): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  dispose(): void {
    this.#onLost.dispose();
  }

  /** Called once the handshake is through. */
  opened(): void {
    this.#opened = true;
  }

  async #stop(): Promise<void> {
    await this.transport.close();
    if (this.#socket.closeCode !== undefined || !this.#opened) return;
    const timer = this.#options.clock.schedule(CLOSE_MS, () => this.#closed.resolve());
    await this.#closed.promise;
    timer.dispose();
  }

  #onClose(): void {
    this.#closed.resolve();
    if (this.#stopped || this.#lost) return;
    const code = this.#socket.closeCode ?? 0;
    this.#lost = toFailure(new ConnectError('connection-lost', `${this.#host} closed the WebSocket (${code}).`));
    this.#onLost.fire(this.#lost);
  }

  async #askWhy(): Promise<number | undefined> {
    const { fetch, url, headers } = this.#options;
    try {
      const response = await fetch(url.replace(/^ws/, 'http'), {
        headers: { ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(WHY_MS),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined;
    }
  }
}
