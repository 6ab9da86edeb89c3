import type * as vscode from 'vscode';
import type { Event } from '../base/event.ts';
import type { KeyValueStore } from '../base/keyValueStore.ts';
import type { SecretPort } from '../connection/auth/signInPorts.ts';
import type { SecretStore } from '../servers/inputAnswers.ts';

/** Key of the token for the URL of the setting `mcpSwitchboard.cloud.url`. */
export const CLOUD_TOKEN = 'cloud.token';

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

/** The editor's secret storage. */
export class EditorSecrets implements SecretStore, SecretPort {
  readonly #storage: vscode.SecretStorage;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
  }

  /** Fires with the key, also for a change of another window. */
  readonly onDidChange: Event<string> = (listener) => this.#storage.onDidChange(({ key }) => listener(key));

  async get(key: string): Promise<string | undefined> {
    return this.#storage.get(key);
  }

  async set(key: string, value: string | undefined): Promise<void> {
    await (value === undefined ? this.#storage.delete(key) : this.#storage.store(key, value));
  }

  delete(key: string): Promise<void> {
    return this.set(key, undefined);
  }
}
