import type { Disposable } from '../../base/disposable.ts';
import { noticeKey } from './noticeKey.ts';
import type { Host } from '../../host/host.ts';

/** Shows a notification, once per change, when tools, prompts or skills of a server differ from the approved ones. */
export function noticeToolChanges(host: Host): Disposable {
  const told = new Set<string>();
  return host.onDidChange(() => {
    for (const { definition } of host.views) {
      const fresh = host.feed.openChangesOf(definition.id).filter((open) => {
        const key = `${definition.id}\n${noticeKey(open)}`;
        return !told.has(key) && told.add(key);
      });
      for (const of of ['tool', 'prompt', 'skill'] as const) {
        const names = fresh.filter((open) => open.of === of).map(({ change }) => change.name);
        if (names.length > 0)
          void import('./tellToolChanges.ts').then(({ tellToolChanges }) =>
            tellToolChanges(definition.name, of, names),
          );
      }
    }
  });
}
