import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, HttpFixture, json } from '../fixtures/servers/http.ts';

/** Many servers in one process: each path of its address is one, with as many tools as the others. */
export class ManyServers {
  readonly names: readonly string[];
  /** Those that never answer, as a server that downloads for a long time. */
  readonly silent = new Set<string>();
  readonly #tools: number;
  readonly #fixture = new HttpFixture((request, response) => void this.#answer(request, response));

  constructor(servers: number, tools: number) {
    const digits = String(servers - 1).length;
    this.names = Array.from({ length: servers }, (_, index) => `many-${String(index).padStart(digits, '0')}`);
    this.#tools = tools;
  }

  async listen(): Promise<void> {
    await this.#fixture.listen();
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }

  /** As of the setting `mcpSwitchboard.servers`. */
  get entries(): Readonly<Record<string, { readonly type: 'http'; readonly url: string }>> {
    const base = this.#fixture.url.replace(/mcp$/, '');
    return Object.fromEntries(this.names.map((name) => [name, { type: 'http', url: base + name }]));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1);
    const { id, method } = (await bodyOf(request)) ?? {};
    if (this.silent.has(name)) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(202).end();
    const result = this.#result(name, method);
    const error = { code: -32601, message: 'Method not found' };
    json(response, 200, { jsonrpc: '2.0', id, ...(result ? { result } : { error }) });
  }

  #result(name: string, method: string | undefined): object | undefined {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name, version: '1' },
        };
      case 'ping':
        return {};
      case 'tools/list':
        return {
          tools: Array.from({ length: this.#tools }, (_, index) => ({
            name: `tool_${index}_of_${name}`,
            description: `Reads the records of ${name} that have the number ${index}.`,
            inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'Which one' } } },
            annotations: { readOnlyHint: true },
          })),
        };
      default:
        return undefined;
    }
  }
}
