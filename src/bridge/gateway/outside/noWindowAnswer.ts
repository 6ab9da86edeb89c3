// Part of connect.js, which agents outside start.

const STATUS_TOOL = 'switchboard_status';
/** Keys of `_meta` (specification 2026-07-28). */
const VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

type Params = Readonly<Record<string, unknown>> | undefined;

export function metaOf(params: Params): Readonly<Record<string, unknown>> {
  return (params?.['_meta'] ?? {}) as Readonly<Record<string, unknown>>;
}

/** Whether a message is of a client that keeps no session (protocol 2026-07-28). */
export function isStateless({ method, params }: { readonly method?: string; readonly params?: Params }): boolean {
  return method !== 'initialize' && typeof metaOf(params)[VERSION] === 'string';
}

/**
 * What is answered while no window is there: one tool that says so, so that a model can tell the user.
 * @returns `undefined` where nothing can be answered
 */
export function resultAlone(method: string | undefined, params: Params, why: string): object | undefined {
  const result = resultOf(method, params, why);
  if (!result || !isStateless({ ...(method === undefined ? {} : { method }), params })) return result;
  return { resultType: 'complete', ...(method === 'tools/list' ? { ttlMs: 0, cacheScope: 'private' } : {}), ...result };
}

function resultOf(method: string | undefined, params: Params, why: string): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.['protocolVersion'],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'mcp-switchboard', title: 'MCP Switchboard', version: '0' },
        instructions: why,
      };
    case 'ping':
      return {};
    case 'tools/list':
      return {
        tools: [
          {
            name: STATUS_TOOL,
            title: 'Why There Are No Tools',
            description: why,
            inputSchema: { type: 'object', properties: {} },
            annotations: { readOnlyHint: true },
          },
        ],
      };
    case 'tools/call':
      return { content: [{ type: 'text', text: why }], isError: params?.['name'] !== STATUS_TOOL };
    default:
      return undefined;
  }
}

/** Whether a request is a call of the tool that says why there are no others. */
export function asksWhy(method: string | undefined, params: Readonly<Record<string, unknown>> | undefined): boolean {
  return method === 'tools/call' && params?.['name'] === STATUS_TOOL;
}
