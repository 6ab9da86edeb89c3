import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { sha256, stableStringify } from '../../base/json.ts';
import type { ExposureSetting } from '../../catalog/exposure.ts';
import { isAlwaysLoaded } from '../../catalog/loadedTools.ts';
import { serverPartOf } from '../../catalog/names.ts';
import { pinTool } from '../../catalog/pins.ts';
import type { CatalogTool } from '../../catalog/types.ts';
import type { Host } from '../../host.ts';
import { Endpoint } from './endpoint.ts';
import { exposedTools, type Exposed } from './exposed.ts';
import type { QuestionWording } from './brokerCall.ts';
import { HostUpstream } from './hostUpstream.ts';
import { ListedTools, serverInfoName, splitCallableName } from './listedTools.ts';
import { LoopbackServer } from './loopbackServer.ts';
import type { ListedTool } from './upstream.ts';

export interface GatewaySettings {
  readonly exposure: ExposureSetting;
  /** Globs of tools that are in the agent's list whatever the exposure is. */
  readonly alwaysLoad: readonly string[];
}

export interface GatewayPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly wording: QuestionWording;
  readonly version: string;
  readonly settings: () => GatewaySettings;
}

/** An endpoint as it is published. */
export interface PublishedEndpoint {
  readonly serverId: string;
  /** The configured name. */
  readonly serverName: string;
  readonly url: string;
  /** Another one when what its tools say changes. */
  readonly version: string;
  /** How many of its tools are offered natively. */
  readonly toolCount: number;
}

interface Served {
  readonly serverName: string;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly toolsChanged: Emitter<void>;
  /** What was last told: callable names and pins. */
  told: string;
}

/**
 * This extension as an MCP server: one endpoint on loopback for each server that has offered something, with the broker
 * in front of every call. An endpoint stays when its server is lost, and then lists nothing.
 */
export class Gateway implements Disposable {
  /** Fresh for each gateway: worth nothing once it is gone. */
  readonly token = randomBytes(32).toString('base64url');
  readonly #ports: GatewayPorts;
  readonly #http: LoopbackServer;
  readonly #listed = new ListedTools();
  readonly #served = new Map<string, Served>();
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<void>());
  #exposed:
    { readonly tools: readonly CatalogTool[]; readonly settings: string; readonly exposed: Exposed } | undefined;
  #origin: string | undefined;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
    this.#http = this.#disposables.add(new LoopbackServer(this.token, (path) => this.#find(path)));
  }

  /** Fires when endpoints came or went, or the version of one is another. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Listens, and serves what the host has from now on. */
  async start(): Promise<void> {
    this.#origin = `http://127.0.0.1:${await this.#http.listen()}`;
    this.#disposables.add(this.#ports.host.catalog.onDidChange(() => this.refresh()));
    this.#disposables.add(this.#ports.host.servers.onDidChange(() => this.refresh()));
    this.refresh();
  }

  /** Those that have tools to offer natively, or had in this activation. */
  get endpoints(): readonly PublishedEndpoint[] {
    return [...this.#served].map(([serverId, { serverName, path }]) => ({
      serverId,
      serverName,
      url: `${this.#origin ?? ''}${path}`,
      version: this.#versionOf(serverId),
      toolCount: this.#toolsOf(serverId).length,
    }));
  }

  /** How tools are exposed now, and why. */
  get exposure(): Exposed['decision'] {
    return this.#exposure().decision;
  }

  /** Looks again at what is to be served; also when a setting changed. */
  refresh(): void {
    const before = this.#signature();
    const { host } = this.#ports;
    for (const [serverId, served] of this.#served) {
      const definition = host.servers.get(serverId);
      if (definition?.name === served.serverName) continue;
      this.#served.delete(serverId);
      served.endpoint.dispose();
      served.toolsChanged.dispose();
    }
    for (const serverId of host.catalog.serverIds) {
      if (!this.#served.has(serverId) && this.#toolsOf(serverId).length > 0) this.#serve(serverId);
    }
    for (const [serverId, served] of this.#served) {
      const told = this.#digest(serverId);
      if (told === served.told) continue;
      served.told = told;
      served.toolsChanged.fire();
    }
    if (this.#signature() !== before) this.#changed.fire();
  }

  #serve(serverId: string): void {
    const { host, clock, wording, version } = this.#ports;
    const tools = host.catalog.toolsOf(serverId);
    const serverName = tools[0]?.serverName ?? serverId;
    const part = splitCallableName(tools[0]?.name ?? '')?.part ?? serverPartOf(serverId, serverName, new Set());
    const toolsChanged = new Emitter<void>();
    const upstream = new HostUpstream({
      host,
      serverId,
      name: serverInfoName(part),
      wording,
      version,
      tools: () => this.#toolsOf(serverId),
      find: (name) => this.#allOf(serverId).find((tool) => tool.name === name),
      onDidChangeTools: toolsChanged.event,
    });
    this.#served.set(serverId, {
      serverName,
      path: `/mcp/${sha256(serverId).slice(0, 16)}`,
      endpoint: new Endpoint(upstream, clock),
      toolsChanged,
      told: this.#digest(serverId),
    });
  }

  #toolsOf(serverId: string): readonly ListedTool[] {
    const { names } = this.#exposure();
    return this.#allOf(serverId).filter(({ callableName }) => names.has(callableName));
  }

  #allOf(serverId: string): readonly ListedTool[] {
    const tools = this.#ports.host.catalog.toolsOf(serverId).map((tool) => this.#listed.listed(tool));
    return tools.filter((tool) => tool !== undefined);
  }

  #exposure(): Exposed {
    const { tools } = this.#ports.host.catalog;
    const { exposure, alwaysLoad } = this.#ports.settings();
    const settings = stableStringify([exposure, alwaysLoad]);
    if (this.#exposed?.tools !== tools || this.#exposed.settings !== settings) {
      const rules = { alwaysLoad, alwaysLoadServers: new Set<string>(), loadFound: false, maxFound: 0 };
      const exposed = exposedTools({
        setting: exposure,
        // What is only remembered can't be called at once.
        tools: tools.filter(({ cachedAt }) => cachedAt === undefined),
        tokensOf: (tool) => this.#listed.tokensOf(tool),
        isPinned: (tool) => isAlwaysLoaded(tool, rules),
      });
      this.#exposed = { tools, settings, exposed };
    }
    return this.#exposed.exposed;
  }

  #digest(serverId: string): string {
    return stableStringify(this.#toolsOf(serverId).map(({ definition }) => definition));
  }

  #versionOf(serverId: string): string {
    const pins = this.#ports.host.catalog.toolsOf(serverId).map(({ tool }) => pinTool(tool).hash);
    return sha256(pins.join('\n')).slice(0, 16);
  }

  #signature(): string {
    return stableStringify(this.endpoints.map(({ serverId, serverName }) => [serverId, serverName]));
  }

  #find(path: string): Endpoint | undefined {
    return [...this.#served.values()].find((served) => served.path === path)?.endpoint;
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const { endpoint, toolsChanged } of this.#served.values()) {
      endpoint.dispose();
      toolsChanged.dispose();
    }
    this.#served.clear();
  }
}
