import { randomBytes } from 'node:crypto';
import { Throttle } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { sha256, stableStringify } from '../../base/json/json.ts';
import type { ExposureDecision } from '../../catalog/exposure/toolExposure.ts';
import { editorServerName } from '../../catalog/names/toolNamePrefix.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';
import { Endpoint } from './protocol/endpoint.ts';
import type { QuestionWording } from './brokerCall.ts';
import { ServerUpstream, partOfServer } from './serverUpstream.ts';
import { digestOf, EditorTools, type ExposureSettings } from './listedTools.ts';
import { LoopbackServer } from './protocol/loopbackServer.ts';
import { OverviewServer, OVERVIEW_NAME } from './editor/overviewServer.ts';
import { presetEndpoints } from './presets/presetEndpoints.ts';
import type { ListedTool, Upstream } from './upstream.ts';

export interface GatewayPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly wording: QuestionWording;
  readonly version: string;
  readonly settings: () => ExposureSettings;
  /** The settings that the gateway isn't told of by others: a model came or went. */
  readonly onDidChangeSettings?: Event<void>;
}

/** An endpoint as it is published. */
export interface PublishedEndpoint {
  readonly serverId: string;
  /** The configured name. */
  readonly serverName: string;
  /** What the endpoint says that it is called. */
  readonly infoName: string;
  readonly url: string;
  /** Another one when what its tools say changes. */
  readonly version: string;
  /** How many of its tools are offered natively. */
  readonly toolCount: number;
  /** A client is connected to it. */
  readonly isInUse: boolean;
}

interface Served {
  readonly serverName: string;
  /** What it says that it is called. */
  readonly infoName: string;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly toolsChanged: Emitter<void>;
  readonly tools: () => readonly ListedTool[];
  /** Another one when what its tools say is another. */
  readonly version: () => string;
  /** Whether the server is still what it was when this was made. */
  readonly isCurrent: () => boolean;
  /** What was last told: the list of tools. */
  told: string;
}

/** Many servers that come up at once change this by the hundred. */
const REFRESH_EVERY_MS = 20;
/** What is answered within so many milliseconds costs the editor less as one message than as a stream. */
const SOON_MS = 20;
/** The key of what stands for no server. */
const OVERVIEW_ID = '';

/**
 * This extension as an MCP server: one endpoint on loopback for each server that has offered something, with the broker
 * in front of every call. An endpoint stays when its server is lost, and then lists nothing.
 */
