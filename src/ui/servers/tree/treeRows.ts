import * as vscode from 'vscode';
import { ToolDefinitions } from '../../../bridge/gateway/listedTools.ts';
import type { CatalogTool } from '../../../catalog/catalogTool.ts';
import { QualityCache, type ToolQuality } from '../../../catalog/toolQuality.ts';
import type { McpTool } from '../../../connection/connectionTypes.ts';
import type { DrawableIcon } from '../../../connection/icons/drawableIcon.ts';
import { readProcessUse } from '../../../connection/process/processUsage.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import { mayRunInEditor } from '../../../servers/trust/offHere.ts';
import { accountOf } from '../serverAccount.ts';
import { bannerRow, bannersOf } from './banners.ts';
import { NameMarks } from './nameMarks.ts';
import { categoryRow, fileRow, itemRow, noteRow, problemRow, scopeRow, skillRow } from './otherRows.ts';
import { serverRow } from './serverRow.ts';
import { serverTooltip, toolTooltip } from './serverTooltip.ts';
import { canSwitchTool, canSwitchTools } from './switchTools.ts';
import { disabledToolRow, toolRow } from './toolRow.ts';
import type { CategoryNode, Node, ToolNode } from './treeNodes.ts';

export interface ToolMarkSettings {
  /** Tools with a lower score are marked. */
  readonly toolQualityThreshold: number;
}

/** How the rows of the view *Servers* look. */
export class TreeRows {
  readonly #host: Host;
  readonly #settings: () => ToolMarkSettings;
  readonly #views: () => readonly ServerView[];
  readonly #quality = new QualityCache();
  readonly #names: NameMarks;
  readonly #definitions: ToolDefinitions;
  #calls: ReadonlyMap<string, number> | undefined;

  /** @param views the servers that the view shows */
  constructor(host: Host, settings: () => ToolMarkSettings, views: () => readonly ServerView[]) {
    this.#host = host;
    this.#settings = settings;
    this.#views = views;
    this.#names = new NameMarks(host);
    this.#definitions = new ToolDefinitions(host.catalog);
  }

  /** There was a call: the counts are others. */
  forgetCalls(): void {
    this.#calls = undefined;
  }

  /** A row without its tooltip. */
  row(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'banner':
        return bannerRow(node, bannersOf(this.#host).get(node.what) ?? 0);
      case 'file': {
        const result = this.#host.config.snapshot.results.find(({ source }) => source.id === node.sourceId);
        return result ? fileRow(result) : new vscode.TreeItem('');
      }
      case 'scope':
        return scopeRow(
          node.scope,
          this.#views().filter(({ definition }) => definition.entry.scope === node.scope),
        );
      case 'server': {
        const view = this.#host.view(node.serverId);
        if (!view) return new vscode.TreeItem('');
        return serverRow(this.#host, view, this.#names.ofServer(view.definition.entry.name));
      }
      case 'category':
        return categoryRow(node, this.#countOf(node));
      case 'tool':
        return this.#toolRow(node);
      case 'disabledTool':
        return disabledToolRow(node, this.#canSwitch(node.serverId));
      case 'problem':
        return problemRow(node);
      case 'note':
        return noteRow(node);
      case 'skill':
        return skillRow(node);
      case 'resource':
      case 'template':
      case 'prompt':
        return itemRow(node);
    }
  }

  /** Adds the tooltip of a row, with the icon of a server or tool: memory and processor time are measured now. */
  async resolve(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind === 'tool') {
      const { tool } = node;
      const named = this.#names.ofTool(tool);
      const icon = await this.#iconOf(tool.serverId, tool.tool.icons);
      item.tooltip = toolTooltip(tool, this.#qualityOf(tool), named.sentences, this.#definitions.tokensOf(tool), icon);
    } else if (node.kind === 'server') {
      const view = this.#host.view(node.serverId);
      if (view) item.tooltip = await this.#serverTooltip(view);
    } else item.tooltip ??= '';
    return item;
  }

  async #serverTooltip(view: ServerView): Promise<vscode.MarkdownString> {
    const { catalog, pool } = this.#host;
    const { id, entry } = view.definition;
    const pid = view.state.kind === 'connected' ? view.state.info.pid : undefined;
    const tools = catalog.toolsOf(id);
    const connection = pool.get(id);
    return serverTooltip(view, {
      now: Date.now(),
      use: pid === undefined ? undefined : await readProcessUse(pid, process.platform),
      timesConnected: connection?.timesConnected ?? 0,
      tools: {
        enabled: tools.length,
        disabled: catalog.disabledToolsOf(id).length,
        tokens: tools.reduce((sum, tool) => sum + this.#definitions.tokensOf(tool), 0),
      },
      account: accountOf(this.#host, view),
      warnings: [
        ...this.#names.ofServer(entry.name).sentences,
        ...(mayRunInEditor(this.#host.servers, view.definition)
          ? [
              vscode.l10n.t(
                'VS Code may start it: it doesn’t know that it is off here. To prevent that, choose MCP Switchboard as the MCP host.',
              ),
            ]
          : []),
      ],
      rules: catalog.problemsOf(id).map(({ message, fix }) => `${message} ${fix}`),
      leftOut: connection?.leftOut ?? [],
      icon: await this.#iconOf(id, view.state.kind === 'connected' ? view.state.info.icons : undefined),
    });
  }

  async #iconOf(serverId: string, icons: McpTool['icons']): Promise<DrawableIcon | undefined> {
    return icons && (await import('../../../bridge/drawnIcon.ts')).drawnIcon(this.#host, serverId, icons);
  }

  #countOf({ serverId, what }: CategoryNode): string | undefined {
    if (what !== 'tools') return undefined;
    const enabled = this.#host.catalog.toolsOf(serverId).length;
    const disabled = this.#host.catalog.disabledToolsOf(serverId).length;
    return disabled > 0 ? vscode.l10n.t('{0} of {1} enabled', enabled, enabled + disabled) : String(enabled);
  }

  #toolRow(node: ToolNode): vscode.TreeItem {
    const { tool } = node;
    const quality = this.#qualityOf(tool);
    return toolRow(this.#host, node, {
      named: this.#names.ofTool(tool),
      poorQuality: quality.score < this.#settings().toolQualityThreshold ? quality : undefined,
      calls: this.#callsOf(tool.name),
      tokens: this.#definitions.tokensOf(tool),
      canBeDisabled: this.#canDisable(tool),
    });
  }

  #canSwitch(serverId: string): boolean {
    const view = this.#host.view(serverId);
    return view !== undefined && canSwitchTools(view);
  }

  #canDisable(tool: CatalogTool): boolean {
    const view = this.#host.view(tool.serverId);
    return view !== undefined && canSwitchTool(view, tool);
  }

  #qualityOf(tool: CatalogTool): ToolQuality {
    return this.#quality.of(tool, this.#host.catalog.toolsOf(tool.serverId));
  }

  #callsOf(callableName: string): number {
    this.#calls ??= new Map(this.#host.calls.history.statistics.map(({ tool, count }) => [tool, count]));
    return this.#calls.get(callableName) ?? 0;
  }
}
