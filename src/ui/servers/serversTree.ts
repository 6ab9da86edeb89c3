import * as vscode from 'vscode';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';
import { SECTION } from '../../platform/ownSettings.ts';
import { waitingForUser } from '../../host/waitingForUser.ts';
import type { ServerItems, ToolMarkSettings } from './serverTreeItems.ts';
import { noticeToolChanges } from '../tools/toolChangeNotice.ts';

export interface ServerNode {
  readonly kind: 'server';
  readonly serverId: string;
}

export interface ToolNode {
  readonly kind: 'tool';
  readonly tool: CatalogTool;
}

/** A line above the servers: something that waits for the user, with the command that sees to it. */
export interface WaitingNode {
  readonly kind: 'waiting';
  readonly what: 'approvals' | 'changes';
}

export type Node = ServerNode | ToolNode | WaitingNode;

const WAITING: readonly WaitingNode[] = [
  { kind: 'waiting', what: 'approvals' },
  { kind: 'waiting', what: 'changes' },
];

/** Servers pass through several states as they start; one refresh shows them all. */
const REFRESH_DELAY_MS = 50;

/** The view *Servers*: servers with their state, and under each its tools. */
export class ServersTree implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #host: Host;
  readonly #settings: () => ToolMarkSettings;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #nodes = new Map<string, ServerNode>();
  /** By server, in order: what its rows were made of when the editor was last told of a change. */
  #told: ReadonlyMap<string, readonly unknown[]> = new Map();
  /** Servers whose tools are shown. */
  readonly #open = new Set<string>();
  #items: Promise<ServerItems> | undefined;
  readonly view: vscode.TreeView<Node>;
  readonly onDidChangeTreeData: vscode.Event<Node[] | undefined> = this.#changed.event;

  constructor(host: Host, settings: () => ToolMarkSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#disposables.add(this.#changed);
    const refresh = this.#disposables.add(new Debouncer(REFRESH_DELAY_MS, systemClock, () => this.#tellChanges()));
    this.#disposables.add(host.onDidChange(() => refresh.trigger()));
    this.#disposables.add(host.signIns.onDidChange(() => refresh.trigger()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) this.#changed.fire(undefined);
      }),
    );
    this.#disposables.add(noticeToolChanges(host));
    this.view = this.#disposables.add(
      vscode.window.createTreeView('mcpSwitchboard.servers', { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#disposables.add(
      this.view.onDidExpandElement(({ element }) => element.kind === 'server' && this.#open.add(element.serverId)),
    );
    this.#disposables.add(
      this.view.onDidCollapseElement(({ element }) => element.kind === 'server' && this.#open.delete(element.serverId)),
    );
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      const { views, feed } = this.#host;
      const waiting = waitingForUser({ views, feed });
      return [
        ...WAITING.filter(({ what }) => waiting[what] > 0),
        ...views.map(({ definition }) => this.serverNode(definition.id)),
      ];
    }
    return node.kind === 'server' ? this.#toolNodes(node) : [];
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'tool' ? this.serverNode(node.tool.serverId) : undefined;
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    this.#items ??= import('./serverTreeItems.ts').then(
      ({ ServerItems: Loaded }) => new Loaded(this.#host, this.#settings),
    );
    const items = await this.#items;
    switch (node.kind) {
      case 'waiting':
        return items.ofWaiting(node.what);
      case 'tool':
        return items.ofTool(node.tool);
      case 'server':
        return items.ofServer(node.serverId);
    }
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

  /** Only what has changed is drawn anew: with hundreds of servers the whole takes half a second. */
  #tellChanges(): void {
    const before = this.#told;
    const waiting = waitingForUser(this.#host);
    const servers = this.#host.servers.definitions.map(({ id }) => [id, this.#partsOf(id)] as const);
    this.#told = new Map([['', [waiting.approvals, waiting.changes]], ...servers]);
    const ids = servers.map(([id]) => id);
    const [, ...idsBefore] = before.keys();
    const [oldWaiting, newWaiting] = [before.get('') ?? [], this.#told.get('') ?? []];
    const isSame = ids.join('\n') === idsBefore.join('\n') && newWaiting.every((count, at) => count === oldWaiting[at]);
    if (!isSame) return this.#changed.fire(undefined);
    const isNew = (id: string): boolean => {
      const [old, now] = [before.get(id) ?? [], this.#told.get(id) ?? []];
      return now.some((part, index) => part !== old[index]);
    };
    const changed = ids.filter(isNew);
    if (changed.length > 0) this.#changed.fire(changed.map((id) => this.serverNode(id)));
  }

  /** What the rows of a server and its tools are made of. */
  #partsOf(id: string): readonly unknown[] {
    const { catalog, feed, pool, servers, signIns } = this.#host;
    const connection = pool.get(id);
    const signIn = signIns.view(id);
    return [
      servers.get(id),
      connection?.state,
      connection?.leftOut,
      signIn?.off,
      signIn?.account?.label,
      catalog.toolsOf(id),
      catalog.problemsOf(id),
      feed
        .openChangesOf(id)
        .map(({ of, change }) => `${of} ${change.name}`)
        .join('\n'),
      // The rows of tools warn of those of other servers that look alike.
      this.#open.has(id) ? catalog.tools : undefined,
    ];
  }

  #toolNodes(node: ServerNode): ToolNode[] {
    return this.#host.catalog.toolsOf(node.serverId).map((tool) => ({ kind: 'tool', tool }));
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
