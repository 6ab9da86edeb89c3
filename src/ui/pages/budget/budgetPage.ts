// Loaded with the first Context Budget.
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Surface } from '../../../calls/callTypes.ts';
import { QualityCache } from '../../../catalog/toolQuality.ts';
import type { Host } from '../../../host/host.ts';
import { canSwitchTool, switchToolOf } from '../../servers/tree/switchTools.ts';
import { showTool } from '../../tools/toolDetails.ts';
import type { PageContent } from '../pageContent.ts';
import type { PageSource } from '../webPage.ts';
import { budgetContent, type BudgetAction, type BudgetTool } from './budgetContent.ts';
import { readSearchOnlyTools, setSearchOnly } from './searchOnlyTools.ts';
import { ContextMeter } from './measureContext.ts';

/** Where a call comes from a request of the agent. */
const OF_AGENT: readonly Surface[] = ['lm-tool', 'gateway'];

/** *Context Budget*, of the tools as they are. */
export class BudgetPage implements PageSource {
  readonly viewType = 'mcpSwitchboard.contextBudget';
  readonly title = vscode.l10n.t('Context Budget');
  readonly #host: Host;
  readonly #meter: ContextMeter;
  readonly #quality = new QualityCache();

  constructor(host: Host) {
    this.#host = host;
    this.#meter = new ContextMeter(host);
  }

  async content(): Promise<PageContent> {
    const { history } = this.#host.calls;
    const measured = await this.#meter.measure();
    const calls = new Map(history.statistics.map(({ tool, count }) => [tool, count]));
    return budgetContent({
      ...measured,
      requests: history.entries.filter(({ surface }) => OF_AGENT.includes(surface)).length,
      nameOf: (tool) => this.#host.catalog.find(tool)?.tool.name ?? tool,
      factsOf: (tool) => ({ calls: calls.get(tool) ?? 0, ...this.#factsOf(tool) }),
      language: vscode.env.language,
    });
  }

  #factsOf(name: string): Omit<BudgetTool, 'calls'> {
    const { catalog } = this.#host;
    const entry = catalog.find(name);
    const isMovedToSearch = readSearchOnlyTools().includes(name);
    if (!entry) return { hints: 0, canBeDisabled: false, canMoveToSearch: false, isMovedToSearch };
    const view = this.#host.view(entry.serverId);
    const { findings } = this.#quality.of(entry, catalog.toolsOf(entry.serverId));
    return {
      hints: findings.filter(({ points }) => points < 0).length,
      canBeDisabled: view !== undefined && canSwitchTool(view, entry),
      canMoveToSearch: !this.#host.loaded.joined.includes(name),
      isMovedToSearch,
    };
  }

  watch(changed: () => void): Disposable {
    const { catalog, calls, loaded } = this.#host;
    const disposables = new DisposableStore();
    disposables.add(catalog.onDidChange(changed));
    disposables.add(loaded.onDidChange(changed));
    disposables.add(calls.history.onDidAdd(changed));
    disposables.add(vscode.workspace.onDidChangeConfiguration(changed));
    disposables.add(vscode.lm.onDidChangeChatModels(changed));
    return disposables;
  }

  async take(message: Parameters<PageSource['take']>[0]): Promise<void> {
    if (message.type !== 'act') return;
    const [action, name = ''] = message.action.split(' ');
    const tool = this.#host.catalog.find(name);
    if (!tool) return;
    const does: Readonly<Record<BudgetAction, () => Promise<void>>> = {
      disable: () => switchToolOf(this.#host, { kind: 'tool', tool }, false),
      search: () => setSearchOnly(name, true),
      native: () => setSearchOnly(name, false),
      hints: () => showTool(this.#host, tool),
    };
    await does[action as BudgetAction]();
  }
}
