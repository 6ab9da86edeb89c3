import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { SECTION } from './hostSettings.ts';

/** Settings that are read once and kept until one of ours changes: to look one up costs the editor's side some 0.2 ms. */
export class KeptSettings implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #kept = new Map<() => unknown, unknown>();

  /** Made before whatever reads through it, so that it is the first to be told of a change. */
  constructor() {
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SECTION) && this.#kept.clear()),
    );
  }

  /** `read`, asked again only after a change. */
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
