import type { Clock } from '../../base/clock.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import { pages } from './listServerItems.ts';

interface Listed {
  readonly uris: ReadonlySet<unknown>;
  readonly staleAt: number;
}

/** The addresses of what each session's server lists, asked for when first needed and after each change. */
export class ListedResources {
  readonly #clock: Clock;
  readonly #bySession = new WeakMap<Session, Promise<Listed>>();
  readonly #followed = new WeakSet<Session>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the server lists a resource of exactly this address. */
  async has(session: Session, uri: string): Promise<boolean> {
    const known = await (this.#bySession.get(session) ?? this.#list(session));
    const { uris } = this.#clock.now() < known.staleAt ? known : await this.#list(session);
    return uris.has(uri);
  }

  #list(session: Session): Promise<Listed> {
    this.#follow(session);
    const listed = pages(session, 'resources/list', 'resources').then(({ items, freshForMs }) => ({
      uris: new Set(items.map((item) => item['uri'])),
      // What is asked for while it is listed is in time.
      staleAt: this.#clock.now() + Math.max(1, freshForMs),
    }));
    this.#bySession.set(session, listed);
    listed.catch(() => this.#bySession.delete(session));
    return listed;
  }

  /** The listener ends with the session. */
  #follow(session: Session): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.onNotification(({ method }) => {
      if (method === 'notifications/resources/list_changed') this.#bySession.delete(session);
    });
  }
}
