import * as vscode from 'vscode';
import { Debouncer } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyValueStore } from '../../../base/store.ts';
import type { ServerEntry } from '../../../config/configTypes.ts';
import type { Host } from '../../../host/host.ts';
import type { HandOver } from './editorHandOver.ts';
import type { Gateway, GatewaySettings, PublishedEndpoint } from '../gateway.ts';
import { takesNamesFromServers } from './endpointLabels.ts';

/** As the manifest declares it. */
export const PROVIDER_ID = 'mcpSwitchboard.gateway';

/** How long after the last of ours was started the rest of them count as left out, in milliseconds. */
const LOOK_AGAIN_MS = 3_000;
const TAKE_TRIES = 3;
/** When servers that the editor hasn't started yet are started, each from the one before. */
const START_DELAYS_MS = [100, 300, 1_000, 3_000, 10_000];

export interface GatewayProviderPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of this extension: publisher and name. */
  readonly extensionId: string;
  readonly version: string;
  readonly settings: () => GatewaySettings & { readonly enabled: boolean; readonly agentHostSessions: boolean };
  /** What the editor calls its own server of an entry; none where it has none. */
  readonly editorIds: (entry: ServerEntry) => readonly string[];
  /** Of this workspace. */
  readonly store: KeyValueStore;
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
  /** Labels of those: they are on in the editor, whatever their addresses are now. */
  readonly #on = new Set<string>();
  /** Servers whose copy of ours was turned on a moment ago and not seen on since, and how often that is tried again. */
  readonly #unseen = new Map<string, number>();
  readonly #lookAgain: Debouncer;
  #starting: Disposable | undefined;
  #loadedHandOver: Promise<HandOver> | undefined;
  #gateway: Promise<Gateway | undefined> | undefined;
  #open: Gateway | undefined;
  #loaded: typeof import('./editorGateway.ts') | undefined;

  constructor(ports: GatewayProviderPorts) {
    this.#ports = ports;
    this.#disposables.add(this.#changed);
    this.#lookAgain = this.#disposables.add(new Debouncer(LOOK_AGAIN_MS, ports.clock, () => void this.#takeMissed()));
    this.#disposables.add(vscode.lm.registerMcpServerDefinitionProvider(PROVIDER_ID, this));
    this.#disposables.add(ports.host.catalog.onDidChange(() => void this.#openWhenNeeded()));
    this.#disposables.add(ports.host.pool.onDidChangeState(() => void this.#openWhenNeeded()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('chat.mcp.autostart')) this.#publish();
        if (!event.affectsConfiguration('mcpSwitchboard')) return;
        if (ports.settings().enabled) void this.#openWhenNeeded().then(() => this.#open?.refresh());
        else this.#close();
      }),
    );
  }

  /** Whether the editor can be told which of two servers of one name runs. */
  get canSwitch(): boolean {
    return takesNamesFromServers(vscode.version);
  }

  /** The gateway, once there is one. */
  get gateway(): Gateway | undefined {
    return this.#open;
  }

  /**
   * Agent Host sessions are given what is provided as it is (VS Code 1.139: unresolved), so the token is in it unless they
   * aren't to be served: the editor keeps it in the open. It ends with the activation.
   */
  provideMcpServerDefinitions(): vscode.McpHttpServerDefinition[] {
    const headers = this.#ports.settings().agentHostSessions ? this.#headers() : {};
    return [...this.#labels()].map(
      ([{ url, version }, label]) => new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), headers, version),
    );
  }

  resolveMcpServerDefinition(definition: vscode.McpHttpServerDefinition): vscode.McpHttpServerDefinition | undefined {
    if (!this.#open) return undefined;
    this.#started.add(definition.uri.toString());
    this.#on.add(definition.label);
    if (this.#unseen.size > 0) this.#lookAgain.trigger();
    definition.headers = this.#headers();
    return definition;
  }

  #headers(): Record<string, string> {
    return this.#open ? { authorization: `Bearer ${this.#open.token}` } : {};
  }

  #labels(): ReadonlyMap<PublishedEndpoint, string> {
    if (!this.#open || !this.#loaded) return new Map();
    return this.#loaded.labelsFor(this.#open.endpoints, {
      namesFromServers: this.canSwitch,
      isListedIdle: (endpoint) => startsNone() && this.#editorIds(endpoint.serverId).length > 0,
    });
  }

  #editorIds(serverId: string): readonly string[] {
    const entry = this.#ports.host.servers.get(serverId)?.entry;
    return entry ? this.#ports.editorIds(entry) : [];
  }

  async #openWhenNeeded(): Promise<void> {
    const { host, clock, version, log, settings } = this.#ports;
    const isNeeded = host.catalog.tools.length > 0 || host.pool.all.some(({ state }) => state.kind === 'connected');
    if (this.#disposables.isDisposed || !settings().enabled || !isNeeded) return;
    this.#gateway ??= import('./editorGateway.ts')
      .then((loaded) => (this.#loaded = loaded).openGateway({ host, clock, version, settings }))
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
    gateway.onDidChange(() => this.#publish());
    this.#publish();
    return gateway;
  }

  #publish(): void {
    const published = new Set([...this.#labels().keys()].map(({ url }) => vscode.Uri.parse(url).toString()));
    for (const url of this.#started) if (!published.has(url)) this.#started.delete(url);
    this.#changed.fire();
    void this.#takeOver();
    this.#startLater(0);
  }

  /** The editor takes a moment to know of what was published, and says nothing then. */
  #startLater(attempt: number): void {
    this.#starting?.dispose();
    const delayMs = START_DELAYS_MS[attempt];
    if (delayMs === undefined || this.#disposables.isDisposed || !startsNone()) return;
    this.#starting = this.#ports.clock.schedule(delayMs, () => void this.#startMissing(attempt));
  }

  async #startMissing(attempt: number): Promise<void> {
    const missing = [...this.#labels()].filter(([{ url }]) => !this.#started.has(vscode.Uri.parse(url).toString()));
    if (missing.length === 0) return;
    const { startInEditor } = await import('./editorGateway.ts');
    await startInEditor(
      this.#ports.extensionId,
      missing.map(([, label]) => label),
    );
    this.#startLater(attempt + 1);
  }

  /** The person says again that we host: what the editor has, too, is taken anew. */
  async takeAgain(): Promise<void> {
    await (await this.#handOver).forget();
    await this.#takeOver();
  }

  /** The person leaves servers to the editor: its own are turned on again, where ours had taken their place. */
  async giveBack(): Promise<void> {
    this.#on.clear();
    this.#unseen.clear();
    await (await this.#handOver).giveBack((serverId) => this.#editorIds(serverId));
  }

  /**
   * The editor starts all that are on at once, before a message is sent: one of ours that it left out then was turned on in
   * vain, as when a click closed the list of options. A server of which the person turned ours off was seen on before.
   */
  async #takeMissed(): Promise<void> {
    for (const [{ serverId }, label] of this.#labels()) if (this.#on.has(label)) this.#unseen.delete(serverId);
    const missed = [...this.#unseen].filter(([, tries]) => tries > 0);
    this.#unseen.clear();
    if (missed.length === 0) return;
    await (await this.#handOver).forget(missed.map(([serverId]) => serverId));
    await this.#takeOver();
    for (const [serverId, tries] of missed) if (this.#unseen.has(serverId)) this.#unseen.set(serverId, tries - 1);
  }

  /** Of servers that the editor would start, too, and that run here, ours is the one that is on there. */
  async #takeOver(): Promise<void> {
    if (!this.canSwitch || startsNone()) return;
    const shared = [...this.#labels()].map(([{ serverId, serverName }, label]) => {
      // A label that was changed is none of the editor's, so it is on from the beginning.
      const isOn = label !== serverName || this.#on.has(label);
      return { serverId, label, editorIds: this.#editorIds(serverId), isOn };
    });
    const theirsToo = shared.filter(({ editorIds }) => editorIds.length > 0);
    if (theirsToo.length === 0) return;
    const turnedOn = await (await this.#handOver).take(theirsToo);
    for (const serverId of turnedOn) this.#unseen.set(serverId, TAKE_TRIES);
  }

  get #handOver(): Promise<HandOver> {
    const { extensionId, store, clock } = this.#ports;
    this.#loadedHandOver ??= import('./editorGateway.ts').then(
      ({ HandOver: Loaded }) => new Loaded(extensionId, store, clock),
    );
    return this.#loadedHandOver;
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
    this.#starting?.dispose();
    this.#disposables.dispose();
    gateway?.dispose();
  }
}

/** Whether the editor's own automatic start is off. */
function startsNone(): boolean {
  return vscode.workspace.getConfiguration('chat.mcp').get('autostart') === 'never';
}
