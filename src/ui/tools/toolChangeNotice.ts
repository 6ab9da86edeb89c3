import { Throttle } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { noticeKey } from './noticeKey.ts';
import { isUnreadableChange } from '../../catalog/pinningModes.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';
import type { Host } from '../../host/host.ts';

/** Servers come up by hundreds, and each of them changes several times. */
const LOOK_EVERY_MS = 100;

/** Shows a notification, once per change, when tools, prompts or skills of a server differ from the approved ones. */
export function noticeToolChanges(host: Host): Disposable {
  const told = new Set<string>();
  /** Once for all: where it is so for one server, it mostly is for each. */
  let isUnreadableTold = false;
  const store = new DisposableStore();
  const look = (): void => {
    for (const { definition } of host.views) {
      const fresh = host.feed.openChangesOf(definition.id).filter((open) => {
        const key = `${definition.id}\n${noticeKey(open)}`;
        return !told.has(key) && told.add(key);
      });
      for (const kind of ['tool', 'prompt', 'skill'] as const) {
        const changes = fresh.filter((open) => open.of === kind && !isUnreadable(open)).map(({ change }) => change);
        if (changes.length > 0)
          void import('./tellToolChanges.ts').then(({ tellToolChanges }) =>
            tellToolChanges(definition.name, kind, changes),
          );
      }
      if (isUnreadableTold || !fresh.some(isUnreadable)) continue;
      isUnreadableTold = true;
      void import('./tellToolChanges.ts').then(({ tellUnreadable }) => tellUnreadable());
    }
  };
  const soon = store.add(new Throttle(LOOK_EVERY_MS, systemClock, look));
  store.add(host.onDidChange(() => soon.trigger()));
  return store;
}

function isUnreadable({ change }: OpenChange): boolean {
  return isUnreadableChange(change);
}
