import type { ServerLogLevel } from '../../base/log.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { READY_WAIT_MS } from '../../calls/callSettings.ts';
import type { ListMethod } from '../../calls/itemRequest.ts';
import type { RequestOptions, ServerInfo, ServerNotification, Session } from '../../connection/connectionTypes.ts';
import { withLeftOut } from '../../connection/cleaning/leftOut.ts';
import { withReadCsps } from '../apps/appCsp.ts';
import { ListCursors } from './listCursors.ts';
import { withPassedIcons } from './passedIcons.ts';
import type { Host } from '../../host/host.ts';

/** How long a request that is passed on may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;

/** What a list is while its server isn't there. */
const EMPTY_LISTS: Readonly<Record<ListMethod, JsonObject>> = {
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
  'skills/list': { skills: [] },
};

interface Watched {
  users: number;
  subscription: Promise<Disposable> | undefined;
}

/**
 * One server of the host over all its sessions: what is subscribed to and how much it logs is asked of each new one, and
 * when one begins or ends, the lists are said to have changed.
 */
export class ServerAcrossSessions implements Disposable {
  readonly #host: Pick<Host, 'pool' | 'feed'>;
  readonly #serverId: string;
  readonly #disposables = new DisposableStore();
  readonly #emitter = this.#disposables.add(new Emitter<ServerNotification>());
  readonly #ofSession = this.#disposables.add(new DisposableStore());
  readonly #watched = new Map<string, Watched>();
  readonly onNotification: Event<ServerNotification> = this.#emitter.event;
  #session: Session | undefined;
  #cursors = new ListCursors();
  #info: ServerInfo | undefined;
  #logLevel: ServerLogLevel | undefined;

  constructor(host: Pick<Host, 'pool' | 'feed'>, serverId: string) {
    this.#host = host;
    this.#serverId = serverId;
    this.#disposables.add(host.pool.onDidChangeState(({ id }) => id === serverId && this.#follow()));
    // What was held back may be listed after a review.
    const { prompts, skills } = host.feed;
    this.#disposables.add(prompts.onDidChangeOffered((id) => id === serverId && this.#tellOf('prompts')));
    this.#disposables.add(skills.onDidChangeOffered((id) => id === serverId && this.#tellOf('resources')));
    this.#follow();
  }

  /** Of the session that there is, or was last. */
  get info(): ServerInfo | undefined {
    return this.#info;
  }

  /**
   * A page of a list, under cursors that only fit that list of this session; empty where the server isn't there. Nothing of
   * `params` goes to the server but such a cursor. Prompts and skills come as one page: they are compared as a whole with what was approved.
   * @param permit may refuse a page by throwing
   * @throws SwitchboardError as `Session.request` does; RpcError for a cursor of anything else
   */
  async list(
    method: ListMethod,
    params: JsonObject,
    options: RequestOptions,
    permit: (page: JsonObject) => Promise<void>,
  ): Promise<JsonObject> {
    let session: Session;
    try {
      session = await this.#host.pool.ready(this.#serverId, READY_WAIT_MS, options.signal);
    } catch (error) {
      if (error instanceof SwitchboardError && error.code === 'not-connected') return EMPTY_LISTS[method];
      throw error;
    }
    const cursors = this.#cursors;
    const page = cursors.opened(method, params);
    if ('cursor' in page) await permit(page);
    if (method === 'prompts/list') {
      const { items, leftOut } = await this.#host.feed.prompts.list(this.#serverId, session, options.signal);
      return withPassedIcons({ ...withLeftOut({ prompts: items }, leftOut) } as JsonObject);
    }
    if (method === 'skills/list') {
      const { items, leftOut } = await this.#host.feed.skills.list(this.#serverId, session, options.signal);
      return { ...withLeftOut({ skills: items }, leftOut) } as JsonObject;
    }
    const given = await session.request(method, page, REQUEST_TIMEOUT_MS, options);
    return cursors.sealed(method, withPassedIcons(withReadCsps(given)));
  }

  /**
   * Subscribes to a resource until the result is disposed, in this session and those that follow.
   * @throws SwitchboardError where the server refuses now
   */
  async subscribe(uri: string): Promise<Disposable> {
    let watched = this.#watched.get(uri);
    if (!watched) {
      watched = { users: 0, subscription: this.#session?.subscribe(uri) };
      this.#watched.set(uri, watched);
    }
    const { subscription } = watched;
    watched.users += 1;
    const leave = toDisposable(() => this.#leave(uri, watched));
    try {
      await subscription;
    } catch (error) {
      leave.dispose();
      throw error;
    }
    return leave;
  }

  setLogLevel(level: ServerLogLevel): void {
    this.#logLevel = level;
    void this.#session?.setLogLevel(level).catch(() => undefined);
  }

  #leave(uri: string, watched: Watched): void {
    watched.users -= 1;
    if (watched.users > 0) return;
    this.#watched.delete(uri);
    void watched.subscription?.then((open) => open.dispose()).catch(() => undefined);
  }

  #follow(): void {
    const session = this.#host.pool.get(this.#serverId)?.session;
    if (session === this.#session) return;
    this.#ofSession.clear();
    this.#session = session;
    this.#cursors = new ListCursors();
    if (session) {
      this.#info = session.info;
      this.#ofSession.add(session.onNotification((notification) => this.#emitter.fire(notification)));
      if (this.#logLevel !== undefined) this.setLogLevel(this.#logLevel);
    }
    for (const [uri, watched] of this.#watched) {
      void watched.subscription?.then((open) => open.dispose()).catch(() => undefined);
      watched.subscription = session?.subscribe(uri);
      watched.subscription?.catch(() => undefined);
    }
    // Of the first session, too: a client may have been told of empty lists before it, and nobody listens yet in the constructor.
    for (const list of ['resources', 'prompts'] as const) this.#tellOf(list);
  }

  #tellOf(list: 'resources' | 'prompts'): void {
    if (this.#info && list in this.#info.capabilities)
      this.#emitter.fire({ method: `notifications/${list}/list_changed` });
  }

  dispose(): void {
    for (const { subscription } of this.#watched.values())
      void subscription?.then((open) => open.dispose()).catch(() => undefined);
    this.#watched.clear();
    this.#disposables.dispose();
  }
}
