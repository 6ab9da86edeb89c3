import { Debouncer } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json/json.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import type { Host } from '../../host/host.ts';
import type { ResourceId } from './documentUri.ts';
import { viewNamed } from '../../host/views/viewNamed.ts';
import { capabilitiesOf, connectedViews } from './serverRequests.ts';

/** A server that tells of a change many times at once has its resource read once. */
const SETTLE_MS = 100;

interface Followed {
  readonly resource: ResourceId;
  readonly session: Session;
  readonly disposables: DisposableStore;
}

/**
 * Has servers tell of changes of resources for as long as they are followed (specification: resources, *Subscriptions*),
 * again after every reconnection. Servers without subscriptions are left alone.
 */
export class ResourceSubscriptions implements Disposable {
  readonly #host: Host;
  readonly #clock: Clock;
  readonly #changed: (resource: ResourceId) => void;
  readonly #followed = new Map<string, Followed>();

  constructor(host: Host, clock: Clock, changed: (resource: ResourceId) => void) {
    this.#host = host;
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Follows these resources and no others from now on. */
  follow(resources: readonly ResourceId[]): void {
    const wanted = new Map(resources.map((resource) => [keyOf(resource), resource]));
    for (const [key, { resource, session, disposables }] of this.#followed) {
      if (wanted.has(key) && this.#sessionOf(resource) === session) continue;
      this.#followed.delete(key);
      disposables.dispose();
      // What happened while nobody listened was not announced.
      if (wanted.has(key) && this.#sessionOf(resource)) this.#changed(resource);
    }
    for (const [key, resource] of wanted) {
      const session = this.#followed.has(key) ? undefined : this.#sessionOf(resource);
      if (session) this.#followed.set(key, this.#subscribe(resource, session));
    }
  }

  #subscribe(resource: ResourceId, session: Session): Followed {
    const disposables = new DisposableStore();
    const tell = disposables.add(new Debouncer(SETTLE_MS, this.#clock, () => this.#changed(resource)));
    disposables.add(
      session.onNotification(({ method, params }) => {
        if (method !== 'notifications/resources/updated' || !isRecord(params)) return;
        // What is told of may be a part of what is subscribed to.
        if (typeof params['uri'] === 'string' && params['uri'].startsWith(resource.uri)) tell.trigger();
      }),
    );
    session.subscribe(resource.uri).then(
      (subscription) => disposables.add(subscription),
      // Then it is only read again on the next request.
      () => undefined,
    );
    return { resource, session, disposables };
  }

  #sessionOf({ server }: ResourceId): Session | undefined {
    const view = viewNamed(connectedViews(this.#host), server, this.#host.catalog);
    const resources = view && capabilitiesOf(view)['resources'];
    if (!view || !isRecord(resources) || resources['subscribe'] !== true) return undefined;
    return this.#host.pool.get(view.definition.id)?.session;
  }

  dispose(): void {
    for (const { disposables } of this.#followed.values()) disposables.dispose();
    this.#followed.clear();
  }
}

function keyOf({ server, uri }: ResourceId): string {
  return JSON.stringify([server, uri]);
}
