import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { isWanted } from '../../../host/views/serverView.ts';
import type { Gateway } from '../gateway.ts';
import type { EditorGateway, GatewayProviderPorts } from './editorGateway.ts';

/** What the editor does with the definitions, and what is in them, depends on these. */
const PUBLISHED_ANEW = ['chat.mcp.autostart', 'mcpSwitchboard.gateway.agentHostSessions'];

/** As the manifest declares it. */
export const PROVIDER_ID = 'mcpSwitchboard.gateway';

/**
 * Provides the gateway's endpoints to the editor as MCP servers. The gateway is loaded when the first server is connected,
 * its tools are remembered, or it waits for something, or Switchboard is the MCP host: then there is something to publish.
 */
export class GatewayProvider implements Disposable, vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> {
  readonly #ports: GatewayProviderPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void> = (listener, self) =>
    this.#changed.event(() => listener.call(self));
  #loading: Promise<EditorGateway> | undefined;
  #loaded: EditorGateway | undefined;

  constructor(ports: GatewayProviderPorts) {
    this.#ports = ports;
    this.#disposables.add(this.#changed);
    this.#disposables.add(vscode.lm.registerMcpServerDefinitionProvider(PROVIDER_ID, this));
    this.#disposables.add(ports.host.catalog.onDidChange(() => void this.#openWhenNeeded()));
    this.#disposables.add(ports.host.pool.onDidChangeState(() => void this.#openWhenNeeded()));
    this.#disposables.add(ports.host.servers.onDidChange(() => void this.#openWhenNeeded()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (PUBLISHED_ANEW.some((name) => event.affectsConfiguration(name))) this.#loaded?.publish();
        if (!event.affectsConfiguration('mcpSwitchboard')) return;
        if (ports.settings().enabled) void this.#openWhenNeeded().then(() => this.gateway?.refresh());
        else this.#loaded?.close();
      }),
    );
  }

  /** The gateway, once it is open. */
  get gateway(): Gateway | undefined {
    return this.#loaded?.gateway;
  }

  provideMcpServerDefinitions(): vscode.McpHttpServerDefinition[] {
    return this.#loaded?.definitions() ?? [];
  }

  resolveMcpServerDefinition(definition: vscode.McpHttpServerDefinition): vscode.McpHttpServerDefinition | undefined {
    return this.#loaded?.resolve(definition);
  }

  /** The user chose this extension: ours take the place of the editor's copies. */
  async replaceEditorCopies(): Promise<void> {
    await (await this.#load()).handOver.replaceEditorCopies();
  }

  /** The user chose the editor: its copies are enabled again, where ours had taken their place. */
  async restoreEditorCopies(): Promise<void> {
    await (await this.#load()).handOver.restoreEditorCopies();
  }

  #load(): Promise<EditorGateway> {
    this.#loading ??= import('./editorGateway.ts').then((module) => {
      const gateway = new module.EditorGateway(this.#ports, () => this.#changed.fire());
      this.#loaded = this.#disposables.add(gateway);
      return gateway;
    });
    return this.#loading;
  }

  async #openWhenNeeded(): Promise<void> {
    const { host, settings } = this.#ports;
    if (this.#disposables.isDisposed || this.gateway || !settings().enabled) return;
    // Where Switchboard is the host, also what is off here concerns the editor.
    const { hosting } = host.servers;
    if (hosting !== 'switchboard' && host.catalog.tools.length === 0 && !host.views.some(isWanted)) return;
    await (await this.#load()).open();
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
