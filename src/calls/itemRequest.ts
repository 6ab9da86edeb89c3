import type { JsonObject } from '../base/json/json.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import type { ToolCall } from './callTypes.ts';

/** The requests to a server, other than calls of tools, that carry something from the caller. */
export const ITEM_METHODS = [
  ...(['resources/read', 'prompts/get', 'completion/complete'] as const),
  ...(['skills/get', 'resources/directory/read'] as const),
] as const;
export type ItemMethod = (typeof ITEM_METHODS)[number];
/** The lists of those; what a caller can put into such a request is a cursor. */
export const LIST_METHODS = ['resources/list', 'resources/templates/list', 'prompts/list', 'skills/list'] as const;
export type ListMethod = (typeof LIST_METHODS)[number];

/** A request for a resource, a prompt or the completion of an argument. */
export interface ItemRequest extends Omit<ToolCall, 'name' | 'args'> {
  readonly serverId: string;
  readonly method: ItemMethod;
  /** As the protocol has them, without `_meta`. */
  readonly params: JsonObject;
  /** The user chose just this in the editor: it isn't asked about. */
  readonly isUsersAct?: boolean;
  /**
   * Holds the server's answer against what is expected of it, and gives what of it goes on, before anybody has it; what it throws
   * is the outcome. Then the address is the server's own.
   */
  readonly check?: (result: JsonObject) => Promise<JsonObject>;
}

/** A server as a request names it. */
export interface RequestedServer {
  /** As it is shown. */
  readonly name: string;
  /** As it is configured. */
  readonly configuredName: string;
  /** Its part of callable names. */
  readonly part: string;
}

/** The address of what a hook says to a resource. */
export const HOOK_URI = 'hook:';

const TITLES: Readonly<Record<ItemMethod | ListMethod, string>> = {
  'resources/read': 'Read a resource',
  'prompts/get': 'Get a prompt',
  'completion/complete': 'Complete an argument',
  'skills/get': 'Look at a skill',
  'resources/directory/read': 'List a folder of resources',
  'resources/list': 'List resources',
  'resources/templates/list': 'List resource templates',
  'prompts/list': 'List prompts',
  'skills/list': 'List skills',
};

/**
 * The request as a call of a tool that reads, so that rules, hooks, modes and the history hold for it too: a rule fits it
 * as `mcp__<server>__resources/read`, with the request's parameters as arguments.
 * @param isOpen whether it can send something out of the server's own world
 */
export function asCall(
  { serverId, method, params, ...rest }: ItemRequest,
  server: RequestedServer,
  isOpen: boolean,
): { readonly tool: CatalogTool; readonly call: ToolCall } {
  const tool = asTool(serverId, method, server, isOpen);
  return { tool, call: { ...rest, name: tool.name, args: params } };
}

/** What rules see of the request, beside its parameters. */
export function asTool(
  serverId: string,
  method: ItemMethod | ListMethod,
  { name: serverName, configuredName, part: serverPart }: RequestedServer,
  isOpen: boolean,
): CatalogTool {
  const tool: McpTool = {
    name: method,
    title: TITLES[method],
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: isOpen },
  };
  return { name: `mcp__${configuredName}__${method}`, serverId, serverName, serverPart, configuredName, tool };
}

/** Whether a URI is for a file of the machine that the server runs on. */
export function isLocalFile(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, host } = new URL(uri);
  return protocol === 'file:' && (host === '' || host === 'localhost');
}

/** Whether a prompt is asked for with values that the caller has put into it. */
export function hasValues({ arguments: values }: JsonObject): boolean {
  return typeof values === 'object' && values !== null && Object.keys(values).length > 0;
}
