import * as vscode from 'vscode';
import { Debouncer } from '../base/async.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { effectOf } from '../catalog/effect.ts';
import { showInvisible } from '../calls/argumentText.ts';
import type { QualityBook } from '../catalog/toolReport.ts';
import type { CatalogTool } from '../catalog/types.ts';
import { underlyingOf } from '../catalog/routing.ts';
import type { Host } from '../host.ts';
import { describeState, type ServerView } from '../serverView.ts';
import { readToolSettings } from '../platform/settings.ts';
import { effectIcon, effectLabel, serverDescription, serverMarks, stateIcon, toolMarks } from './presentation.ts';
import { LazyPart } from './lazyPart.ts';
import type { NameMark, NameMarks, serverTooltip, toolTooltip } from './nameMarks.ts';
import { noticeToolChanges } from './toolChangeNotice.ts';

export interface ServerNode {
  readonly kind: 'server';
  readonly serverId: string;
}

export interface ToolNode {
  readonly kind: 'tool';
  readonly tool: CatalogTool;
}

export type Node = ServerNode | ToolNode;

/** What the view shows once it is loaded. */
interface Details {
  readonly names: NameMarks;
  readonly serverTooltip: typeof serverTooltip;
  readonly toolTooltip: typeof toolTooltip;
}

const NO_MARKS: NameMark = { marks: [], sentences: [] };
const WARNING_ICON = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
/** Servers flicker through several states as they start; one refresh shows them all. */
const REFRESH_DELAY_MS = 50;

