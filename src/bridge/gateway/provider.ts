import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { delay } from '../../base/async.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import type { ServerEntry } from '../../config/types.ts';
import type { Host } from '../../host.ts';
import type { Gateway, GatewaySettings, PublishedEndpoint } from './gateway.ts';
import { labelsFor } from './labels.ts';

/** As the manifest declares it. */
export const PROVIDER_ID = 'mcpSwitchboard.gateway';

/** When servers that the editor hasn't started yet are started, each from the one before. */
const START_DELAYS_MS = [100, 300, 1_000, 3_000, 10_000];

export interface GatewayProviderPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of this extension: publisher and name. */
  readonly extensionId: string;
  readonly version: string;
  readonly settings: () => GatewaySettings & { readonly enabled: boolean };
  /** Whether the editor may have a server of this entry in its own list. */
  readonly mayEditorKnow: (entry: ServerEntry) => boolean;
}

/**
 * Publishes the gateway's endpoints to the editor as MCP servers. The gateway is loaded when the first server is connected,
 * or its tools are remembered, so that there is something to publish.
 */
export class GatewayProvider implements Disposable, vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> {
  readonly #ports: GatewayProviderPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void> = (listener, self) =>
    this.#changed.event(() => listener.call(self));
  /** Addresses that the editor has begun to start. */
  readonly #started = new Set<string>();
  #gateway: Promise<Gateway | undefined> | undefined;
  #open: Gateway | undefined;

  constructor(ports: GatewayProviderPorts) {
    this.#ports = ports;
    this.#disposables.add(this.#changed);
    this.#disposables.add(vscode.lm.registerMcpServerDefinitionProvider(PROVIDER_ID, this));
    this.#disposables.add(ports.host.catalog.onDidChange(() => void this.#openWhenNeeded()));
    this.#disposables.add(ports.host.pool.onDidChangeState(() => void this.#openWhenNeeded()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('mcpSwitchboard')) return;
        if (ports.settings().enabled) void this.#openWhenNeeded().then(() => this.#open?.refresh());
        else this.#close();
      }),
    );
  }

  /** The gateway, once there is one. */
  get gateway(): Gateway | undefined {
    return this.#open;
  }

  provideMcpServerDefinitions(): vscode.McpHttpServerDefinition[] {
    return [...this.#labels()].map(
      ([{ url, version }, label]) => new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), {}, version),
    );
  }

  /** The token is added only here: what is provided is kept by the editor in the open. */
  resolveMcpServerDefinition(definition: vscode.McpHttpServerDefinition): vscode.McpHttpServerDefinition | undefined {
    if (!this.#open) return undefined;
    this.#started.add(definition.uri.toString());
    definition.headers = { authorization: `Bearer ${this.#open.token}` };
    return definition;
  }

  #labels(): ReadonlyMap<PublishedEndpoint, string> {
    const { host, mayEditorKnow } = this.#ports;
    return labelsFor(this.#open?.endpoints ?? [], ({ serverId }) => {
      const entry = host.servers.get(serverId)?.entry;
      return entry !== undefined && mayEditorKnow(entry);
    });
  }

  async #openWhenNeeded(): Promise<void> {
    const { host, clock, version, log, settings } = this.#ports;
    const isNeeded = host.catalog.tools.length > 0 || host.pool.all.some(({ state }) => state.kind === 'connected');
    if (this.#disposables.isDisposed || !settings().enabled || !isNeeded) return;
    this.#gateway ??= import('./editorGateway.ts')
      .then(({ openGateway }) => openGateway({ host, clock, version, settings }))
      .then((gateway) => this.#opened(gateway))
      .catch((error: unknown) => {
        log.log('error', `The gateway could not be opened: ${messageOf(error)}`);
        return undefined;
      });
    await this.#gateway;
  }

  #opened(gateway: Gateway): Gateway | undefined {
    if (this.#disposables.isDisposed || !this.#ports.settings().enabled) {
      gateway.dispose();
      return undefined;
    }
    this.#open = gateway;
    gateway.onDidChange(() => void this.#publish());
    void this.#publish();
    return gateway;
  }

  async #publish(): Promise<void> {
    const published = new Set([...this.#labels().keys()].map(({ url }) => vscode.Uri.parse(url).toString()));
    for (const url of this.#started) if (!published.has(url)) this.#started.delete(url);
    this.#changed.fire();
    if (vscode.workspace.getConfiguration('chat.mcp').get('autostart') !== 'never') return;
    const { startInEditor } = await import('./editorGateway.ts');
    // The editor takes a moment to know of what was published, and says nothing then.
    for (const delayMs of START_DELAYS_MS) {
      await delay(delayMs, this.#ports.clock);
      const missing = [...this.#labels()].filter(([{ url }]) => !this.#started.has(vscode.Uri.parse(url).toString()));
      if (missing.length === 0 || this.#disposables.isDisposed) return;
      await startInEditor(
        this.#ports.extensionId,
        missing.map(([, label]) => label),
      );
    }
  }

  #close(): void {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    this.#open = undefined;
    this.#started.clear();
    void gateway?.then((open) => open?.dispose());
    this.#changed.fire();
  }

  dispose(): void {
    const gateway = this.#open;
    this.#disposables.dispose();
    gateway?.dispose();
  }
}
