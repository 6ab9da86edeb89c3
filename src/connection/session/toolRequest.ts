import type { Client, RequestOptions, StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';

type Guarded = { readonly _meta?: unknown };

/** A result as the transport's guard let it through: nothing is left to check. */
const AS_IT_CAME: StandardSchemaV1<unknown, Guarded> = {
  '~standard': { version: 1, vendor: 'mcp-switchboard', validate: (value) => ({ value: value as Guarded }) },
};

/**
 * `tools/call` over the SDK. In the older era the request is all that there is to it, so it is sent as it is:
 * `Client.callTool` looks for a compiled output schema, of which there are none here, and tries its own schema of the
 * result twice, once on nothing, which alone is a tenth of what a call costs. The later era has more to it: headers
 * that repeat arguments.
 */
export function callTool(
  client: Client,
  era: 'legacy' | 'modern',
  params: { readonly name: string; readonly arguments: JsonObject; readonly _meta?: Record<string, unknown> },
  options: RequestOptions,
): Promise<Guarded> {
  if (era === 'modern') return client.callTool(params, options);
  return client.request({ method: 'tools/call', params }, AS_IT_CAME, options);
}