/** The view *Servers*: servers with their state, and under each its tools. */
export class ServersTree implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #nodes = new Map<string, ServerNode>();
  readonly #quality: LazyPart<QualityBook>;
  readonly #details: LazyPart<Details>;
  readonly view: vscode.TreeView<Node>;
  readonly onDidChangeTreeData: vscode.Event<Node | undefined> = this.#changed.event;

  constructor(host: Host) {
    this.#host = host;
    this.#disposables.add(this.#changed);
    const showAgain = (): void => this.#changed.fire(undefined);
    this.#quality = new LazyPart(async () => new (await import('../catalog/toolReport.ts')).QualityBook(), showAgain);
    this.#details = new LazyPart(async () => {
      const { NameMarks: Marks, ...tooltips } = await import('./nameMarks.ts');
      return { ...tooltips, names: new Marks(host.namesInUse) };
    }, showAgain);
    const refresh = this.#disposables.add(
      new Debouncer(REFRESH_DELAY_MS, systemClock, () => this.#changed.fire(undefined)),
    );
    this.#disposables.add(host.onDidChange(() => refresh.trigger()));
    this.#disposables.add(noticeToolChanges(host));
    this.view = this.#disposables.add(
      vscode.window.createTreeView('mcpSwitchboard.servers', { treeDataProvider: this, showCollapseAll: true }),
    );
  }

  getChildren(node?: Node): Node[] {
    if (!node) return this.#host.views.map(({ definition }) => this.serverNode(definition.id));
    return node.kind === 'server' ? this.#toolNodes(node) : [];
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'tool' ? this.serverNode(node.tool.serverId) : undefined;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'tool') return this.#toolItem(node.tool);
    const view = this.#host.view(node.serverId);
    if (!view) return new vscode.TreeItem(node.serverId);
    const { catalog, feed } = this.#host;
    const named = this.#details.value?.names.ofServer(view.definition.name) ?? NO_MARKS;
    const marks = [...serverMarks(catalog.toolsOf(node.serverId), feed.changesOf(node.serverId).size), ...named.marks];
    const item = serverItem(view, catalog.toolsOf(node.serverId).length > 0, marks);
    const problems = catalog.problemsOf(node.serverId).map(({ message, fix }) => `${message} ${fix}`);
    const leftOut = this.#host.pool.get(node.serverId)?.leftOut ?? [];
    item.tooltip = this.#details.value?.serverTooltip(view, { rules: problems, leftOut, warnings: named.sentences });
    if (named.marks.length > 0) item.iconPath = WARNING_ICON;
    return item;
  }

  /** Shows a tool in the tree and selects it. */
  async reveal(tool: CatalogTool): Promise<void> {
    await this.view.reveal({ kind: 'tool', tool }, { select: true, focus: true });
  }

  /** The same object for the same server, so that the editor keeps what is expanded and selected. */
  serverNode(serverId: string): ServerNode {
    let node = this.#nodes.get(serverId);
    if (!node) {
      node = { kind: 'server', serverId };
      this.#nodes.set(serverId, node);
    }
    return node;
  }

  #toolNodes(node: ServerNode): ToolNode[] {
    return this.#host.catalog.toolsOf(node.serverId).map((tool) => ({ kind: 'tool', tool }));
  }

  #toolItem(entry: CatalogTool): vscode.TreeItem {
    const { catalog, feed } = this.#host;
    const quality = this.#quality.value?.of(entry, catalog.toolsOf(entry.serverId));
    const { toolQualityThreshold } = readToolSettings();
    const item = toolItem(entry);
    const named = this.#details.value?.names.ofTool(entry) ?? NO_MARKS;
    const marks = toolMarks({
      named: named.marks,
      ...(quality && quality.score < toolQualityThreshold ? { poorQuality: quality } : {}),
      isChanged: feed.changesOf(entry.serverId).has(underlyingOf(entry).name),
    });
    if (marks.length > 0) {
      item.description = [item.description, ...marks].join(' · ');
      item.iconPath = WARNING_ICON;
    }
    item.tooltip = this.#details.value?.toolTooltip(entry, quality, named.sentences);
    item.accessibilityInformation = {
      label: vscode.l10n.t('Tool {0}, {1}', showInvisible(entry.tool.name), String(item.description)),
    };
    return item;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function serverItem(view: ServerView, hasTools: boolean, marks: readonly string[]): vscode.TreeItem {
  const { definition, state } = view;
  const collapsible = hasTools ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const name = showInvisible(definition.name);
  const item = new vscode.TreeItem(name, collapsible);
  item.id = definition.id;
  item.description = [serverDescription(view), ...marks].join(' · ');
  item.iconPath = stateIcon(state);
  item.contextValue = contextValue(view);
  item.accessibilityInformation = {
    label: vscode.l10n.t('MCP server {0}, {1}, {2}', name, describeState(state), item.description),
  };
  return item;
}

function toolItem(entry: CatalogTool): vscode.TreeItem {
  const effect = effectOf(entry.tool.annotations);
  const item = new vscode.TreeItem(showInvisible(entry.tool.name));
  item.id = `${entry.serverId}\n${entry.tool.name}`;
  item.description = effectLabel(effect);
  item.iconPath = effectIcon(effect);
  item.contextValue = 'tool';
  return item;
}

/** What can be done with a server, as words that the manifest's menus look for. */
function contextValue({ definition, state }: ServerView): string {
  const { status } = definition;
  const can: string[] = ['server'];
  switch (state.kind) {
    case 'connected':
      can.push(...['resources', 'prompts'].filter((what) => what in state.info.capabilities));
      can.push('disconnectable', 'restartable');
      break;
    case 'connecting':
    case 'pending':
      can.push('disconnectable', 'restartable');
      break;
    case 'disconnected':
    case 'failed':
    case 'needs-auth':
      can.push('connectable');
      break;
    case 'blocked':
      if (state.needsApproval || (status.kind === 'blocked' && status.by === 'rejected')) can.push('approvable');
      break;
    case 'disabled':
    case 'shadowed':
    case 'problem':
      break;
  }
  if (status.kind === 'disabled' && status.by === 'person') can.push('enableable');
  if (status.kind === 'disabled' && status.by === 'editor') can.push('hostable');
  if (status.kind === 'ready' || status.kind === 'needs-approval') can.push('disableable');
  return can.join(' ');
}
