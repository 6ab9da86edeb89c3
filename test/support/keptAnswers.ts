import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { InProcessServer } from '../../src/config/configTypes.ts';

/** A server of 2026-07-28 that says how long its answers hold, and counts what it is asked for. */
export class HoldingServer {
  /** Such as `resources/read note://a`. */
  readonly asked: string[] = [];
  readonly #handler;
  readonly server: InProcessServer;

  constructor(ttlMs: number) {
    const hint = { ttlMs, cacheScope: 'private' as const };
    this.#handler = createMcpHandler(() => {
      const cacheHints = { 'resources/list': hint, 'resources/templates/list': hint, 'prompts/list': hint };
      const capabilities = { resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true } };
      const server = new McpServer({ name: 'holding', version: '1' }, { capabilities, cacheHints });
      server.registerPrompt('p', {}, () => ({ messages: [] }));
      const template = new ResourceTemplate('note://{name}', { list: undefined });
      server.registerResource('note', template, { cacheHint: hint }, (uri) => ({
        contents: [{ uri: uri.href, text: `${this.asked.length}` }],
      }));
      return server;
    });
    const fetched = async (request: Request): Promise<Response> => {
      const { method, params } = (await request.clone().json()) as { method?: string; params?: { uri?: string } };
      this.asked.push([method, params?.uri].filter(Boolean).join(' '));
      return this.#handler.fetch(request);
    };
    this.server = { kind: 'fetch', fetch: fetched };
  }

  /** How often it was asked for it. */
  count(what: string): number {
    return this.asked.filter((each) => each === what).length;
  }

  get notify(): ReturnType<typeof createMcpHandler>['notify'] {
    return this.#handler.notify;
  }
}
