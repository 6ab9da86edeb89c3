import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { showInvisible } from '../../calls/arguments/argumentText.ts';
import { type Grant, GrantPins } from '../../calls/policy/grants.ts';
import { underlyingOf } from '../../catalog/catalogTool.ts';
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

  getTreeItem({ grant }: PermissionNode): vscode.TreeItem {
    const item = new vscode.TreeItem(showInvisible(`${grant.serverName} · ${grant.tool}`));
    item.id = grant.id;
    item.description = grantScope(grant, isVoid(this.#host, grant));
    item.iconPath = new vscode.ThemeIcon(grant.lasting ? 'pass' : 'watch');
    item.tooltip = grant.argsText;
    item.contextValue = 'grant';
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The scope of a grant, in a few words. */
export function grantScope(grant: Grant, voided: boolean): string {
  const { t } = vscode.l10n;
  return [
    grant.lasting ? t('always') : t('in this session'),
    ...(grant.argsHash === undefined ? [] : [t('with these arguments')]),
    ...(voided ? [t('no longer valid: the server or the tool changed')] : []),
  ].join(', ');
}

/** Whether the server or the tool changed since; the tools of a server that isn't connected count as unchanged. */
export function isVoid(host: Host, grant: Grant): boolean {
  const definition = host.servers.get(grant.serverId);
  if (!definition || definition.fingerprint !== grant.fingerprint) return true;
  const tools = host.catalog.toolsOf(grant.serverId);
  if (tools.length === 0) return false;
  const pins = new GrantPins();
  return !tools.some((tool) => underlyingOf(tool).name === grant.tool && pins.pinOf(tool) === grant.pin);
}
