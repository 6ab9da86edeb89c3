import type { ServerLogLevel } from '../../base/log.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../catalog/exposure/descriptions.ts';
import { ITEM_METHODS } from '../../calls/itemRequest.ts';
import { notAvailable } from '../../catalog/unavailableLines.ts';
import { absenceOf } from '../../host/unavailableServers.ts';
import type { Host } from '../../host/host.ts';
import { withReadCsps } from '../apps/appCsp.ts';
import { callerOf, callThroughBroker, originOf, type ClientCalls } from './brokerCall.ts';
import { listMethodOf } from './listCursors.ts';
import { passedIcons } from './passedIcons.ts';
import { RpcError } from './protocol/jsonRpc.ts';
import { ServerAcrossSessions } from './serverAcrossSessions.ts';
import { capabilitiesOf } from './protocol/protocolMethods.ts';
import { TASKS_CAPABILITY } from './protocol/taskRequests.ts';
import { OutsideTasks } from './outside/outsideTasks.ts';
import type { ListedTool, Upstream, UpstreamCall } from './upstream.ts';
import { partOwnerOf } from '../../catalog/names/namePartStore.ts';

export interface ServerUpstreamOptions extends ClientCalls {
  readonly serverId: string;
  /** What `serverInfo.name` is. */
  readonly name: string;
  readonly version: string;
  tools(): readonly ListedTool[];
  find(name: string): ListedTool | undefined;
  readonly onDidChangeTools: Event<void>;
}

/** A server of the host behind an endpoint. */
export class ServerUpstream implements Upstream {
  readonly #options: ServerUpstreamOptions;
  readonly #server: ServerAcrossSessions;
  readonly onDidChangeTools: Event<void>;
  readonly onNotification: Upstream['onNotification'];
  readonly tasks?: OutsideTasks;

  constructor(options: ServerUpstreamOptions) {
    this.#options = options;
    this.#server = new ServerAcrossSessions(options.host, options.serverId);
    this.onDidChangeTools = options.onDidChangeTools;
    this.onNotification = this.#server.onNotification;
    // The editor's own client would wait for the end, and its model would get no handle.
    if (options.outside) this.tasks = new OutsideTasks(options);
  }

  describe(): ReturnType<Upstream['describe']> {
    const { host, serverId, name, version } = this.#options;
    const { info } = this.#server;
    const known = info ?? host.feed.rememberedOf(serverId);
    const instructions = host.feed.instructionsOf(serverId);
    return {
      serverInfo: {
        name,
        version: info?.version || version,
        ...passedIcons(info?.icons),
        ...(info?.websiteUrl === undefined ? {} : { websiteUrl: info.websiteUrl }),
      },
      ...(instructions ? { instructions: cutAtWord(instructions, DESCRIPTION_LIMIT) } : {}),
      capabilities: {
        ...capabilitiesOf(known?.capabilities ?? {}),
        ...(this.tasks ? { tasks: TASKS_CAPABILITY } : {}),
      },
    };
  }

  tools(): readonly ListedTool[] {
    return this.#options.tools();
  }

  find(name: string): ListedTool | undefined {
    return this.#options.find(name);
  }

  whyAbsent(): string | undefined {
    const { host, serverId } = this.#options;
    const view = host.view(serverId);
    // Of one that is started on demand, the tools are there.
    const absence = view && host.catalog.toolsOf(serverId).length === 0 ? absenceOf(view) : undefined;
    return absence && notAvailable(absence).fullMessage;
  }

  call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject> {
    return callThroughBroker(this.#options, tool.callableName, args, options);
  }

  async request(
    method: string,
    params: JsonObject,
    { caller, ...options }: Parameters<Upstream['request']>[2],
  ): Promise<JsonObject> {
    const item = ITEM_METHODS.find((each) => each === method);
    const list = listMethodOf(method);
    if (list) {
      const { serverId, host } = this.#options;
      return this.#server.list(list, params, options, (page) => host.broker.checkList(serverId, list, page));
    }
    if (!item) throw new RpcError(RPC_CODES.methodNotFound, `Method not found: ${method}`);
    const { _meta: meta, ...rest } = params;
    const { onProgress, signal = new AbortController().signal } = options;
    const result = await this.#options.host.broker.request({
      ...{ serverId: this.#options.serverId, method: item, params: rest },
      ...callerOf(this.#options, { ...options, signal, ...(caller === undefined ? {} : { caller }) }),
      ...(isRecord(meta) ? { meta } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
    // The editor puts what a page declares into its policy as it is.
    return withReadCsps(result);
  }

  /** Subscribing tells the server an address, as reading does: the same rules hold. */
  subscribe(uri: string, caller?: string): Promise<Disposable> {
    const { host, serverId, outside } = this.#options;
    const { signal } = new AbortController();
    const read = { serverId, method: 'resources/read' as const, params: { uri }, signal, ...originOf(outside, caller) };
    return host.broker.permitted(read, ({ uri: permitted }) =>
      this.#server.subscribe(typeof permitted === 'string' ? permitted : uri),
    );
  }

  setLogLevel(level: ServerLogLevel): void {
    this.#server.setLogLevel(level);
  }

  dispose(): void {
    this.#server.dispose();
  }
}

/** The server's part of callable names, also where it has no tools now. */
export function partOfServer({ catalog, servers }: Pick<Host, 'catalog' | 'servers'>, serverId: string): string {
  const definition = servers.get(serverId);
  return (definition && catalog.parts?.partOf(partOwnerOf(definition))) ?? catalog.partOf(serverId);
}
