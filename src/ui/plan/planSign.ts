// Loaded with the first server.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import { openQuestions } from '../../host/views/waitingForUser.ts';
import { makeStatusItem } from '../statusItem.ts';
import { tellWhetherScriptsAreOn } from './scriptContext.ts';

/**
 * What is seen of the plan, and of calls that wait for an answer, outside of the view *Activity*: an item of the status bar
 * while plan mode is on or calls are planned, and the number at the view's icon.
 */
export class PlanSign implements Disposable {
  readonly #host: Host;
  readonly #view: Pick<vscode.TreeView<unknown>, 'badge'>;
  readonly #disposables = new DisposableStore();
  #item: vscode.StatusBarItem | undefined;

  /** @param view the view *Activity* */
  constructor(host: Host, view: Pick<vscode.TreeView<unknown>, 'badge'>) {
    this.#host = host;
    this.#view = view;
    this.#disposables.add(host.calls.plan.onDidChange(() => this.#update()));
    this.#disposables.add(host.calls.inProgress.onDidChange(() => this.#updateBadge()));
    this.#disposables.add(tellWhetherScriptsAreOn(host));
    this.#update();
  }

  #update(): void {
    const { on, queue } = this.#host.calls.plan;
    this.#updateBadge();
    if (!on && queue.length === 0) return this.#item?.hide();
    const { t } = vscode.l10n;
    const item = (this.#item ??= this.#makeItem());
    item.text = `$(checklist) ${on ? t('Plan') : t('Plan off')}${queue.length > 0 ? ` ${queue.length}` : ''}`;
    item.tooltip = t('MCP plan mode: {0}. {1} planned calls. Click to toggle.', on ? t('on') : t('off'), queue.length);
    item.show();
  }

  #updateBadge(): void {
    const { t } = vscode.l10n;
    const planned = this.#host.calls.plan.queue.length;
    const asking = openQuestions(this.#host);
    const value = planned + asking;
    if (value === (this.#view.badge?.value ?? 0)) return;
    const parts = [
      ...(planned > 0 ? [planned === 1 ? t('1 planned call') : t('{0} planned calls', planned)] : []),
      ...(asking > 0 ? [asking === 1 ? t('1 question waits for you') : t('{0} questions wait for you', asking)] : []),
    ];
    this.#view.badge = value === 0 ? undefined : { value, tooltip: parts.join(', ') };
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
