import type * as vscode from 'vscode';
import type { KeyValueStore } from '../base/store.ts';

/** The editor's workspace state as a store. It is private to this machine: nothing in a repository can write it. */
export class MementoStore implements KeyValueStore {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(key: string): unknown {
    return this.#memento.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.#memento.update(key, value);
  }
}
