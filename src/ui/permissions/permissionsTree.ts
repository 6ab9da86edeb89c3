import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Grant } from '../../calls/policy/permissionGrants.ts';
import type { Host } from '../../host/host.ts';

export interface PermissionNode {
  readonly grant: Grant;
}

/** The view *Permissions*: what the user allowed; each permission can be revoked. */
export class PermissionsTree implements vscode.TreeDataProvider<PermissionNode>, Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData: vscode.Event<undefined> = this.#changed.event;

  constructor(host: Host) {
    this.#host = host;
    this.#disposables.add(this.#changed);
    this.#disposables.add(host.grants.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(
      vscode.window.createTreeView('mcpSwitchboard.permissions', { treeDataProvider: this, showCollapseAll: false }),
    );
  }

  getChildren(node?: PermissionNode): PermissionNode[] {
    return node ? [] : this.#host.grants.all.map((grant) => ({ grant }));
  }

  async getTreeItem({ grant }: PermissionNode): Promise<vscode.TreeItem> {
    return (await import('./grantItem.ts')).grantItem(this.#host, grant);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
