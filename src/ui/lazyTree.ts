import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';

/** What gives the rows of a view. */
export type TreeProvider<T> = vscode.TreeDataProvider<T> & Disposable;

/** A view whose rows, and all that they need, are loaded when it is first shown. */
export class LazyTree<T, Provider extends TreeProvider<T>> implements vscode.TreeDataProvider<T>, Disposable {
  readonly view: vscode.TreeView<T>;
  readonly #load: (view: vscode.TreeView<T>) => Promise<Provider>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<T | T[] | void>());
  #provider: Promise<Provider> | undefined;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(id: string, load: (view: vscode.TreeView<T>) => Promise<Provider>) {
    this.#load = load;
    this.view = this.#disposables.add(vscode.window.createTreeView(id, { treeDataProvider: this }));
  }

  /** Loads it at the first use. */
  provider(): Promise<Provider> {
    this.#provider ??= this.#load(this.view).then((provider) => {
      this.#disposables.add(provider);
      const changes = provider.onDidChangeTreeData?.((nodes) => this.#changed.fire(nodes ?? undefined));
      if (changes) this.#disposables.add(changes);
      return provider;
    });
    return this.#provider;
  }

  async getChildren(node?: T): Promise<T[]> {
    return (await (await this.provider()).getChildren(node)) ?? [];
  }

  async getTreeItem(node: T): Promise<vscode.TreeItem> {
    return (await this.provider()).getTreeItem(node);
  }

  async getParent(node: T): Promise<T | undefined> {
    return (await (await this.provider()).getParent?.(node)) ?? undefined;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
