import type { Disposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../../catalog/exposure/descriptions.ts';
import { absentLines, notAvailable } from '../../../catalog/unavailableServer.ts';
import type { ServerNotification } from '../../../connection/connectionTypes.ts';
import { absentOwnerOf, unavailableServers } from '../../../host/absentServers.ts';
import { callThroughBroker, type ClientCalls } from '../brokerCall.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { RpcError } from '../protocol/jsonRpc.ts';
import { TASKS_CAPABILITY } from '../protocol/taskRequests.ts';
import { OutsideTasks } from './outsideTasks.ts';
import type { OutsideTools } from './outsideTools.ts';
import type { ListedTool, Upstream, UpstreamCall } from '../upstream.ts';

export interface AllServersPorts extends ClientCalls {
  readonly tools: OutsideTools;
  readonly version: string;
}

/** Every server behind one endpoint, for its tools by their callable names. */
export class AllServersUpstream implements Upstream {
  readonly #ports: AllServersPorts;
  readonly #silent = new Emitter<ServerNotification>();
  readonly tasks: OutsideTasks;
  readonly onDidChangeTools: Event<void>;
  readonly onNotification = this.#silent.event;

  constructor(ports: AllServersPorts) {
    this.#ports = ports;
    this.tasks = new OutsideTasks(ports);
    this.onDidChangeTools = ports.tools.onDidChange;
  }

  describe(): ReturnType<Upstream['describe']> {
    const { host, version } = this.#ports;
    const names = host.views.filter(({ state }) => state.kind === 'connected').map(({ definition }) => definition.name);
    const missing = absentLines(unavailableServers(host));
    const form = host.catalog.format.replaceAll('{', '<').replaceAll('}', '>');
    return {
      serverInfo: { name: 'mcp-switchboard', title: 'MCP Switchboard', version },
      instructions: cutAtWord(
        [
          `Tools of these MCP servers, each named ${form}: ${names.join(', ') || 'none is connected yet'}.`,
          ...missing,
        ].join('\n'),
        DESCRIPTION_LIMIT,
      ),
      capabilities: { tools: { listChanged: true }, tasks: TASKS_CAPABILITY },
    };
  }

  tools(): readonly ListedTool[] {
    return this.#ports.tools.all();
  }

  find(name: string): ListedTool | undefined {
    return this.#ports.tools.find(name);
  }

  whyAbsent(name: string): string | undefined {
    const { views, catalog } = this.#ports.host;
    const absent = absentOwnerOf(name, views, catalog);
    return absent && notAvailable(absent).fullMessage;
  }

  call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject> {
    return callThroughBroker(this.#ports, tool.callableName, args, options);
  }

  async request(method: string): Promise<JsonObject> {
    throw new RpcError(
      RPC_CODES.methodNotFound,
      `Method not found: ${method}. Only the address of a single server offers it.`,
    );
  }

  async subscribe(): Promise<Disposable> {
    throw new RpcError(RPC_CODES.methodNotFound, 'There are no resources here.');
  }

  setLogLevel(): void {
    // It has no log.
  }

  dispose(): void {
    this.#ports.tools.dispose();
    this.#silent.dispose();
  }
}
