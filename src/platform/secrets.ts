import type * as vscode from 'vscode';
import type { SecretStore } from '../servers/inputValues.ts';

/** Key of the token for the address of the setting `mcpSwitchboard.cloud.url`. */
export const CLOUD_TOKEN = 'cloud.token';

/** The editor's secret storage. */
export class EditorSecrets implements SecretStore {
  readonly #storage: vscode.SecretStorage;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#storage.get(key);
  }

  async set(key: string, value: string | undefined): Promise<void> {
    await (value === undefined ? this.#storage.delete(key) : this.#storage.store(key, value));
  }
}
