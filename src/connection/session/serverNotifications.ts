import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import { ListenStream } from './listenStream.ts';
import type { ServerInfo, ServerNotification } from '../connectionTypes.ts';

interface Subscription {
  users: number;
  readonly opened: Promise<Disposable>;
}

/**
 * What a server says unasked, in either era: servers before 2026-07-28 send notifications as they like and take
 * `resources/subscribe`; later ones say only what a `subscriptions/listen` stream asks for.
 */
export class ServerNews implements Disposable {
  readonly #client: Client;
  readonly #info: ServerInfo;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #disposables = new DisposableStore();
  readonly #emitter = this.#disposables.add(new Emitter<ServerNotification>());
  readonly onNotification: Event<ServerNotification> = this.#emitter.event;

  constructor(client: Client, info: ServerInfo, clock: Clock, logger: Logger) {
    this.#client = client;
    this.#info = info;
    this.#clock = clock;
    this.#logger = logger;
    client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => this.tell({ method }));
    client.setNotificationHandler('notifications/prompts/list_changed', ({ method }) => this.tell({ method }));
    client.setNotificationHandler('notifications/resources/list_changed', ({ method }) => this.tell({ method }));
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

  tell(notification: ServerNotification): void {
    this.#emitter.fire(notification);
  }

  /**
   * Asks the server to tell of changes of a resource, once however many ask, until the last one disposes.
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

  /** Nothing more is told. What is subscribed ends with the connection. */
  dispose(): void {
    this.#disposables.dispose();
  }
}

/** What the server says that it announces: as the stream's filter, and as notifications. */
function announced(client: Client): { readonly filter: SubscriptionFilter; readonly methods: readonly string[] } {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const lists = { tools, prompts, resources };
  const names = (['tools', 'prompts', 'resources'] as const).filter((name) => lists[name]?.listChanged === true);
  return {
    filter: Object.fromEntries(names.map((name) => [`${name}ListChanged`, true])),
    methods: names.map((name) => `notifications/${name}/list_changed`),
  };
}
