import { toDisposable, type Disposable } from '../../../base/disposable.ts';
import type { Event } from '../../../base/event.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { ExposureDecision } from '../../../catalog/exposure/toolExposure.ts';
import { instructionsFor, type InstructedServer } from '../../../catalog/exposure/instructions.ts';
import { editorServerName, prefixOf, serverPartOf } from '../../../catalog/names/toolNames.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../../catalog/exposure/descriptions.ts';
import type { Host } from '../../../host/host.ts';
import { instructedServers } from '../../instructedServers.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { RpcError } from '../protocol/jsonRpc.ts';
import { capabilitiesOf } from '../protocol/methods.ts';
import type { ListedTool, Upstream } from '../upstream.ts';

/** What the editor's list of servers calls it. */
export const OVERVIEW_NAME = 'MCP Switchboard';
const TOOL = 'list_servers';

export interface OverviewPorts {
  readonly host: Host;
  readonly version: string;
  readonly exposure: () => ExposureDecision;
  readonly onDidChangeTools: Event<void>;
}

/**
 * Says which servers there are where their tools are not in the agent's own list. The agent passes on what a server says
 * of itself only while a tool of it is in that list (seen in VS Code 1.139), so this one has a single small tool, whose
 * description names each connected server in one line. It offers nothing while every server's tools are there themselves.
 */
export class Overview implements Upstream {
  readonly #ports: OverviewPorts;
  readonly onDidChangeTools: Event<void>;
  readonly onNotification: Upstream['onNotification'] = () => toDisposable(() => undefined);

  constructor(ports: OverviewPorts) {
    this.#ports = ports;
    this.onDidChangeTools = ports.onDidChangeTools;
  }

  /** `serverInfo.name`: another one where a server of the user's has taken it. */
  get infoName(): string {
    return editorServerName(this.#part(), this.#ports.host.catalog.format);
  }

  /** With the exposure `summaries`, the instructions name every tool, too. */
  describe(): ReturnType<Upstream['describe']> {
    const { host, version } = this.#ports;
    const { exposure } = this.#ports.exposure();
    return {
      serverInfo: { name: this.infoName, version },
      ...(exposure === 'summaries' ? { instructions: instructionsFor(instructedServers(host), exposure) } : {}),
      capabilities: capabilitiesOf({}),
    };
  }

  tools(): readonly ListedTool[] {
    const { host, exposure } = this.#ports;
    const servers = instructedServers(host);
    if (servers.length === 0 || exposure().exposure === 'native') return [];
    const callableName = prefixOf(this.#part(), host.catalog.format) + TOOL;
    return [{ name: TOOL, callableName, definition: overviewDefinition(servers) }];
  }

  find(name: string): ListedTool | undefined {
    return this.tools().find((tool) => tool.name === name);
  }

  /** The same lines, and the servers that aren't ready. Nothing of a server is called. */
  call(): Promise<JsonObject> {
    const { host } = this.#ports;
    const missing = host.unavailable.map(({ serverName, state }) => `Not ready: ${serverName} (${state})`);
    const text = [instructionsFor(instructedServers(host), 'search'), ...missing].join('\n');
    return Promise.resolve({ content: [{ type: 'text', text }], isError: false });
  }

  request(method: string): Promise<JsonObject> {
    return Promise.reject(new RpcError(RPC_CODES.methodNotFound, `Method not found: ${method}`));
  }

  subscribe(): Promise<Disposable> {
    return Promise.reject(new RpcError(RPC_CODES.methodNotFound, 'There are no resources here.'));
  }

  setLogLevel(): void {}

  dispose(): void {}

  #part(): string {
    const { catalog } = this.#ports.host;
    const taken = new Set(catalog.serverIds.map((id) => catalog.partOf(id)));
    return serverPartOf(OVERVIEW_NAME, 'switchboard', taken);
  }
}

/** The tool as it is listed. */
export function overviewDefinition(servers: readonly InstructedServer[]): JsonObject {
  return {
    name: TOOL,
    title: 'List MCP Servers',
    description: cutAtWord(instructionsFor(servers, 'search'), DESCRIPTION_LIMIT),
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  };
}
