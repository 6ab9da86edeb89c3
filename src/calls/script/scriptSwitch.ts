import { Emitter, type Event } from '../../base/event.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';

const KEY = 'scripts.on';

/**
 * Whether models may run scripts in this workspace. It is kept in the editor's own storage for the workspace, where only the user
 * turns it on: no file of a folder says so.
 */
export class ScriptSwitch {
  readonly #store: KeyValueStore;
  readonly #isTrusted: () => boolean;
  readonly #changed = new Emitter<void>();

  /** @param isTrusted whether the user trusts the workspace; where not, it is off */
  constructor(store: KeyValueStore, isTrusted: () => boolean) {
    this.#store = store;
    this.#isTrusted = isTrusted;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get on(): boolean {
    return this.#store.get(KEY) === true && this.#isTrusted();
  }

  async setOn(on: boolean): Promise<void> {
    const writing = this.#store.set(KEY, on ? true : undefined);
    this.#changed.fire();
    await writing;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
