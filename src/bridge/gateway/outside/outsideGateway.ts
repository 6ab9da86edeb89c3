import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/json/json.ts';
import { viewNamed } from '../../../host/views/viewNamed.ts';
import type { ClientCalls } from '../brokerCall.ts';
import { Endpoint } from '../protocol/endpoint.ts';
import { LoopbackServer } from '../protocol/loopbackServer.ts';
import { ServerUpstream, partOfServer } from '../serverUpstream.ts';
import { AllServersUpstream, type AllServersPorts } from './allServersUpstream.ts';
import { installScript, outsideCommand, type EditorProcess, type OutsideCommand } from './outsideCommand.ts';
import { OutsideTools } from './outsideTools.ts';
import { PortableWindow } from './windowRecords.ts';
import { PrivateServer } from './privateServer.ts';

/** What the user has set about agents outside the editor. */
export interface OutsideSettings {
  /** Whether they are asked about their own calls, where they show forms. */
  readonly asksClients: boolean;
  /** Whether a port may be opened for them. */
  readonly http: boolean;
}

export interface OutsideGatewayPorts extends Pick<ClientCalls, 'host' | 'wording'> {
  readonly clock: Clock;
  readonly version: string;
  readonly place: OutsidePlace;
  readonly editor: EditorProcess;
  /** Whether agents may run scripts. */
  readonly scripts: AllServersPorts['scripts'];
  settings(): OutsideSettings;
  readonly onDidChangeSettings: Event<void>;
}

/** Where a window's gateway for agents outside has its files. */
export interface OutsidePlace {
  /** A folder of this extension's own, shared by all windows. */
  readonly folder: string;
  /** Tells this window's workspace from others. */
  readonly workspaceId: string;
  /** For temporary files; other users may share it. */
  readonly temporary: string;
  /** The script that agents start, as it is shipped. */
  readonly script: string;
  /** The user's home folder, where portable entries look for windows. */
  readonly home: string;
  /** The folders of the workspace. */
  folders(): readonly string[];
  readonly onDidChangeFolders: Event<unknown>;
  /** What the editor calls itself as a client of MCP servers. */
  readonly editorName: string;
}

/** A way in over HTTP, as long as it is open. */
export interface HttpAddress {
  readonly url: string;
  readonly token: string;
}

/** What the script is called where agents start it; not a module, whatever is around it. */
const SCRIPT = 'connect.cjs';
/** Where all servers are at once. */
const ALL_PATH = '/mcp';

/**
 * The servers for agents outside the editor: one address for the tools of all, and one for each server with all that it has,
 * on a socket that only the user's own processes reach. Tools are listed with their true annotations, since the client there
 * asks by its own rules; the broker decides all the same.
 */
export class OutsideGateway implements Disposable {
  readonly #ports: OutsideGatewayPorts;
  readonly #server: PrivateServer;
  readonly #portable: PortableWindow;
  readonly #all: Endpoint;
  readonly #ofServers = new Map<string, Endpoint>();
  readonly #disposables = new DisposableStore();
  #http: { readonly server: LoopbackServer; readonly address: Promise<HttpAddress> } | undefined;

