import type { Session } from '../../connection/connectionTypes.ts';
import { pages } from './listServerItems.ts';

/** The addresses of what each session's server lists, asked for when first needed and after each change. */
export class ListedResources {
  readonly #bySession = new WeakMap<Session, Promise<ReadonlySet<unknown>>>();
  readonly #followed = new WeakSet<Session>();

  /** Whether the server lists a resource of exactly this address. */
  async has(session: Session, uri: string): Promise<boolean> {
    let listed = this.#bySession.get(session);
    if (!listed) {
      this.#follow(session);
      listed = pages(session, 'resources/list', 'resources').then((items) => new Set(items.map((item) => item['uri'])));
      this.#bySession.set(session, listed);
      listed.catch(() => this.#bySession.delete(session));
    }
    return (await listed).has(uri);
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
