import { Throttle } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';

/** Servers come up by hundreds, and each of them changes several times. */
const LOOK_EVERY_MS = 100;

/** Shows a notification, once per change, now and from now on, when tools, prompts or skills of a server differ from the approved ones. */
export function noticeToolChanges(host: Host): Disposable {
  const told = new Set<string>();
  const store = new DisposableStore();
  const look = (): void => {
    if (host.views.every(({ definition }) => host.feed.openChangesOf(definition.id).length === 0)) return;
    void import('./tellToolChanges.ts').then(({ tellToolChanges }) => tellToolChanges(host, told));
  };
  const soon = store.add(new Throttle(LOOK_EVERY_MS, systemClock, look));
  store.add(host.onDidChange(() => soon.trigger()));
  soon.trigger();
  return store;
}
