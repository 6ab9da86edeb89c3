// Loaded when the view of servers is first shown.
import * as vscode from 'vscode';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { Debouncer } from '../../../base/async.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../../base/disposable.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';
import type { CatalogTool } from '../../../catalog/catalogTool.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import { SECTION } from '../../../platform/settings/ownSettings.ts';
import { activePresetText, presetNotice } from '../../presets/presetText.ts';
import { arrangeServers, groupServers, readArrangement, type Arrangement } from './arrangeServers.ts';
import { bannersOf } from './banners.ts';
import { brokenSources, categoriesOf, itemNodesOf, problemsOfServer, skillNodesOf } from './serverChildren.ts';
import { TreeChanges } from './treeChanges.ts';
import { TreeRows, type ToolMarkSettings } from './treeRows.ts';
import type { Category, CategoryNode, Node, ScopeNode, ServerNode, ToolNode } from './treeNodes.ts';

/** Servers pass through several states as they start; one refresh shows them all. */
const REFRESH_DELAY_MS = 50;
/** As long as the last tooltip is read at most. */
const TOOLTIP_KEPT_MS = 30_000;
const ARRANGEMENT_KEY = 'serversView';
/** A server that doesn't say what it has must not keep its row busy. */
const LIST_TIMEOUT_MS = 20_000;

/** What the view says of itself. */
export interface ViewTitle {
  /** Beside its title. */
  readonly description: string;
  /** Above its rows. */
  readonly message: string;
}

/** What the view *Servers* shows: rows of servers, below each what it has, and which of them changed. */
export class ServersTreeData implements Disposable {
  readonly #host: Host;
  readonly #store: KeyValueStore;
  readonly #disposables = new DisposableStore();
  readonly #changed: (nodes: Node[] | undefined) => void;
  readonly #describe: (title: ViewTitle) => void;
  readonly #rows: TreeRows;
  readonly #nodes = new Map<string, Node>();
  readonly #toolNodes = new WeakMap<CatalogTool, ToolNode>();
  readonly #changes: TreeChanges;
  /** Servers whose tools are shown. */
  readonly #open = new Set<string>();
  /** The servers with a tooltip that the editor keeps, and what waits to draw each anew. */
  readonly #measured = new Map<Node, Disposable>();
  readonly #clock: Clock;
  #arrangement: Arrangement;
  #title: ViewTitle | undefined;

