import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';
import type { Node } from './tree/treeNodes.ts';
import type { ServersTreeData, ViewTitle } from './tree/serversTreeData.ts';
import type { ToolMarkSettings } from './tree/treeRows.ts';

/** What is dragged from one place of the view to another: the editor's name for it. */
const MIME = 'application/vnd.code.tree.mcpswitchboard.servers';

/** The view *Servers*. What it shows is loaded when the editor first asks for it. */
export class ServersTree implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #load: () => Promise<ServersTreeData>;
  #data: Promise<ServersTreeData> | undefined;
  readonly view: vscode.TreeView<Node>;
  readonly onDidChangeTreeData: vscode.Event<Node[] | undefined> = this.#changed.event;

  /** @param store where the view's order and filter are remembered */
  constructor(host: Host, settings: () => ToolMarkSettings, store: KeyValueStore) {
    this.#disposables.add(this.#changed);
    this.#load = async () => {
      const { ServersTreeData: Loaded } = await import('./tree/serversTreeData.ts');
      const changed = (nodes: Node[] | undefined): void => this.#changed.fire(nodes);
      const describe = (title: ViewTitle): void => void Object.assign(this.view, title);
      return this.#disposables.add(new Loaded(host, settings, store, changed, describe));
    };
    const drag: vscode.TreeDragAndDropController<Node> = {
      dragMimeTypes: [MIME],
      dropMimeTypes: [MIME],
      handleDrag: (nodes, data) => {
        const ids = nodes.flatMap((node) => (node.kind === 'server' ? [node.serverId] : []));
        if (ids.length > 0) data.set(MIME, new vscode.DataTransferItem(ids));
      },
      handleDrop: (node, data) => {
        const ids: unknown = data.get(MIME)?.value;
        if (ids) void vscode.commands.executeCommand('mcpSwitchboard.dropServers', ids, node);
      },
    };
    this.view = this.#disposables.add(
      vscode.window.createTreeView('mcpSwitchboard.servers', {
        treeDataProvider: this,
        showCollapseAll: true,
        canSelectMany: true,
        manageCheckboxStateManually: true,
        dragAndDropController: drag,
      }),
    );
    const setOpen = async (node: Node, isOpen: boolean): Promise<void> => (await this.data()).setOpen(node, isOpen);
    this.#disposables.add(this.view.onDidExpandElement(({ element }) => void setOpen(element, true)));
    this.#disposables.add(this.view.onDidCollapseElement(({ element }) => void setOpen(element, false)));
    this.#disposables.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        for (const [node] of items) void vscode.commands.executeCommand('mcpSwitchboard.toggleTool', node);
      }),
    );
  }

  /** What the view shows. */
  data(): Promise<ServersTreeData> {
    return (this.#data ??= this.#load());
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return (await this.data()).children(node);
  }

  async getParent(node: Node): Promise<Node | undefined> {
    return (await this.data()).parent(node);
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    return (await this.data()).row(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    return (await this.data()).resolve(item, node);
  }

  /** Shows a tool in the tree and selects it. */
  async reveal(tool: CatalogTool): Promise<void> {
    const data = await this.data();
    await data.uncover(tool.serverId);
    await this.view.reveal(data.toolNode(tool), { select: true, focus: true });
  }

  /** Shows a server in the tree, with what it has, and selects it. */
  async revealServer(id: string): Promise<void> {
    const data = await this.data();
    await data.uncover(id);
    await this.view.reveal(data.serverNode(id), { select: true, focus: true, expand: true });
  }

  /** Draws a row anew as it is, e.g. a checkbox whose change failed. */
  redraw(node: Node): void {
    this.#changed.fire([node]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
