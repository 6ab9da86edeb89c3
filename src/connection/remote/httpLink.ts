import { deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import { ConnectError, toFailure } from '../connectionFailure.ts';
import type { RequestAuthorization } from '../auth/requests/authorization.ts';
import type { ConnectionFailure } from '../connectionTypes.ts';
import type { Link } from '../serverLink.ts';
import type { StopGrace } from '../process/stopGrace.ts';
import { GuardedTransport, type GuardOptions } from '../protocol/guard/guardedTransport.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import { readAnswers } from '../reading/answerBodies.ts';
import { Inbox } from '../reading/inbox.ts';
import { type AuthorizedBy, needsAuth, signInPage } from './answers/httpRefusals.ts';
import { networkFailure } from './networkFault.ts';
import { FollowedRedirects } from './followedRedirects.ts';
import { type HttpTrouble, type StatusTrouble, type Watched, watchFetch } from './answers/httpStatus.ts';
import { ending } from './answers/answerText.ts';
import { LaterAnswers } from './laterAnswers.ts';
import { OpenStreams } from './openStreams.ts';
import { judgeBodies } from './answers/successBody.ts';
import { EndpointWatch } from './endpointWatch.ts';
import { explainHttpHandshake } from './httpHandshakeFailure.ts';
import type { Renewals } from './sessionRenewals.ts';
import { ReopenPauses } from '../session/notifications/streamReopenPauses.ts';
import { say } from '../../base/say.ts';

type Sdk = typeof import('../protocol/sdk.ts');

export interface HttpLinkOptions {
  readonly sdk: Sdk;
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly guardOptions: GuardOptions;
  /** A `headersHelper` can give new headers. */
  readonly renewable: boolean;
  /** Of the server, over all its sessions. */
  readonly renewals: Renewals;
  readonly authorizedBy?: AuthorizedBy;
  readonly authorization?: RequestAuthorization | undefined;
}

/** What a server of HTTP+SSE must send first. */
const ENDPOINT = say`its stream never named the address for messages (the event “endpoint”).`;
/** Time-out of the request that ends the session. */
const TERMINATE_MS = 1000;

/** A server over Streamable HTTP, or over HTTP+SSE as in 2024-11-05. */
export class HttpLink implements Link {
  readonly kind: 'http' | 'sse';
  readonly pid = undefined;
  readonly transport: GuardedTransport;
  readonly #url: URL;
  readonly #host: string;
  readonly #renewable: boolean;
  readonly #authorizedBy: AuthorizedBy;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #redirects = new FollowedRedirects((status) => this.#moved(status));
  readonly #endSession: () => Promise<void>;
  readonly #endpoint: EndpointWatch | undefined;
  readonly #onLost = new Emitter<ConnectionFailure>();
  readonly onLost: Event<ConnectionFailure> = this.#onLost.event;
  readonly #authorization: RequestAuthorization | undefined;
  readonly #onAccountNeeded = new Emitter<void>();
  readonly onAccountNeeded: Event<void> = this.#onAccountNeeded.event;
  accountNeeded = false;
  #lastStatus: StatusTrouble | undefined;
  /** The server asks for no new attempt before. */
  #notBefore = 0;
  #opened = false;
  #networkError: { readonly error: unknown } | undefined;
  readonly #pauses: ReopenPauses;
  readonly #later: LaterAnswers;
  #reopening: Disposable | undefined;
  #stopped: Promise<void> | undefined;
  #lostTimer: Disposable | undefined;
  #lost: ConnectionFailure | undefined;

  /** @throws TypeError where the URL isn't one */
  constructor(options: HttpLinkOptions) {
    const { sdk, kind } = options;
    const url = new URL(options.url);
    this.kind = kind;
    this.#url = url;
    this.#host = url.host;
    this.#renewable = options.renewable;
    this.#authorizedBy = options.authorizedBy;
    this.#authorization = options.authorization;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#pauses = new ReopenPauses(options.clock);
    this.#later = new LaterAnswers(
      options.clock,
      (id) => this.transport.waitsFor(id),
      (id) => this.transport.unreadable(id, NEVER_CAME),
    );
    this.#endpoint = kind === 'sse' ? new EndpointWatch(url) : undefined;
    const watched: Watched = {
      sessionInUrl: kind === 'sse',
      renewals: options.renewals,
      hasWorked: () => this.#opened,
      isLost: () => this.#lost !== undefined,
      onTrouble: (trouble) => this.#onTrouble(trouble),
      now: () => options.clock.now(),
      isAnonymous: (response) => options.authorization?.isAnonymous(response) ?? false,
    };
    const inbox = new Inbox();
    const guardOptions = { ...options.guardOptions, inbox };
    const streams = new OpenStreams((anyOpen) => this.#later.streamsChanged(anyOpen));
    const fetch = readAnswers(streams.around(this.#redirects.around(watchFetch(options.fetch, watched))), {
      inbox,
      kind,
      judge: judgeBodies(watched),
      mayComeLater: (requestId) => {
        if (streams.any) this.#later.accepted(requestId());
        return streams.any;
      },
      onEvent: (name, data) => this.#endpoint?.see(name, data),
      tolerate: guardOptions.tolerate,
    });
    const init = { fetch, requestInit: { headers: { ...options.headers } } };
    if (kind === 'http') {
      const http = new sdk.StreamableHTTPClientTransport(url, {
        ...init,
        reconnectionOptions: STREAM_RECONNECTION,
        reconnectionScheduler: (reopen, delayMs) => this.#reopen(reopen, delayMs),
      });
      this.#endSession = () => (http.sessionId === undefined ? Promise.resolve() : http.terminateSession());
      this.transport = new GuardedTransport(http, guardOptions);
    } else {
      const sse = new sdk.SSEClientTransport(url, init);
      this.#endSession = () => Promise.resolve();
      this.transport = new GuardedTransport(sse, guardOptions);
      // The event source reconnects by itself, but in a new session without a handshake.
      this.transport.onerror = (error) => {
        if (error instanceof sdk.SseError) {
          this.#lose(new ConnectError('connection-lost', say`${this.#host} closed its event stream.`));
        }
      };
    }
  }

  get lost(): ConnectionFailure | undefined {
    return this.#lost;
  }

  stderrTail(): readonly string[] {
    return [];
  }

  explainHandshake(fault: SdkFault, error: unknown): Promise<ConnectError> {
    return explainHttpHandshake({
      url: this.#url,
      fault,
      error,
      lastStatus: this.#lastStatus,
      networkError: this.#networkError,
      otherOrigin: this.#endpoint?.otherOrigin,
      authorizedBy: this.#authorizedBy,
    });
  }

  get waitsFor(): string | undefined {
    return this.#endpoint?.isFound === false ? ENDPOINT : undefined;
  }

  opened(): void {
    this.#opened = true;
    this.#redirects.keep();
    if (this.#authorization?.isOver) this.#needAccount();
  }

  async stop(_grace: StopGrace): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  dispose(): void {
    this.#lostTimer?.dispose();
    this.#reopening?.dispose();
    this.#later.dispose();
    this.#onLost.dispose();
    this.#onAccountNeeded.dispose();
  }

  async #stop(): Promise<void> {
    if (!this.#lost) {
      const waited = deferred<void>();
      const timer = this.#clock.schedule(TERMINATE_MS, () => waited.resolve());
      // Optional: the server ends the session by itself some day.
      await Promise.race([this.#endSession().catch(() => undefined), waited.promise]);
      timer.dispose();
    }
    await this.transport.close();
  }

  #onTrouble(trouble: HttpTrouble): void {
    if (this.#stopped) return;
    switch (trouble.kind) {
      case 'network':
        this.#networkError = trouble;
        this.#lose(networkFailure(this.#url, trouble.error));
        return;
      case 'renew':
        this.#lose(
          new ConnectError(
            'connection-lost',
            say`${this.#host} no longer accepts the session (HTTP ${trouble.status})${ending(trouble.said)}`,
          ),
          true,
        );
        return;
      case 'sign-in':
        if (this.#opened) this.#refused(trouble);
        return;
      case 'account':
        this.#needAccount();
        return;
      case 'status':
        this.#lastStatus = trouble;
        this.#notBefore = this.#clock.now() + (trouble.retryAfterMs ?? 0);
        this.#logger.log('debug', `HTTP ${trouble.status} from ${this.#host}`);
        return;
      case 'too-large':
        this.#logger.log(
          'error',
          `${this.#host} sent a message of ${trouble.bytes} bytes or more, which is over the limit.`,
        );
        this.transport.tooLarge(trouble.bytes, trouble.id);
        // The stream that belongs to no request is broken, and would be opened again and again.
        if (trouble.id === undefined)
          this.#lose(new ConnectError('connection-lost', say`${this.#host} sent a message that is over the limit.`));
    }
  }

  /** The stream ended: it is opened again, in the end no more. A call that waits for its answer doesn't wait longer. */
  #reopen(reopen: () => void, delayMs: number): () => void {
    const pauseMs = this.transport.isWaiting ? delayMs : this.#pauses.next();
    if (pauseMs === undefined) {
      this.#logger.log('warning', `${this.#host} closes its event stream again and again. It stays closed.`);
      return () => undefined;
    }
    const asked = this.#notBefore - this.#clock.now();
    const timer = this.#clock.schedule(Math.max(delayMs, pauseMs, asked), () => {
      this.#pauses.opened();
      reopen();
    });
    this.#reopening = timer;
    return () => timer.dispose();
  }

  /** Something is refused without an account. Known before the request fails, so that its caller finds the way out. */
  #needAccount(): void {
    this.accountNeeded = true;
    this.#onAccountNeeded.fire();
  }

  #moved(status: number): void {
    this.#lose(
      new ConnectError('connection-lost', say`${this.#host} moved to another address (HTTP ${status}).`),
      true,
    );
  }

  /** Headers of a `headersHelper` may have expired: a new attempt gets new ones. */
  #refused({ status, said }: SignInTrouble): void {
    if (this.#renewable)
      this.#lose(new ConnectError('connection-lost', say`${this.#host} requires new headers (HTTP ${status}).`), true);
    else if (status < 300) this.#lose(signInPage(this.#host, status, this.#lastStatus?.page?.title, undefined));
    else this.#lose(needsAuth(this.#host, status, undefined, said, this.#authorizedBy));
  }

  #lose(error: ConnectError, atOnce: boolean = false): void {
    if (this.#lost || this.#stopped) return;
    const failure = atOnce ? { ...toFailure(error), atOnce } : toFailure(error);
    this.#lost = failure;
    // Closing the link fails every request: the one that showed the loss must fail first, so that its caller learns
    // whether it can have run.
    this.#lostTimer = this.#clock.schedule(0, () => this.#onLost.fire(failure));
  }
}

type SignInTrouble = Extract<HttpTrouble, { readonly said?: string; readonly asked: unknown }>;

/** What is wrong with an answer that the server only accepted the request for. */
const NEVER_CAME = say`it is empty (HTTP 202), and the stream that one could come on is closed`;

/** The stream for notifications reconnects by itself; when it can't, `watchFetch` sees why. */
const STREAM_RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 1000,
};
