// A client of the SDK as it comes, under test of the conformance suite: `node bareClient.mjs v1|v2 URL`, with
// MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT in the environment. It signs in with the providers that the SDK has, and a
// browser that follows each link.
import {
  Client as ClientV2,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ClientCredentialsProvider as CredentialsV1,
  PrivateKeyJwtProvider as PrivateKeyV1,
} from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { argumentsFor, context, fetchWithDiscover, scenario } from '../../test/conformance/scenario.ts';
import type { JsonObject } from '../../src/base/json/json.ts';

const [generation = 'v2', url = ''] = process.argv.slice(2);
const isV1 = generation === 'v1';
const info = { name: 'bare-client', version: '1' };
const REDIRECT = 'http://localhost:3333/callback';

/** What both generations have. */
interface Client {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string; inputSchema: JsonObject }[] }>;
  callTool(params: { name: string; arguments: JsonObject }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string }): Promise<unknown>;
  close(): Promise<void>;
}

interface Transport {
  finishAuth(code: string | URLSearchParams): Promise<void>;
}

/** Keeps what it is given, in memory, and goes through the pages at once. */
class MemoryProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';
  readonly clientMetadata = { client_name: 'bare-client', redirect_uris: [REDIRECT] };
  answer: URLSearchParams | undefined;
  #client: object | undefined =
    context.client_id === undefined
      ? undefined
      : { client_id: context.client_id, ...(context.client_secret ? { client_secret: context.client_secret } : {}) };
  #tokens: object | undefined;
  #verifier = '';
  #dpop: Promise<DpopSession> | undefined;

  clientInformation(): object | undefined {
    return this.#client;
  }

  saveClientInformation(client: object): void {
    this.#client = client;
  }

  tokens(): object | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: object): void {
    this.#tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** Of the second generation only. */
  async dpop(): Promise<DpopSession | undefined> {
    if (scenario.startsWith('auth/dpop')) this.#dpop ??= DpopSession.create();
    return this.#dpop;
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    const { headers } = await fetch(address, { redirect: 'manual' });
    this.answer = new URL(headers.get('location') ?? REDIRECT).searchParams;
  }
}

/** The provider of the SDK's own that fits what the scenario gives. */
function providerOf(): unknown {
  const clientId = context.client_id ?? '';
  const clientSecret = context.client_secret ?? '';
  if (scenario === 'auth/client-credentials-basic')
    return isV1
      ? new CredentialsV1({ clientId, clientSecret })
      : new ClientCredentialsProvider({ clientId, clientSecret });
  if (scenario === 'auth/client-credentials-jwt') {
    const key = {
      clientId,
      privateKey: context.private_key_pem ?? '',
      algorithm: context.signing_algorithm ?? 'ES256',
    };
    return isV1 ? new PrivateKeyV1(key) : new PrivateKeyJwtProvider(key);
  }
  if (scenario === 'auth/enterprise-managed-authorization' && !isV1)
    return new CrossAppAccessProvider({
      clientId,
      clientSecret,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          tokenEndpoint: context.idp_token_endpoint ?? '',
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: context.idp_id_token ?? '',
          clientId: context.idp_client_id ?? '',
          ...(scope === undefined ? {} : { scope }),
          fetchFn,
        });
        return jwtAuthGrant;
      },
    });
  return new MemoryProvider();
}

const accepted = async (): Promise<{ action: 'accept'; content: Record<string, boolean> }> => ({
  action: 'accept',
  content: scenario.startsWith('sep-2322') ? { confirmed: true } : {},
});

function open(): Client {
  const capabilities = { elicitation: { form: { applyDefaults: true } } };
  if (isV1) {
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, accepted);
    return client as unknown as Client;
  }
  const client = new ClientV2(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', accepted);
  return client as unknown as Client;
}

const provider = scenario.startsWith('auth/') ? providerOf() : undefined;
let transport: Transport;
const client = open();

/** Once more, where somebody had to sign in meanwhile. */
async function signedIn<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      const answer = provider instanceof MemoryProvider ? provider.answer : undefined;
      if (!answer || attempt === 3) throw error;
      (provider as MemoryProvider).answer = undefined;
      await transport.finishAuth(isV1 ? (answer.get('code') ?? '') : answer);
    }
}

await signedIn(async () => {
  const options = { fetch: fetchWithDiscover, ...(provider ? { authProvider: provider } : {}) };
  transport = new (isV1 ? HttpV1 : HttpV2)(new URL(url), options as object);
  await client.connect(transport);
});
const { tools } = await signedIn(() => client.listTools());
const calls = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
for (const call of calls)
  await signedIn(() => client.callTool({ name: call.name, arguments: call.arguments })).catch(console.error);
if (scenario === 'http-standard-headers') {
  const [resource] = (await client.listResources()).resources;
  if (resource) await client.readResource({ uri: resource.uri });
  const [prompt] = (await client.listPrompts()).prompts;
  if (prompt) await client.getPrompt({ name: prompt.name });
}
await client.close();
