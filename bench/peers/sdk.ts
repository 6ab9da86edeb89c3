import { Client as ClientV2, StreamableHTTPClientTransport, SSEClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { wholeMessage, within, type Definition, type ListName, type Peer, type Said, type Session } from './peer.ts';

/** What both generations of the SDK's client have. */
interface Client {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: object }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
  connect(transport: unknown): Promise<void>;
  onerror?: ((error: Error) => void) | undefined;
}

const info = { name: 'bench-peers', version: '1' };

/** The SDK's client of the first generation, which ends at 2025-11-25, as it comes. */
export const sdkV1 = (): Peer =>
  peer(
    'sdk v1',
    () => new ClientV1(info, { capabilities: {} }) as unknown as Client,
    (definition) =>
      definition.type === 'stdio'
        ? new StdioV1({ command: definition.command, args: [...definition.args], stderr: 'ignore' })
        : new (definition.type === 'sse' ? SseV1 : HttpV1)(new URL(definition.url), requestInit(definition)),
  );

/** The SDK's client of the second generation, in both eras, as it comes. */
export const sdkV2 = (): Peer =>
  peer(
    'sdk v2',
    () => new ClientV2(info, { capabilities: {}, versionNegotiation: { mode: 'auto' } }) as unknown as Client,
    (definition) =>
      definition.type === 'stdio'
        ? new StdioClientTransport({ command: definition.command, args: [...definition.args], stderr: 'ignore' })
        : new (definition.type === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport)(
            new URL(definition.url),
            requestInit(definition),
          ),
  );

function requestInit({ headers }: Extract<Definition, { url: string }>): object {
  return headers ? { requestInit: { headers } } : {};
}

function peer(name: string, client: () => Client, transport: (definition: Definition) => unknown): Peer {
  const connect = async (definition: Definition): Promise<Client> => {
    const made = client();
    const noted: string[] = [];
    made.onerror = (error) => noted.push(wholeMessage(error));
    try {
      await within(made.connect(transport(definition)), 'the handshake');
      return made;
    } catch (error) {
      await within(made.close(), 'the end', 3_000).catch(() => undefined);
      throw new Error([wholeMessage(error), ...noted].join('\n'), { cause: error });
    }
  };
  return {
    name,
    open: async (definition) => {
      const session = new SdkSession(await connect(definition), () => connect(definition));
      return session;
    },
    close: async () => undefined,
  };
}

interface Block {
  readonly type?: string;
  readonly text?: unknown;
  readonly data?: string;
  readonly mimeType?: string;
}

class SdkSession implements Session {
  #client: Client;
  readonly #connect: () => Promise<Client>;

  constructor(client: Client, connect: () => Promise<Client>) {
    this.#client = client;
    this.#connect = connect;
  }

  async tools(): Promise<readonly string[]> {
    return (await within(this.#client.listTools(), 'tools/list')).tools.map(({ name }) => name);
  }

  async call(tool: string): Promise<Said> {
    try {
      const result = (await within(this.#client.callTool({ name: tool, arguments: {} }), 'the call')) as {
        content?: unknown;
        structuredContent?: unknown;
        isError?: unknown;
      };
      const content = (Array.isArray(result.content) ? result.content : []) as Block[];
      const isImage = (block: Block): boolean => block.type === 'image';
      const texts = content
        .filter((block) => !isImage(block))
        .map((block) => (typeof block.text === 'string' ? block.text : JSON.stringify(block)));
      if (texts.length === 0 && result.structuredContent !== undefined)
        texts.push(JSON.stringify(result.structuredContent));
      const text = texts.join('\n');
      const images = content.filter(isImage).map(({ data, mimeType }) => ({
        mimeType: mimeType ?? '',
        hex: Buffer.from(data ?? '', 'base64')
          .subarray(0, 4)
          .toString('hex'),
      }));
      return { text, images, ...(result.isError ? { error: text } : {}) };
    } catch (error) {
      return { text: '', images: [], error: wholeMessage(error) };
    }
  }

  async list(what: ListName): Promise<readonly string[]> {
    if (what === 'resources') return (await this.#client.listResources()).resources.map(({ uri }) => uri);
    if (what === 'prompts') return (await this.#client.listPrompts()).prompts.map(({ name }) => name);
    return (await this.#client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  }

  async ping(): Promise<void> {
    await within(this.#client.ping(), 'the ping', 1_500).catch(() => undefined);
  }

  async restart(): Promise<void> {
    await this.close();
    this.#client = await this.#connect();
  }

  async close(): Promise<void> {
    await within(this.#client.close(), 'the end', 4_000).catch(() => undefined);
  }
}
