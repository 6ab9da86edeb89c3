import type { Clock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';
import { AllServersUpstream } from './allServersUpstream.ts';
import type { QuestionWording } from '../brokerCall.ts';
import { Endpoint } from '../protocol/endpoint.ts';
import { ServerUpstream, partOfServer } from '../serverUpstream.ts';
import { LoopbackServer } from '../protocol/loopbackServer.ts';
import { OutsideTools } from './outsideTools.ts';

export interface OutsideGatewayPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly wording: QuestionWording;
  readonly version: string;
  /** Of its own: it opens nothing else. */
  readonly token: string;
}

/** Where all servers are at once. */
const ALL_PATH = '/mcp';

/**
 * The servers for agents outside the editor: one address for the tools of all, and one for each server with all
 * that it has. Tools are listed with their true annotations, since the client there asks by its own rules; the broker
 * decides all the same.
 */
export class OutsideGateway implements Disposable {
  readonly #ports: OutsideGatewayPorts;
  readonly #http: LoopbackServer;
  readonly #all: Endpoint;
  readonly #ofServers = new Map<string, Endpoint>();
  readonly #disposables = new DisposableStore();
  #origin = '';

  constructor(ports: OutsideGatewayPorts) {
    this.#ports = ports;
    const { host, wording, version, clock } = ports;
    const tools = new OutsideTools(host.catalog, 'agents');
    this.#all = this.#disposables.add(new Endpoint(new AllServersUpstream({ host, tools, wording, version }), clock));
    this.#http = this.#disposables.add(new LoopbackServer(ports.token, (path) => this.#find(path)));
    this.#disposables.add(host.servers.onDidChange(() => this.#dropGone()));
  }

  /**
   * @param preferredPort taken where it is free, so that an address that was given to an agent goes on working
   * @returns the port
   */
  async start(preferredPort?: number): Promise<number> {
    const port = await this.#http.listen(preferredPort);
    this.#origin = `http://127.0.0.1:${port}`;
    return port;
  }

  /** The address of all servers' tools. */
  get url(): string {
    return `${this.#origin}${ALL_PATH}`;
  }

  /** The address of each server that there is now, or was for some client, by its configured name. */
  get serverUrls(): ReadonlyMap<string, string> {
    const { servers } = this.#ports.host;
    return new Map(this.#serverIds.map((id) => [servers.get(id)?.name ?? id, this.#origin + this.#pathOf(id)]));
  }

  get #serverIds(): readonly string[] {
    return [...new Set([...this.#ofServers.keys(), ...this.#ports.host.catalog.serverIds])];
  }

  #pathOf(serverId: string): string {
    return `${ALL_PATH}/${partOfServer(this.#ports.host, serverId)}`;
  }

  #find(path: string): Endpoint | undefined {
    if (path === ALL_PATH) return this.#all;
    const serverId = this.#serverIds.find((id) => path === this.#pathOf(id));
    return serverId === undefined ? undefined : (this.#ofServers.get(serverId) ?? this.#open(serverId));
  }

  /** With the first client that comes. It stays when the server is lost. */
  #open(serverId: string): Endpoint {
    const { host, wording, version, clock } = this.#ports;
    const tools = new OutsideTools(host.catalog, 'agent', serverId);
    const upstream = new ServerUpstream({
      host,
      serverId,
      name: host.servers.get(serverId)?.name ?? serverId,
      wording,
      version,
      isOutside: true,
      tools: () => tools.all(),
      find: (name) => tools.find(name),
      onDidChangeTools: tools.onDidChange,
    });
    const endpoint = new Endpoint(upstream, clock, tools);
    this.#ofServers.set(serverId, endpoint);
    return endpoint;
  }

  #dropGone(): void {
    for (const [id, endpoint] of this.#ofServers) {
      if (this.#ports.host.servers.get(id)) continue;
      this.#ofServers.delete(id);
      endpoint.dispose();
    }
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const endpoint of this.#ofServers.values()) endpoint.dispose();
    this.#ofServers.clear();
  }
}
