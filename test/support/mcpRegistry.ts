import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** How it misbehaves. */
export type RegistryFault = 'slow' | 'error' | 'not-json' | 'other-json' | 'huge' | 'redirect' | 'hangs-up';

/** A version of a server as `ServerResponse` of the API has it. */
export function published(server: Json, official: Json = {}): Json {
  return {
    server,
    _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true, ...official } },
  };
}

/**
 * An MCP registry as its API describes it (OpenAPI of 2025-12-01): `GET /v0.1/servers` with `search`, `cursor`, `limit`,
 * `version` and `include_deleted`, `/v0.1/servers/{name}/versions` and `/v0.1/servers/{name}/versions/{version}`.
 */
export class McpRegistry {
  /** What it was asked, method and path with query. */
  readonly requests: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** Further files, by path. */
  readonly files = new Map<string, Uint8Array>();
  fault: RegistryFault | undefined;
  /** Requests that were given up before they were answered. */
  aborted = 0;
  readonly #server: Server;
  readonly #prefix: string;
  #published: readonly unknown[] = [];

  private constructor(prefix: string) {
    this.#prefix = prefix;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** @param prefix a path that a mirror may have */
  static async open(prefix = ''): Promise<McpRegistry> {
    const registry = new McpRegistry(prefix);
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return this.origin + this.#prefix;
  }

  /** Every version that it has, the newest of a server first; anything may be among them. */
  publish(...servers: readonly unknown[]): void {
    this.#published = servers;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(`${request.method} ${request.url}`);
    this.headers.push(request.headers);
    response.on('close', () => {
      if (!response.writableEnded) this.aborted += 1;
    });
    const url = new URL(request.url ?? '/', this.origin);
    const file = this.files.get(url.pathname);
    if (file) return void response.end(file);
    if (this.fault) return this.#misbehave(this.fault, response);
    if (!url.pathname.startsWith(`${this.#prefix}/v0.1/servers`)) return send(response, 404, { error: 'Not found' });
    const [name, versions, version] = url.pathname
      .slice(`${this.#prefix}/v0.1/servers`.length + 1)
      .split('/')
      .map(decodeURIComponent);
    if (!name) return send(response, 200, this.#list(url.searchParams));
    const all = this.#published.filter((each) => nameOf(each) === name && statusOf(each) !== 'deleted');
    if (all.length === 0 || versions !== 'versions') return send(response, 404, { error: 'Server not found' });
    if (!version) return send(response, 200, { servers: all, metadata: { count: all.length } });
    const found = all.find((each) => version === 'latest' || versionOf(each) === version);
    return found ? send(response, 200, found) : send(response, 404, { error: 'Server not found' });
  }

  #list(query: URLSearchParams): Json {
    const search = query.get('search')?.toLowerCase() ?? '';
    const seen = new Set<unknown>();
    const found = this.#published.filter((each) => {
      const name = nameOf(each);
      const isLatest = !seen.has(name);
      // What has no name is listed as it is.
      if (name !== undefined) seen.add(name);
      const isWanted = query.get('version') !== 'latest' || isLatest;
      const isThere = query.get('include_deleted') === 'true' || statusOf(each) !== 'deleted';
      return isWanted && isThere && (name ?? '').toLowerCase().includes(search);
    });
    const from = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || '0');
    const to = from + Number(query.get('limit') ?? 30);
    const servers = found.slice(from, to);
    const nextCursor = to < found.length ? Buffer.from(String(to)).toString('base64') : undefined;
    return { servers, metadata: { count: servers.length, ...(nextCursor ? { nextCursor } : {}) } };
  }

  #misbehave(fault: RegistryFault, response: ServerResponse): void {
    switch (fault) {
      case 'slow':
        return undefined;
      case 'error':
        return send(response, 500, { error: 'Internal server error' });
      case 'not-json':
        return void response.end('<html>Sign in</html>');
      case 'other-json':
        return send(response, 200, { mcpServers: {} });
      case 'huge': {
        const piece = Buffer.alloc(1024 * 1024, ' ');
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
          response.once('drain', more);
        };
        return more();
      }
      case 'redirect':
        response.writeHead(302, { location: 'http://127.0.0.1:9/' });
        return void response.end();
      case 'hangs-up':
        return void response.destroy();
    }
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const serverOf = (each: unknown): Json => (each as { server?: Json } | undefined)?.server ?? {};
const nameOf = (each: unknown): string | undefined => {
  const { name } = serverOf(each);
  return typeof name === 'string' ? name : undefined;
};
const versionOf = (each: unknown): unknown => serverOf(each)['version'];
function statusOf(each: unknown): unknown {
  const meta = (each as { _meta?: Readonly<Record<string, Json>> } | undefined)?._meta;
  return meta?.['io.modelcontextprotocol.registry/official']?.['status'];
}
