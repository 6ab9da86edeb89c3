import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client';
import { deferred } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { jsonDigest } from '../../../base/json/jsonPieces.ts';
import type { Logger } from '../../../base/log.ts';
import { inSlices } from '../../../base/timeSlices.ts';
import { Coalescer } from './coalescer.ts';
import { IdleAnnouncements } from './idleAnnouncements.ts';
import { ReopenPauses } from './streamReopenPauses.ts';
import type { ServerInfo, ServerNotification } from '../../connectionTypes.ts';

/** Which list is fetched anew after an announcement. */
const LIST_OF: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'tools/list'],
  ['notifications/prompts/list_changed', 'prompts/list'],
  ['notifications/resources/list_changed', 'resources/list'],
]);
const LISTS: ReadonlySet<string> = new Set(LIST_OF.values());

interface Subscription {
  users: number;
  readonly opened: Promise<Disposable>;
}

/**
 * The notifications of a server, in either era: servers before 2026-07-28 send them unasked and take
 * `resources/subscribe`; later ones send what a `subscriptions/listen` stream asks for.
 */
export class ServerNotifications implements Disposable {
  readonly #client: Client;
  readonly #info: ServerInfo;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #disposables = new DisposableStore();
  readonly #emitter = this.#disposables.add(new Emitter<ServerNotification>());
  readonly onNotification: Event<ServerNotification> = this.#emitter.event;
  readonly #changes: Coalescer<ServerNotification>;
  readonly #announcements: IdleAnnouncements;

  constructor(client: Client, info: ServerInfo, clock: Clock, logger: Logger) {
    this.#client = client;
    this.#info = info;
    this.#clock = clock;
    this.#logger = logger;
    this.#changes = this.#disposables.add(new Coalescer(clock, (change) => this.#emitter.fire(change)));
    this.#announcements = this.#disposables.add(
      new IdleAnnouncements(clock, (list) =>
        logger.log('warning', `The server says again and again that ${list} changed: less heed is paid.`),
      ),
    );
    const changed = ({ method }: { readonly method: string }): void => this.tell({ method });
    client.setNotificationHandler('notifications/tools/list_changed', changed);
    client.setNotificationHandler('notifications/prompts/list_changed', changed);
    client.setNotificationHandler('notifications/resources/list_changed', changed);
    client.setNotificationHandler('notifications/resources/updated', ({ method, params }) =>
      this.tell({ method, params: { uri: params.uri } }),
    );
    const { filter, methods } = announced(client);
    if (info.era !== 'modern' || methods.length === 0) return;
    this.#disposables.add(
      new ListenStream(client, filter, clock, logger, () => {
        for (const method of methods) this.tell({ method });
      }),
    );
  }

  /** A list or a resource changed. */
  tell(change: ServerNotification): void {
    const add = (): void => this.#changes.add(JSON.stringify(change), change);
    const list = LIST_OF.get(change.method);
    if (list === undefined) add();
    else this.#announcements.announced(list, add);
  }

  /** A list, e.g. `tools/list`, was fetched. What it holds is compared with what it held before. */
  async listed(method: string, content: unknown): Promise<void> {
    if (LISTS.has(method)) this.#announcements.listed(method, await inSlices(jsonDigest(content)));
  }

  /** An entry of the server's log. */
  tellLog(params: JsonObject): void {
    this.#emitter.fire({ method: 'notifications/message', params });
  }

  /**
   * Subscribes to changes of a resource, once for all callers, until the last one disposes.
   * @throws what the SDK throws where the server refuses
   */
  async subscribe(uri: string, timeoutMs: number): Promise<Disposable> {
    let subscription = this.#subscriptions.get(uri);
    if (!subscription) {
      subscription = { users: 0, opened: this.#open(uri, timeoutMs) };
      this.#subscriptions.set(uri, subscription);
    }
    const { opened } = subscription;
    subscription.users += 1;
    const leave = (): void => {
      subscription.users -= 1;
      if (subscription.users > 0 || this.#subscriptions.get(uri) !== subscription) return;
      this.#subscriptions.delete(uri);
      void opened.then((open) => open.dispose()).catch(() => undefined);
    };
    try {
      await opened;
    } catch (error) {
      leave();
      throw error;
    }
    return toDisposable(leave);
  }

  async #open(uri: string, timeoutMs: number): Promise<Disposable> {
    if (this.#info.era === 'legacy') {
      await this.#client.subscribeResource({ uri }, { timeout: timeoutMs });
      return toDisposable(() => void this.#unsubscribe(uri, timeoutMs));
    }
    const updated = { method: 'notifications/resources/updated', params: { uri } } as const;
    const stream = new ListenStream(this.#client, { resourceSubscriptions: [uri] }, this.#clock, this.#logger, () =>
      this.tell(updated),
    );
    try {
      await stream.opened;
      return this.#disposables.add(stream);
    } catch (error) {
      stream.dispose();
      throw error;
    }
  }

  async #unsubscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.#disposables.isDisposed) return;
    await this.#client.unsubscribeResource({ uri }, { timeout: timeoutMs }).catch(() => undefined);
  }

  /** Subscriptions end with the connection. */
  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The list changes that the server declares: as the stream's filter, and as notifications. */
function announced(client: Client): { readonly filter: SubscriptionFilter; readonly methods: readonly string[] } {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const lists = { tools, prompts, resources };
  const names = (['tools', 'prompts', 'resources'] as const).filter((name) => lists[name]?.listChanged === true);
  return {
    filter: Object.fromEntries(names.map((name) => [`${name}ListChanged`, true])),
    methods: names.map((name) => `notifications/${name}/list_changed`),
  };
}

/**
 * A `subscriptions/listen` stream of a server of 2026-07-28, opened again when it ends (`ReopenPauses`). What comes on it goes to the
 * client's notification handlers.
 */
class ListenStream implements Disposable {
  readonly #client: Client;
  readonly #filter: SubscriptionFilter;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onAgain: () => void;
  readonly #closing = new AbortController();
  readonly #opened = deferred<void>();
  #timer: Disposable | undefined;
  readonly #pauses: ReopenPauses;

  /** @param onAgain the stream is open again; what changed in between was not announced */
  constructor(client: Client, filter: SubscriptionFilter, clock: Clock, logger: Logger, onAgain: () => void) {
    this.#client = client;
    this.#filter = filter;
    this.#clock = clock;
    this.#logger = logger;
    this.#onAgain = onAgain;
    this.#pauses = new ReopenPauses(clock);
    this.#opened.promise.catch(() => undefined);
    void this.#listen(false);
  }

  /** Settles with the first attempt. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  dispose(): void {
    this.#closing.abort('no longer needed');
    this.#timer?.dispose();
  }

  async #listen(again: boolean): Promise<void> {
    const { signal } = this.#closing;
    this.#pauses.opened();
    try {
      const stream = await this.#client.listen(this.#filter, { signal });
      this.#opened.resolve();
      if (again) this.#onAgain();
      await stream.closed;
    } catch (error) {
      this.#opened.reject(error);
      this.#logger.log('debug', `subscriptions/listen: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (signal.aborted) return;
    const pauseMs = this.#pauses.next();
    if (pauseMs === undefined) {
      this.#logger.log('warning', 'The server ends subscriptions/listen again and again. It stays closed.');
      return;
    }
    this.#timer = this.#clock.schedule(pauseMs, () => void this.#listen(true));
  }
}
