import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { RENAMED } from './renamedSettings.ts';

export const SECTION = 'mcpSwitchboard';

/**
 * What the user has set, on this machine or in their profile. Values of a workspace never count: they come from whoever
 * wrote the folder's files.
 */
export function ownValue(name: string): unknown {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const value: unknown = settings.inspect(name)?.globalValue;
  const before = value === undefined ? RENAMED[name] : undefined;
  return before === undefined ? value : settings.inspect(before)?.globalValue;
}

/** Reads settings once and keeps them until any changes: each look-up takes some 0.2 ms, and servers come by hundreds. */
export class SettingsCache implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #kept = new Map<() => unknown, unknown>();

  /** Created before its readers, so that it is the first to see a change. */
  constructor() {
    const forget = (): void => this.#kept.clear();
    this.#disposables.add(vscode.workspace.onDidChangeConfiguration(forget));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
  }

  /** `read`, called again only after a change. */
  keep<T>(read: () => T): () => T {
    return () => {
      if (!this.#kept.has(read)) this.#kept.set(read, read());
      return this.#kept.get(read) as T;
    };
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
