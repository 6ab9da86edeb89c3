import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Members = Readonly<Record<string, unknown>>;

/** A request of a client, and where its answer goes. */
export interface RpcRequest {
  readonly method: string;
  readonly params: Members;
  readonly headers: IncomingMessage['headers'];
  /** Of the address. */
  readonly path: string;
  readonly response: ServerResponse;
}

/** A server over HTTP in this process, without the SDK, so that it can say what no SDK would. */
export class RpcServer {
  readonly #server: Server;

  /** @param answer gives the members of the answer beside its id: `result` or `error` */
  constructor(answer: (request: RpcRequest) => Members | Promise<Members>) {
    this.#server = createServer((request, response) => void serve(request, response, answer));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: RpcRequest) => Members | Promise<Members>,
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString()) as Members;
  if (id === undefined || typeof method !== 'string') return void response.writeHead(202).end();
  const { headers, url: path = '' } = request;
  const members = await answer({ method, params: params as Members, headers, path, response });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...members }));
}
