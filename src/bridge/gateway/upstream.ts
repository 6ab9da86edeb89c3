import type { ServerLogLevel } from '../../base/log.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { CallProgress, RequestOptions, ServerNotification } from '../../connection/connectionTypes.ts';
import type { Choice } from './protocol/elicitation.ts';
import type { AskClient } from './protocol/forwardedRequest.ts';

/** A tool as an endpoint lists it. */
export interface ListedTool {
  /** What clients of the endpoint call it. */
  readonly name: string;
  readonly callableName: string;
  readonly definition: JsonObject;
  /** The same with schemas as the server has them; absent where its clients are to have no such. */
  readonly original?: JsonObject;
}

/** What goes with a call, as far as the client can take it. */
export interface UpstreamCall {
  readonly signal: AbortSignal;
  /** Who calls, where it isn't the editor. */
  readonly caller?: string;
  /** `_meta` of the client's request. */
  readonly meta?: JsonObject;
  readonly onProgress?: (progress: CallProgress) => void;
  /** Absent where the client can't show forms. */
  readonly ask?: (choice: Choice, signal: AbortSignal) => Promise<string | undefined>;
  /** A server's own question during the call; the result as the protocol has it. Absent as `ask` is. */
  readonly elicit?: AskClient;
  /** A server's request to a model during the call; the result as the protocol has it. Absent where the client has no sampling. */
  readonly sample?: AskClient;
  /** A server's request for the roots that the call is about; the result as the protocol has it. */
  readonly roots?: AskClient;
  /** The client may never come back with an answer: meanwhile, others have their turns on the server. */
  readonly mayStayAway?: boolean;
  /** The call failed for want of these capabilities of the client. Absent where no client would understand. */
  readonly lacks?: (capabilities: JsonObject) => void;
}

/** Calls that clients want as tasks (specification 2025-11-25: *Tasks*), each only for those of its caller's name. */
export interface UpstreamTasks {
  /** Calls through the broker; gives a `CreateTaskResult`. */
  call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject>;
  /** @throws RpcError where the caller has no such task; so do the others */
  get(id: string, caller: string): Promise<JsonObject>;
  /** The result of `tools/call`, when the task has ended. */
  result(id: string, caller: string, signal: AbortSignal): Promise<JsonObject>;
  cancel(id: string, caller: string): Promise<JsonObject>;
}

/** What an endpoint needs of the server behind it. It stays when the server is lost. */
export interface Upstream extends Disposable {
  /** `serverInfo` and instructions as the client gets them, and the capabilities that are passed on. */
  describe(): { readonly serverInfo: JsonObject; readonly instructions?: string; readonly capabilities: JsonObject };
  /** Empty while the server isn't connected. */
  tools(): readonly ListedTool[];
  /** The server's tool of this name, also where it isn't in the list. */
  find(name: string): ListedTool | undefined;
  /** Where a tool isn't found because its server isn't there: why, and what can be done. */
  whyAbsent(name: string): string | undefined;
  /** Calls through the broker. Gives a `tools/call` result; what failed is a result with `isError`. */
  call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject>;
  /** Passes a page of a list on, under cursors that only fit that list; resources, prompts and completion go through the broker, which may ask, naming the caller. */
  request(
    method: string,
    params: JsonObject,
    options: RequestOptions & Omit<UpstreamCall, 'signal' | 'meta'>,
  ): Promise<JsonObject>;
  /** Subscribes to a resource until the result is disposed; through the broker, as reading it. */
  subscribe(uri: string, caller?: string): Promise<Disposable>;
  setLogLevel(level: ServerLogLevel): void;
  /** Absent where its clients wait for results. */
  readonly tasks?: UpstreamTasks;
  readonly onDidChangeTools: Event<void>;
  /** What the server says of its other lists and its resources, and its log. */
  readonly onNotification: Event<ServerNotification>;
}