export class Gateway implements Disposable {
  /** Fresh for each gateway: worth nothing once it is gone. */
  readonly token = randomBytes(32).toString('base64url');
  readonly #ports: GatewayPorts;
  readonly #http: LoopbackServer;
  readonly #tools: EditorTools;
  readonly #served = new Map<string, Served>();
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<void>());
  readonly #versions = new WeakMap<readonly CatalogTool[], string>();
  #origin: string | undefined;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
    this.#tools = new EditorTools(ports.host, ports.settings);
    this.#http = this.#disposables.add(new LoopbackServer(this.token, ports.clock, (path) => this.#find(path)));
  }

  /** Fires when endpoints came or went, or the version of one is another that no client is connected to. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Listens, and serves what the host has from now on. */
  async start(): Promise<void> {
    this.#origin = `http://127.0.0.1:${await this.#http.listen()}`;
    const { host } = this.#ports;
    const refresh = this.#disposables.add(new Throttle(REFRESH_EVERY_MS, this.#ports.clock, () => this.refresh()));
    const { catalog, servers, pool, loaded } = host;
    const changes = [catalog.onDidChange, servers.onDidChange, pool.onDidChangeState, loaded.onDidChange];
    for (const change of [...changes, this.#ports.onDidChangeSettings])
      if (change) this.#disposables.add(change(() => refresh.trigger()));
    this.refresh();
  }

  /** Of every server that is connected or may be at once, or was in this activation: it may have more than tools. */
  get endpoints(): readonly PublishedEndpoint[] {
    return [...this.#served].map(([serverId, { serverName, infoName, path, version, tools, endpoint }]) => ({
      serverId,
      serverName,
      infoName,
      url: `${this.#origin ?? ''}${path}`,
      version: version(),
      toolCount: tools().length,
      isInUse: endpoint.isInUse,
    }));
  }

  /** How tools are exposed now, and why. */
  get exposure(): ExposureDecision {
    return this.#tools.decision;
  }

  /** Looks again at what is to be served; also when a setting changed. */
  refresh(): void {
    if (this.#disposables.isDisposed) return;
    const before = this.#signature();
    for (const [serverId, served] of this.#served) {
      if (served.isCurrent()) continue;
      this.#served.delete(serverId);
      served.endpoint.dispose();
      served.toolsChanged.dispose();
    }
    const { catalog, pool } = this.#ports.host;
    for (const serverId of new Set([...catalog.serverIds, ...pool.all.map(({ id }) => id)])) {
      // Whatever its tools: it may have resources and prompts, and is to take the place of the editor's own.
      const isWorthServing = catalog.has(serverId) || pool.get(serverId)?.state.kind === 'connected';
      if (isWorthServing && !this.#served.has(serverId)) this.#serve(serverId);
    }
    if (!this.#served.has(OVERVIEW_ID)) this.#serveOverview();
    for (const [id, parts] of presetEndpoints(this.#ports, (each) => this.#served.has(each))) this.#add(id, parts);
    for (const served of this.#served.values()) {
      const told = digestOf(served.tools());
      if (told === served.told) continue;
      served.told = told;
      served.toolsChanged.fire();
    }
    if (this.#signature() !== before) this.#changed.fire();
  }

  #serve(serverId: string): void {
    const { host, wording, version } = this.#ports;
    const serverName = host.servers.get(serverId)?.name ?? serverId;
    const infoName = this.#infoName(serverId);
    const toolsChanged = new Emitter<void>();
    const upstream = new ServerUpstream({
      host,
      serverId,
      name: infoName,
      wording,
      version,
      tools: () => this.#tools.of(serverId),
      find: (name) => this.#tools.find(serverId, name),
      onDidChangeTools: toolsChanged.event,
    });
    this.#add(serverId, {
      serverName,
      infoName,
      upstream,
      toolsChanged,
      version: () => this.#versionOf(serverId),
      isCurrent: () =>
        host.servers.get(serverId)?.name === serverName &&
        (!host.catalog.has(serverId) || this.#infoName(serverId) === infoName),
    });
  }

  /** Only once it has something to say. */
  #serveOverview(): void {
    const { host, version } = this.#ports;
    const toolsChanged = new Emitter<void>();
    const exposure = (): ExposureDecision => this.#tools.decision;
    const upstream = new OverviewServer({ host, version, exposure, onDidChangeTools: toolsChanged.event });
    if (upstream.tools().length === 0) return;
    const { infoName } = upstream;
    this.#add(OVERVIEW_ID, {
      serverName: OVERVIEW_NAME,
      infoName,
      upstream,
      toolsChanged,
      version: () => sha256(stableStringify([upstream.describe(), upstream.tools()])).slice(0, 16),
      // With nothing more to say it goes, unless a client listens.
      isCurrent: () => upstream.infoName === infoName && (upstream.tools().length > 0 || this.isInUse(OVERVIEW_ID)),
    });
  }

  /** Whether a client is connected to a server's endpoint. */
  isInUse(serverId: string): boolean {
    return this.#served.get(serverId)?.endpoint.isInUse === true;
  }

  #add(
    serverId: string,
    parts: Pick<Served, 'serverName' | 'infoName' | 'toolsChanged' | 'version' | 'isCurrent'> & {
      readonly upstream: Upstream;
    },
  ): void {
    const { upstream, ...rest } = parts;
    const tools = (): readonly ListedTool[] => upstream.tools();
    this.#served.set(serverId, {
      ...rest,
      // Another address under another name: the editor asks for that only once.
      path: `/mcp/${sha256(`${serverId}\n${rest.infoName}`).slice(0, 16)}`,
      endpoint: new Endpoint(upstream, this.#ports.clock, { soonMs: SOON_MS }),
      tools,
      told: digestOf(tools()),
    });
  }

  #infoName(serverId: string): string {
    const { host } = this.#ports;
    return editorServerName(partOfServer(host, serverId), host.catalog.format);
  }

  #versionOf(serverId: string): string {
    const { catalog, feed } = this.#ports.host;
    const tools = catalog.toolsOf(serverId);
    let version = this.#versions.get(tools);
    if (version === undefined) {
      version = sha256(tools.map(({ tool }) => feed.pinOf(tool).hash).join('\n')).slice(0, 16);
      this.#versions.set(tools, version);
    }
    return version;
  }

  /** A client that is connected learns of other tools there. */
  #signature(): string {
    return [...this.#served.values()]
      .map(({ path, serverName, endpoint, version }) => `${path} ${serverName} ${endpoint.isInUse ? '' : version()}`)
      .join('\n');
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
