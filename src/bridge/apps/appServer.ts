import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { READY_WAIT_MS } from '../../calls/callSettings.ts';
import type { ListMethod } from '../../calls/itemRequest.ts';
import { protocolResult } from '../../calls/results/protocolResult.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import { isForApps } from '../../catalog/toolApp.ts';
import type { ToolCall } from '../../calls/callTypes.ts';
import type { Host } from '../../host/host.ts';
import type { AppLimits } from './appLimits.ts';

const LIST_TIMEOUT_MS = 60_000;

type AppHost = Pick<Host, 'broker' | 'catalog' | 'pool' | 'servers'>;

/**
 * What an app gets of its server: the one that its page comes from, as it is defined now, and no other. All of it by the broker, as
 * the app's own calls.
 */
export class AppServer {
  readonly #host: AppHost;
  readonly #limits: AppLimits;
  readonly #serverId: string;
  readonly #fingerprint: string | undefined;
  readonly #caller: string;

  /** @param tool the one that the app is of */
  constructor(host: AppHost, { serverId, tool }: CatalogTool, limits: AppLimits) {
    this.#host = host;
    this.#limits = limits;
    this.#serverId = serverId;
    this.#fingerprint = this.#definedAs;
    this.#caller = tool.name;
  }

  /**
   * Calls a tool that the server has for apps. Gives a `tools/call` result; a denial is one, too.
   * @param name as the server has it
   */
  async call(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    try {
      return await this.#limited(async () => {
        const tool = this.#find(name);
        const { parts, whole, meta } = await this.#host.broker.call({ name: tool.name, args, ...this.#asked(signal) });
        return protocolResult({ parts: whole ?? parts, ...(meta ? { meta } : {}) });
      });
    } catch (error) {
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    }
  }

  /** @throws SwitchboardError as `Broker.request` does */
  async readResource(uri: string, signal: AbortSignal): Promise<JsonObject> {
    const request = { serverId: this.#serverId, method: 'resources/read', params: { uri } } as const;
    return this.#limited(() => this.#host.broker.request({ ...request, ...this.#asked(signal) }));
  }

  /** A page of a list. @throws SwitchboardError as `Session.request` does, or `denied` */
  async list(method: ListMethod, cursor: unknown, signal: AbortSignal): Promise<JsonObject> {
    return this.#limited(async () => {
      const page = typeof cursor === 'string' ? { cursor } : {};
      await this.#host.broker.checkList(this.#serverId, method, page);
      const session = await this.#host.pool.ready(this.#serverId, READY_WAIT_MS, signal);
      return session.request(method, page, LIST_TIMEOUT_MS, { signal });
    });
  }

  /** The entry of a resource in the first page of the server's list. */
  async listed(uri: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { resources } = await this.list('resources/list', undefined, signal);
    return Array.isArray(resources) ? resources.filter(isRecord).find((each) => each['uri'] === uri) : undefined;
  }

  /** @throws SwitchboardError `unknown-tool`; one that is for models alone is none */
  #find(name: string): CatalogTool {
    const { catalog } = this.#host;
    const all = [...catalog.toolsOf(this.#serverId), ...catalog.appToolsOf(this.#serverId)];
    const tool = all.find((each) => each.tool.name === name && isForApps(each));
    if (!tool) throw new SwitchboardError('unknown-tool', `The server has no tool "${name}" for its app.`);
    return tool;
  }

  #asked(signal: AbortSignal): Omit<ToolCall, 'name' | 'args'> {
    return { surface: 'app', caller: this.#caller, signal, asking: (user) => this.#limits.asking(user) };
  }

  get #definedAs(): string | undefined {
    return this.#host.servers.get(this.#serverId)?.fingerprint;
  }

  /** Only of the server whose page it is: under the same id, there may be another by now. */
  async #limited(ask: () => Promise<JsonObject>): Promise<JsonObject> {
    if (this.#definedAs !== this.#fingerprint)
      throw new SwitchboardError('denied', 'The server’s definition changed after its app was opened.', {
        remedy: 'Call the tool again to open its app anew.',
      });
    return this.#limits.run(ask);
  }
}
