import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import type { Host } from '../../host/host.ts';
import { makeStatusItem } from '../statusItem.ts';

export interface PlanNode {
  readonly planned: PlannedCall;
}

/** The view *Plan* and its status bar item: whether plan mode is on, and the planned calls. */
export class PlanTree implements vscode.TreeDataProvider<PlanNode>, Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<undefined>();
  #item: vscode.StatusBarItem | undefined;
  readonly onDidChangeTreeData: vscode.Event<undefined> = this.#changed.event;
  readonly #view: vscode.TreeView<PlanNode>;

  constructor(host: Host) {
    this.#host = host;
    this.#disposables.add(this.#changed);
    this.#view = this.#disposables.add(vscode.window.createTreeView('mcpSwitchboard.plan', { treeDataProvider: this }));
    this.#disposables.add(host.calls.plan.onDidChange(() => this.#update()));
    if (this.#isVisible) this.#update();
  }

  get #isVisible(): boolean {
    const { on, queue } = this.#host.calls.plan;
    return on || queue.length > 0;
  }

  getChildren(node?: PlanNode): PlanNode[] {
    return node ? [] : this.#host.calls.plan.queue.map((planned) => ({ planned }));
  }

  async getTreeItem({ planned }: PlanNode): Promise<vscode.TreeItem> {
    return (await import('./planTreeItem.ts')).planTreeItem(planned, this.#host.mask);
  }

  #update(): void {
    const { on, queue } = this.#host.calls.plan;
    const { t } = vscode.l10n;
    void vscode.commands.executeCommand('setContext', 'mcpSwitchboard.planVisible', this.#isVisible);
    this.#view.message = on
      ? t('Plan mode is on. Calls that make changes wait here.')
      : t('Plan mode is off. Planned calls still wait here.');
    this.#view.badge =
      queue.length > 0 ? { value: queue.length, tooltip: t('{0} planned calls', queue.length) } : undefined;
    this.#showItem(this.#isVisible);
    this.#changed.fire(undefined);
  }

  #showItem(isVisible: boolean): void {
    if (!isVisible) return this.#item?.hide();
    const { on, queue } = this.#host.calls.plan;
    const { t } = vscode.l10n;
    const item = (this.#item ??= this.#makeItem());
    item.text = `$(checklist) ${on ? t('Plan') : t('Plan off')}${queue.length > 0 ? ` ${queue.length}` : ''}`;
    item.tooltip = t('MCP plan mode: {0}. {1} planned calls. Click to toggle.', on ? t('on') : t('off'), queue.length);
    item.show();
  }

  #makeItem(): vscode.StatusBarItem {
    const name = vscode.l10n.t('MCP Plan Mode');
    return this.#disposables.add(
      makeStatusItem('mcpSwitchboard.plan', 49, { name, command: 'mcpSwitchboard.togglePlanMode' }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
