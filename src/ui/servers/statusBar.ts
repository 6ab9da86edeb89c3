// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import { canSignIn } from '../../host/serverView.ts';
import { makeStatusItem } from '../statusItem.ts';

/** The status-bar item: how many servers are connected, failed, or need approval. Hidden while there are none. */
export class StatusBar implements Disposable {
  readonly #disposables = new DisposableStore();
  #item: vscode.StatusBarItem | undefined;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.#disposables.add(host.onDidChange(() => this.#update()));
    this.#update();
  }

  #update(): void {
    const views = this.#host.views.filter(({ state }) => state.kind !== 'shadowed');
    if (views.length === 0) return this.#item?.hide();
    const count = (...kinds: string[]): number => views.filter(({ state }) => kinds.includes(state.kind)).length;
    const connected = count('connected');
    const expected = views.length - count('disabled', 'blocked');
    const unsigned = views.filter(canSignIn).length;
    const broken = count('failed', 'problem', 'needs-auth') - unsigned;
    const waiting = views.filter(({ state }) => state.kind === 'blocked' && state.needsApproval).length;
    const { t } = vscode.l10n;
    const parts = [
      expected > 0 && t('{0} of {1} MCP servers connected', connected, expected),
      broken > 0 && t('{0} failed', broken),
      waiting > 0 && (waiting === 1 ? t('1 MCP server needs approval') : t('{0} MCP servers need approval', waiting)),
      unsigned > 0 &&
        (unsigned === 1 ? t('1 MCP server needs a sign-in') : t('{0} MCP servers need a sign-in', unsigned)),
      expected + broken + waiting === 0 && t('No MCP servers enabled'),
    ].filter((part) => part !== false);
    const busy = count('connecting', 'installing', 'pending') > 0;
    const icon = broken > 0 ? 'warning' : waiting > 0 ? 'shield' : unsigned > 0 ? 'key' : busy ? 'sync~spin' : 'plug';
    const item = (this.#item ??= this.#makeItem());
    item.text = expected > 0 ? `$(${icon}) MCP ${connected}/${expected}` : `$(${icon}) MCP`;
    item.tooltip = parts.join('\n');
    item.accessibilityInformation = { label: parts.join(', ') };
    item.backgroundColor = broken > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
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