  constructor(ports: OutsideGatewayPorts) {
    this.#ports = ports;
    const { host, clock, version, scripts } = ports;
    const tools = new OutsideTools(host.catalog, 'agents');
    const all = new AllServersUpstream({ ...this.#calls, tools, scripts, version });
    this.#all = this.#disposables.add(new Endpoint(all, clock));
    this.#server = this.#disposables.add(new PrivateServer(this.#fileOf(`${this.#key}.json`), (at) => this.#find(at)));
    this.#portable = this.#disposables.add(new PortableWindow(ports.place.home, this.#key));
    this.#disposables.add(host.servers.onDidChange(() => this.#dropGone()));
    this.#disposables.add(ports.place.onDidChangeFolders(() => void this.#publishIfWanted()));
    this.#disposables.add(ports.onDidChangeSettings(() => ports.settings().http || this.closeHttp()));
  }

  get #calls(): ClientCalls {
    const { host, wording } = this.#ports;
    return { host, wording, outside: { asksClients: () => this.#ports.settings().asksClients } };
  }

  /** Listens on a socket, and puts the script beside the record of it. */
  async start(): Promise<void> {
    const { editor, place } = this.#ports;
    await this.#server.listen({ platform: editor.platform, temporary: place.temporary });
    await installScript(place.script, this.#fileOf(SCRIPT));
    await this.#publishIfWanted();
  }

  /** Portable entries find this window from now on, on this machine, by its folders. */
  async publish(): Promise<void> {
    const { place } = this.#ports;
    const record = {
      socket: this.#server.address,
      pid: process.pid,
      folders: place.folders(),
      editor: place.editorName,
    };
    await this.#portable.publish(record, place.script);
  }

  async #publishIfWanted(): Promise<void> {
    try {
      if (await this.#portable.isWanted()) await this.publish();
    } catch {
      // Without it, portable entries say that no window is there.
    }
  }

  /** What an agent starts to get all servers' tools, or all of one server by any of its names. */
  commandFor(serverPart?: string): OutsideCommand {
    const args = [this.#fileOf(SCRIPT), this.#key, ...(serverPart === undefined ? [] : [serverPart])];
    return outsideCommand(this.#ports.editor, args);
  }

  /** Opens a port, too. The token is a new one each time: while the port was closed, anybody could listen there. */
  async openHttp(): Promise<HttpAddress> {
    if (!this.#ports.settings().http)
      throw new SwitchboardError('denied', 'The setting mcpSwitchboard.gateway.http is off, so there is no address.', {
        remedy: 'Turn it on, or use the command.',
      });
    if (!this.#http) {
      const token = randomBytes(32).toString('base64url');
      const server = new LoopbackServer(token, this.#ports.clock, (at) => this.#find(at));
      const address = server.listen().then((port) => ({ url: `http://127.0.0.1:${port}${ALL_PATH}`, token }));
      this.#http = { server, address };
    }
    return this.#http.address;
  }

  /** The port is closed, and its token is worth nothing from now on. */
  closeHttp(): void {
    this.#http?.server.dispose();
    this.#http = undefined;
  }

  get #key(): string {
    return sha256(this.#ports.place.workspaceId).slice(0, 16);
  }

  #fileOf(name: string): string {
    return path.join(this.#ports.place.folder, name);
  }

  /** Of the servers that there are now, or were for some client. */
  get #serverIds(): readonly string[] {
    return [...new Set([...this.#ofServers.keys(), ...this.#ports.host.catalog.serverIds])];
  }

  #pathOf(serverId: string): string {
    return `${ALL_PATH}/${partOfServer(this.#ports.host, serverId)}`;
  }

  #find(path: string): Endpoint | undefined {
    if (path === ALL_PATH) return this.#all;
    const serverId = this.#serverIds.find((id) => path === this.#pathOf(id)) ?? this.#serverNamed(path);
    return serverId === undefined ? undefined : (this.#ofServers.get(serverId) ?? this.#open(serverId));
  }

  /** By whatever name an address has. */
  #serverNamed(path: string): string | undefined {
    const { host } = this.#ports;
    const views = host.views.filter(({ definition }) => this.#serverIds.includes(definition.id));
    const name = path.startsWith(`${ALL_PATH}/`) ? path.slice(ALL_PATH.length + 1) : '';
    try {
      return viewNamed(views, decodeURIComponent(name), host.catalog)?.definition.id;
    } catch {
      return undefined;
    }
  }

  /** With the first client that comes. It stays when the server is lost. */
  #open(serverId: string): Endpoint {
    const { host, clock, version } = this.#ports;
    const tools = new OutsideTools(host.catalog, 'agent', serverId);
    const upstream = new ServerUpstream({
      ...this.#calls,
      version,
      serverId,
      name: host.servers.get(serverId)?.name ?? serverId,
      tools: () => tools.all(),
      find: (name) => tools.find(name),
      onDidChangeTools: tools.onDidChange,
    });
    const endpoint = new Endpoint(upstream, clock, { owned: tools });
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
    this.closeHttp();
    this.#disposables.dispose();
    for (const endpoint of this.#ofServers.values()) endpoint.dispose();
    this.#ofServers.clear();
  }
}
