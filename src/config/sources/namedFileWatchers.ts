import type { Disposable } from '../../base/disposable.ts';
import type { ConfigPorts } from '../configLoaderPorts.ts';
import type { ConfigSource } from '../configTypes.ts';

/** Watches files that entries name, each once, for as long as one names it. */
export class NamedFileWatchers implements Disposable {
  readonly #ports: Pick<ConfigPorts, 'watch'>;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, Disposable>();

  constructor(ports: Pick<ConfigPorts, 'watch'>, onChange: () => void) {
    this.#ports = ports;
    this.#onChange = onChange;
  }

  watch(source: ConfigSource): void {
    if (!this.#watchers.has(source.id)) this.#watchers.set(source.id, this.#ports.watch(source, this.#onChange));
  }

  /** @param ids of the sources that are still named */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, watcher] of this.#watchers) {
      if (ids.has(id)) continue;
      watcher.dispose();
      this.#watchers.delete(id);
    }
  }

  dispose(): void {
    this.keepOnly(new Set());
  }
}