  /**
   * @param changed tells the editor which rows are to be drawn anew; `undefined`: all
   * @param describe shows what is beside the view's title and above its rows
   */
  constructor(
    host: Host,
    settings: () => ToolMarkSettings,
    store: KeyValueStore,
    changed: (nodes: Node[] | undefined) => void,
    describe: (title: ViewTitle) => void,
    clock: Clock = systemClock,
  ) {
    this.#describe = describe;
    this.#clock = clock;
    this.#host = host;
    this.#store = store;
    this.#changed = changed;
    this.#arrangement = readArrangement(store.get(ARRANGEMENT_KEY));
    this.#rows = new TreeRows(host, settings, () => this.#arranged());
    this.#changes = new TreeChanges(
      host,
      () => this.#arrangedOrder(),
      (id) => this.#open.has(id),
    );
    this.#changes.next();
    const refresh = this.#disposables.add(new Debouncer(REFRESH_DELAY_MS, systemClock, () => this.tellChanges()));
    this.#disposables.add(toDisposable(() => this.#measured.forEach((wait) => wait.dispose())));
    for (const source of [host, host.signIns, host.config, host.loaded])
      this.#disposables.add(source.onDidChange(() => refresh.trigger()));
    this.#disposables.add(
      host.calls.history.onDidAdd(({ tool }) => {
        this.#rows.forgetCalls();
        const entry = host.catalog.find(tool);
        if (entry && this.#open.has(entry.serverId)) this.#changed([this.#toolNode(entry)]);
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) this.#changed(undefined);
      }),
    );
    this.#setContext();
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** Shows the servers in another way, and remembers it for the workspace. */
  async arrange(change: Partial<Arrangement>): Promise<void> {
    this.#arrangement = { ...this.#arrangement, ...change };
    this.#setContext();
    this.#changed(undefined);
    await this.#store.set(ARRANGEMENT_KEY, this.#arrangement);
  }

  #setContext(): void {
    const { isGrouped, filter } = this.#arrangement;
    this.#entitle();
    setContext('serversGrouped', isGrouped);
    setContext('serversFiltered', filter !== '');
  }

  /** The active preset and the filter, and what is to be known of the preset. */
  #entitle(): void {
    const parts = [activePresetText(this.#host), this.#arrangement.filter];
    const description = parts.filter((part) => part !== undefined && part !== '').join(' · ');
    const message = presetNotice(this.#host) ?? '';
    if (this.#title?.description === description && this.#title.message === message) return;
    const title = { description, message };
    this.#title = title;
    this.#describe(title);
  }

  async children(node?: Node): Promise<Node[]> {
    switch (node?.kind) {
      case undefined:
        // Until the files are read nobody knows whether there are servers: the view shows progress.
        await this.#host.start();
        return this.#rootNodes();
      case 'scope':
        return this.#arranged()
          .filter(({ definition }) => definition.entry.scope === node.scope)
          .map(({ definition }) => this.serverNode(definition.id));
      case 'server': {
        const view = this.#host.view(node.serverId);
        return view ? categoriesOf(this.#host, view).map((what) => this.#category(node.serverId, what)) : [];
      }
      case 'category':
        return this.#childrenOf(node);
      default:
        return [];
    }
  }

  parent(node: Node): Node | undefined {
    switch (node.kind) {
      case 'server': {
        const scope = this.#host.servers.get(node.serverId)?.entry.scope;
        return scope !== undefined && this.#isGrouped(this.#arranged()) ? this.#scope(scope) : undefined;
      }
      case 'category':
        return this.serverNode(node.serverId);
      case 'tool':
        return this.#category(node.tool.serverId, 'tools');
      case 'disabledTool':
        return this.#category(node.serverId, 'tools');
      default:
        return undefined;
    }
  }

  /** A row without its tooltip. */
  row(node: Node): vscode.TreeItem {
    return this.#rows.row(node);
  }

  /**
   * Adds the tooltip of a row: memory and processor time are measured now. The editor keeps a tooltip until the row is drawn
   * anew, which closes it: so that is done when it has been read.
   */
  resolve(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind === 'server') {
      this.#measured.get(node)?.dispose();
      const forget = (): void => {
        this.#measured.delete(node);
        this.#changed([node]);
      };
      this.#measured.set(node, this.#clock.schedule(TOOLTIP_KEPT_MS, forget));
    }
    return this.#rows.resolve(item, node);
  }

  /** The same object for the same server, so that the editor keeps what is expanded and selected. */
  serverNode(serverId: string): ServerNode {
    return this.#kept(`server ${serverId}`, { kind: 'server', serverId });
  }

  /** A tool's row, to be shown. */
  toolNode(tool: CatalogTool): ToolNode {
    return this.#toolNode(tool);
  }

  /** Only what has changed is drawn anew: with hundreds of servers the whole takes half a second. */
  tellChanges(): void {
    this.#entitle();
    const changed = this.#changes.next();
    if (changed === 'all') this.#changed(undefined);
    else if (changed.length > 0) this.#changed(changed.map((id) => this.serverNode(id)));
  }

  /** The editor shows what is below a row, or no longer. */
  setOpen(node: Node, isOpen: boolean): void {
    if (node.kind !== 'category' || node.what !== 'tools') return;
    // What has changed until now isn't taken for what this changes.
    this.tellChanges();
    if (isOpen) this.#open.add(node.serverId);
    else this.#open.delete(node.serverId);
    this.#changes.next();
  }

  /** Drops the filter where it hides a server that is to be shown. */
  async uncover(serverId: string): Promise<void> {
    const isHidden = !this.#arranged().some(({ definition }) => definition.id === serverId);
    if (isHidden && this.#arrangement.filter !== '') await this.arrange({ filter: '' });
  }

  #rootNodes(): Node[] {
    const views = this.#arranged();
    const { filter } = this.#arrangement;
    const banners = [...bannersOf(this.#host).keys()].map((what) =>
      this.#kept(`banner ${what}`, { kind: 'banner', what }),
    );
    const files = brokenSources(this.#host.config.snapshot).map(({ source: { id } }) =>
      this.#kept(`file ${id}`, { kind: 'file', sourceId: id }),
    );
    const servers = this.#isGrouped(views)
      ? groupServers(views).map(({ scope }) => this.#scope(scope))
      : views.map(({ definition }) => this.serverNode(definition.id));
    const hasNoMatch = filter !== '' && servers.length === 0 && this.#host.servers.definitions.length > 0;
    setContext('noServerMatches', hasNoMatch);
    setContext('serversRead', true);
    // The view says itself what it can't find.
    return hasNoMatch ? [] : [...banners, ...files, ...servers];
  }

  #arranged(): readonly ServerView[] {
    return arrangeServers(this.#host.views, this.#arrangement, (id) =>
      this.#host.catalog.toolsOf(id).map(({ tool }) => tool.name),
    );
  }

  /** Only where it is another than the definitions': it takes a look at every state. */
  #arrangedOrder(): readonly string[] {
    const { sort, filter } = this.#arrangement;
    return sort === 'defined' && filter === '' ? [] : this.#arranged().map(({ definition }) => definition.id);
  }

  /** Scopes are worth a row where there are several. */
  #isGrouped(views: readonly ServerView[]): boolean {
    return this.#arrangement.isGrouped && new Set(views.map(({ definition }) => definition.entry.scope)).size > 1;
  }

  async #childrenOf({ serverId, what }: CategoryNode): Promise<Node[]> {
    const view = this.#host.view(serverId);
    if (!view) return [];
    switch (what) {
      case 'tools':
        return [
          ...this.#host.catalog.toolsOf(serverId).map((tool) => this.#toolNode(tool)),
          ...this.#host.catalog
            .disabledToolsOf(serverId)
            .map((tool) => this.#kept(`off ${serverId}\n${tool.name}`, { kind: 'disabledTool', serverId, tool })),
        ];
      case 'problems':
        return problemsOfServer(this.#host, view).map((problem) => ({ kind: 'problem', problem }));
      case 'skills':
        return skillNodesOf(this.#host, view, AbortSignal.timeout(LIST_TIMEOUT_MS));
      case 'resources':
      case 'prompts':
        return itemNodesOf(this.#host, view, what, AbortSignal.timeout(LIST_TIMEOUT_MS));
    }
  }

  #toolNode(tool: CatalogTool): ToolNode {
    let node = this.#toolNodes.get(tool);
    if (!node) {
      node = { kind: 'tool', tool };
      this.#toolNodes.set(tool, node);
    }
    return node;
  }

  #scope(scope: ScopeNode['scope']): ScopeNode {
    return this.#kept(`scope ${scope}`, { kind: 'scope', scope });
  }

  #category(serverId: string, what: Category): CategoryNode {
    return this.#kept(`${what} ${serverId}`, { kind: 'category', serverId, what });
  }

  #kept<T extends Node>(key: string, node: T): T {
    const kept = this.#nodes.get(key);
    if (kept) return kept as T;
    this.#nodes.set(key, node);
    return node;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** For the conditions in the manifest. */
function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `mcpSwitchboard.${key}`, value);
}
