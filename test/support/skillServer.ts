import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Members = Readonly<Record<string, unknown>>;

/** `SKILL.md` with this frontmatter, a line each, and this text. */
export const skillText = (fields: Readonly<Record<string, string>>, body: string): string =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n---\n${body}`;

export const REFUNDS = 'skill://acme/refunds/SKILL.md';
export const EMAIL = 'skill://acme/refunds/templates/email.md';

const stated = (uri: string, content: string): Members => ({
  uri,
  digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
  size: Buffer.byteLength(content),
});

/** A skill's entry, by the texts of its files, the first of which is its `SKILL.md`. */
export function entryOf(frontmatter: Members, files: Readonly<Record<string, string>>): Members {
  const resources = Object.entries(files).map(([uri, content]) => stated(uri, content));
  return { uri: Object.keys(files)[0], frontmatter, resources };
}

/**
 * A server of skills over HTTP in this process, without the SDK, so that it can say what no SDK would; at `/mcp` in the form of
 * 2025-11-25. It begins with one skill of two files.
 */
export class SkillServer {
  /** Every file, by its address: what reading gives. */
  readonly files = new Map<string, string>();
  /** What `skills/list` gives. */
  entries: unknown[] = [];
  /** What `skills/get` gives beside those. */
  readonly unlisted: Members[] = [];
  /** Each request: its method and parameters. */
  readonly asked: { readonly method: string; readonly params: Members }[] = [];
  capabilities: Members = { resources: {}, tools: {}, extensions: { 'io.modelcontextprotocol/skills': {} } };
  /** How many entries a page has. */
  pageSize = 100;
  /** How long it says that its list holds, in milliseconds; absent: it says nothing of it. */
  ttlMs: number | undefined;
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));

  constructor() {
    const fields = { name: 'refunds', description: 'Processes refund requests by the policy of the company.' };
    this.offer(fields, {
      [REFUNDS]: skillText(fields, '# Refunds\n\nUse templates/email.md for the answer.\n'),
      [EMAIL]: 'Dear customer,\n',
    });
  }

  /** Adds a skill, or puts another in the place of one with this address. */
  offer(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>): void {
    const entry = entryOf(fields, files);
    this.entries = [...this.entries.filter((each) => (each as Members)['uri'] !== entry['uri']), entry];
    for (const [uri, content] of Object.entries(files)) this.files.set(uri, content);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** The addresses that were read. */
  get read(): readonly unknown[] {
    return this.asked.filter(({ method }) => method === 'resources/read').map(({ params }) => params['uri']);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Members;
    const { id, method, params = {} } = message;
    if (id === undefined || typeof method !== 'string') return void response.writeHead(202).end();
    this.asked.push({ method, params: params as Members });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...this.#answer(method, params as Members) }));
  }

  #answer(method: string, { uri, cursor = '0' }: Members): Members {
    const none = { error: { code: -32602, message: 'Not found' } };
    switch (method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: this.capabilities,
            serverInfo: { name: 'skills', version: '1' },
          },
        };
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return { result: { tools: [] } };
      case 'resources/list':
        // As servers of the SDK do.
        return { result: { resources: [...this.files.keys()].map((address) => ({ uri: address, name: address })) } };
      case 'resources/templates/list':
        return { result: { resourceTemplates: [] } };
      case 'skills/list': {
        const start = Number(cursor);
        const end = start + this.pageSize;
        const more = end < this.entries.length ? { nextCursor: String(end) } : {};
        const { ttlMs } = this;
        const holds = ttlMs === undefined ? {} : { ttlMs };
        return { result: { skills: this.entries.slice(start, end), ...more, ...holds } };
      }
      case 'skills/get': {
        const skill = [...this.entries, ...this.unlisted].find((each) => (each as Members)['uri'] === uri);
        return skill ? { result: { skill } } : none;
      }
      case 'resources/read': {
        const text = this.files.get(String(uri));
        return text === undefined ? none : { result: { contents: [{ uri, mimeType: 'text/markdown', text }] } };
      }
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  }
}
