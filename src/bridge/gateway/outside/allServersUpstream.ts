import type { Disposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../../catalog/exposure/descriptions.ts';
import { absentLines, notAvailable } from '../../../catalog/unavailableLines.ts';
import type { ServerNotification } from '../../../connection/connectionTypes.ts';
import { absentOwnerOf, unavailableServers } from '../../../host/unavailableServers.ts';
import type { ScriptSwitch } from '../../../calls/script/scriptSwitch.ts';
import { scriptDescription, SCRIPT_SCHEMA, SCRIPT_TOOL } from '../../../calls/script/scriptTool.ts';
import { callThroughBroker, type ClientCalls } from '../brokerCall.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { RpcError } from '../protocol/jsonRpc.ts';
import { TASKS_CAPABILITY } from '../protocol/taskRequests.ts';
import { OutsideTasks } from './outsideTasks.ts';
import type { OutsideTools } from './outsideTools.ts';
import type { ListedTool, Upstream, UpstreamCall } from '../upstream.ts';

/** What runs scripts, as a client is told of it. */
const SCRIPT: ListedTool = {
  name: SCRIPT_TOOL,
  callableName: SCRIPT_TOOL,
  definition: {
    name: SCRIPT_TOOL,
    title: 'Run Script',
    description: scriptDescription('the list of tools'),
    inputSchema: SCRIPT_SCHEMA,
  },
};

export interface AllServersPorts extends ClientCalls {
  readonly tools: OutsideTools;
  readonly scripts: Pick<ScriptSwitch, 'on' | 'onDidChange'>;
  readonly version: string;
}

/** Every server behind one endpoint, for its tools by their callable names. */
export class AllServersUpstream implements Upstream {
  readonly #ports: AllServersPorts;
  readonly #silent = new Emitter<ServerNotification>();
  readonly tasks: OutsideTasks;
  readonly #changed = new Emitter<void>();
  readonly #listening: readonly Disposable[];
  readonly onDidChangeTools: Event<void> = this.#changed.event;
  readonly onNotification = this.#silent.event;

  constructor(ports: AllServersPorts) {
    this.#ports = ports;
    this.tasks = new OutsideTasks(ports);
    const fire = (): void => this.#changed.fire();
    this.#listening = [ports.tools.onDidChange(fire), ports.scripts.onDidChange(fire)];
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
    const { tools, scripts } = this.#ports;
    return scripts.on ? [...tools.all(), SCRIPT] : tools.all();
  }

  find(name: string): ListedTool | undefined {
    const { tools, scripts } = this.#ports;
    return scripts.on && name === SCRIPT_TOOL ? SCRIPT : tools.find(name);
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
    for (const each of this.#listening) each.dispose();
    this.#changed.dispose();
    this.#ports.tools.dispose();
    this.#silent.dispose();
  }
}
