import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { RpcError } from './protocol/jsonRpc.ts';
import type { ListedTool, Upstream, UpstreamCall } from './upstream.ts';

/** An endpoint of ours that has tools, and nothing else: no resources, no prompts and no log. */
export abstract class ToolsAlone implements Upstream {
  readonly onDidChangeTools: Event<void>;
  readonly onNotification: Upstream['onNotification'] = () => toDisposable(() => undefined);

  constructor(onDidChangeTools: Event<void>) {
    this.onDidChangeTools = onDidChangeTools;
  }

  abstract describe(): ReturnType<Upstream['describe']>;
  abstract tools(): readonly ListedTool[];
  abstract whyAbsent(name: string): string | undefined;
  abstract call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject>;

  find(name: string): ListedTool | undefined {
    return this.tools().find((tool) => tool.name === name);
  }

  request(method: string): Promise<JsonObject> {
    return Promise.reject(new RpcError(RPC_CODES.methodNotFound, `Method not found: ${method}`));
  }

  subscribe(): Promise<Disposable> {
    return Promise.reject(new RpcError(RPC_CODES.methodNotFound, 'There are no resources here.'));
  }

  setLogLevel(): void {
    // It has no log.
  }

  dispose(): void {
    // Nothing is held.
  }
}
