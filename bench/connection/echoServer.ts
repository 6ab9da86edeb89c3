// The least that an MCP server of 2025-11-25 can be: one tool that gives its text back. Over stdio; with `--http` over
// Streamable HTTP, and tells its URL to who started it. With `--delay MS` it takes that time for a call, with `--name NAME` it is called so.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly text?: string } };
}

const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
const delayMs = Number(option('--delay') ?? 0);
const isHttp = process.argv.includes('--http');
// What the editor calls a server's tools by.
const serverInfo = { name: option('--name') ?? (isHttp ? 'echohttp' : 'echo'), version: '1.0.0' };
const tool = {
  name: 'echo',
  description: 'Gives the text back',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The answer to a message, on one line; none to a notification. */
function answerTo(line: string): string | undefined {
  const { id, method, params } = JSON.parse(line) as Message;
  return id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, ...outcomeOf(method, params) });
}

function outcomeOf(method: string, params: Message['params']): object {
  if (method === 'initialize')
    return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
  if (method === 'tools/list') return { result: { tools: [tool] } };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text: params?.arguments?.text }] } };
  return { error: { code: -32601, message: 'Method not found' } };
}

function serveStdio(): void {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const answer = answerTo(line);
      if (answer === undefined) return;
      const send = (): void => void process.stdout.write(`${answer}\n`);
      if (delayMs > 0 && line.includes('"tools/call"')) setTimeout(send, delayMs);
      else send();
    })
    .on('close', () => process.exit(0));
}

function serveHttp(): void {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const isPost = request.method === 'POST';
      const answer = isPost ? answerTo(body) : undefined;
      if (answer === undefined) response.writeHead(isPost ? 202 : 405).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  // Clients take their turns, with pauses.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
  process.on('disconnect', () => process.exit(0));
}

if (isHttp) serveHttp();
else serveStdio();
