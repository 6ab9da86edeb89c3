// What a client under test of the conformance suite is told, and what it does for each scenario alike: ours, and those that
// `bench/conformance.ts` compares it with.
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';

/** A tool as a client has it. */
interface ListedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

export const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
export const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** A client that is registered already, with a secret or a key. */
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  /** Who vouches for the person, and the client there. */
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_token_endpoint?: string;
  /** What says who runs here. */
  readonly valid_jwt?: string;
};

/** Those mock servers don't know `server/discover`, which every server of 2026-07-28 has to: it is answered for them. */
const lacksDiscover = /^(http-|sep-2322)/.test(scenario);
export const fetchWithDiscover: typeof fetch = async (input, init) => {
  if (lacksDiscover && typeof init?.body === 'string') {
    const message = JSON.parse(init.body) as { id?: string; method?: string };
    if (message.method === 'server/discover') {
      const capabilities = { tools: {}, resources: {}, prompts: {} };
      const result = {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        supportedVersions: ['2026-07-28'],
        capabilities,
      };
      return Response.json({ jsonrpc: '2.0', id: message.id, result });
    }
  }
  return fetch(input, init);
};

/** Something that a tool accepts, by the types in its schema. */
export function argumentsFor(tool: ListedTool, tools: readonly ListedTool[]): JsonObject {
  const properties = (tool.inputSchema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const values: Record<string, JsonValue> = {};
  for (const [name, schema] of Object.entries(properties)) values[name] = sampleOf(schema['type']);
  const echoed = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  return tool.name === 'json_schema_echo' && echoed ? { schema: echoed.inputSchema } : values;
}

function sampleOf(type: JsonValue | undefined): JsonValue {
  switch (type) {
    case 'number':
    case 'integer':
      return 5;
    case 'boolean':
      return true;
    case 'object':
      return {};
    default:
      return 'us-west1';
  }
}
