import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, HttpFixture, json } from '../../fixtures/servers/http.ts';

type Params = Readonly<Record<string, unknown>>;
interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** An answer that isn't a result. */
export type Odd = 'no answer' | { readonly status: number };

/** A request that came. */
export interface SeenRequest {
  /** Of the URL: one of these servers can stand for several. */
  readonly path: string;
  readonly method: string;
  readonly at: number;
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };
const schema = { type: 'object', properties: { note: { type: 'string', description: 'Anything' } } };
const DESCRIPTION = 'Reads a page of the book and returns its text, with all that stands in its margins and below it.';

export const TOOLS: readonly object[] = [
  { name: 'read', description: DESCRIPTION, inputSchema: schema, annotations: READ_ONLY },
  { name: 'long', description: DESCRIPTION, inputSchema: schema, annotations: READ_ONLY },
  { name: 'write', description: 'Writes a page.', inputSchema: schema, annotations: { destructiveHint: false } },
];

/**
 * A server of 2025-11-25 over HTTP inside the test: it keeps what it is asked, and a test can change what it answers and
 * send notifications and requests of its own.
 */
export class ScriptedServer {
  readonly seen: SeenRequest[] = [];
  tools: readonly object[] = TOOLS;
  /** What the client said of itself in the last handshake. */
  capabilities: Params = {};
  /** By method, in place of what is usual. The parameters of the request and the path are given. */
  readonly answers = new Map<string, (path: string, params: Params) => unknown>();
  readonly #fixture = new HttpFixture((request, response) => void this.#handle(request, response));
  readonly #streams = new Map<string, ServerResponse>();
  readonly #asked = new Map<unknown, (message: Message) => void>();

  async start(): Promise<this> {
    await this.#fixture.listen();
    return this;
  }

  url(path = 'probe'): string {
    return new URL(`/${path}`, this.#fixture.url).href;
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }

  /** How often it was asked for `method`. */
  count(method: string, path = 'probe'): number {
    return this.seen.filter((each) => each.method === method && each.path === path).length;
  }

  /** Whether a client listens. */
  hasStream(path = 'probe'): boolean {
    return this.#streams.has(path);
  }

  /** Sends a notification to the clients of a path that listen. */
  notify(method: string, path = 'probe'): void {
    this.#send(path, { method });
  }

  /** Asks the client. Gives its result, or the message of its error. */
  async ask(method: string, params: object = {}, path = 'probe'): Promise<unknown> {
    const id = `ours-${this.#asked.size}`;
    const answered = new Promise<Message>((resolve) => this.#asked.set(id, resolve));
    this.#send(path, { id, method, params });
    const { result, error } = await answered;
    return error?.message ?? result;
  }

  #send(path: string, message: object): void {
    this.#streams.get(path)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').slice(1);
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      this.#streams.set(path, response);
      response.once('close', () => this.#streams.get(path) === response && this.#streams.delete(path));
      return;
    }
    const message: Message | undefined = await bodyOf(request);
    const { id, method, params = {} } = message ?? {};
    if (message && method === undefined) this.#asked.get(id)?.(message);
    if (method === undefined || id === undefined) return void response.writeHead(202).end();
    this.seen.push({ path, method, at: performance.now() });
    const special = this.answers.get(method);
    const answer = await (special ? special(path, params) : this.#usual(method, params));
    if (answer === 'no answer') return;
    if (isStatus(answer)) return void response.writeHead(answer.status).end();
    const missing = { error: { code: -32601, message: 'Method not found' } };
    json(response, 200, { jsonrpc: '2.0', id, ...(answer === undefined ? missing : { result: answer }) });
  }

  #usual(method: string, params: Params): unknown {
    switch (method) {
      case 'initialize':
        this.capabilities = params['capabilities'] as Params;
        return {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'scripted', version: '1' },
        };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: this.tools };
      case 'tools/call':
        return { content: [{ type: 'text', text: params['name'] === 'long' ? 'a long text '.repeat(2_000) : 'done' }] };
      default:
        return undefined;
    }
  }
}

function isStatus(answer: unknown): answer is { readonly status: number } {
  return typeof answer === 'object' && answer !== null && 'status' in answer && typeof answer.status === 'number';
}
