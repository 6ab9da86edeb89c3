// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';
import { canSignIn } from '../../../host/serverView.ts';
import { waitingForUser, type WaitingForUser } from '../../../host/waitingForUser.ts';
import { makeStatusItem } from '../../statusItem.ts';
import { waitingTexts } from './waitingTexts.ts';

/**
 * The status-bar item: how many servers are connected, failed, or need the user; hidden while there are none. With it the
 * badge at the view's icon: how much waits for the user. A notification is gone after seconds; these stay.
 */
export class StatusBar implements Disposable {
  readonly #disposables = new DisposableStore();
  #item: vscode.StatusBarItem | undefined;
  readonly #host: Host;
  readonly #view: Pick<vscode.TreeView<unknown>, 'badge'>;

  constructor(host: Host, view: Pick<vscode.TreeView<unknown>, 'badge'>) {
    this.#host = host;
    this.#view = view;
    this.#disposables.add(host.onDidChange(() => this.#update()));
    this.#update();
  }

  #update(): void {
    const all = this.#host.views;
    const views = all.filter(({ state }) => state.kind !== 'shadowed');
    const waiting = waitingForUser({ views: all, feed: this.#host.feed });
    const texts = waitingTexts(waiting);
    this.#updateBadge(waiting, texts);
    if (views.length === 0) return this.#item?.hide();
    const count = (...kinds: string[]): number => views.filter(({ state }) => kinds.includes(state.kind)).length;
    const connected = count('connected');
    const expected = views.length - count('disabled', 'blocked');
    const { approvals, signIns, changes } = waiting;
    const broken =
      count('failed', 'problem') + views.filter((view) => view.state.kind === 'needs-auth' && !canSignIn(view)).length;
    const { t } = vscode.l10n;
    const parts = [
      expected > 0 && t('{0} of {1} MCP servers connected', connected, expected),
      broken > 0 && t('{0} failed', broken),
      ...[texts.approvals, texts.signIns, texts.changes],
      expected + broken + approvals === 0 && t('No MCP servers enabled'),
    ].filter((part) => part !== false && part !== undefined);
    const busy = count('connecting', 'installing', 'pending') > 0;
    const icon =
      broken + changes > 0 ? 'warning' : approvals > 0 ? 'shield' : signIns > 0 ? 'key' : busy ? 'sync~spin' : 'plug';
    const item = (this.#item ??= this.#makeItem());
    const wait = approvals > 0 ? ` · ${t('{0} to approve', approvals)}` : '';
    item.text = `$(${icon}) MCP${expected > 0 ? ` ${connected}/${expected}` : ''}${wait}`;
    item.tooltip = parts.join('\n');
    item.accessibilityInformation = { label: parts.join(', ') };
    item.backgroundColor =
      broken + approvals + signIns + changes > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  }

  #updateBadge(waiting: WaitingForUser, texts: ReturnType<typeof waitingTexts>): void {
    const value = waiting.approvals + waiting.signIns + waiting.changes;
    const tooltip = Object.values(texts)
      .filter((text) => text !== undefined)
      .join(', ');
    const { badge } = this.#view;
    if (value === (badge?.value ?? 0) && (value === 0 || badge?.tooltip === tooltip)) return;
    this.#view.badge = value === 0 ? undefined : { value, tooltip };
  }

  #makeItem(): vscode.StatusBarItem {
    const name = vscode.l10n.t('MCP Servers');
    return this.#disposables.add(
      makeStatusItem('mcpSwitchboard.status', 50, { name, command: 'mcpSwitchboard.listServers' }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
