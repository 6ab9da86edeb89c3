// The least that a gateway can be: HTTP in front of the echo server over stdio, with no checks at all; tells its URL to who
// started it. What it is started with goes to the echo server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { RawClient } from './rawClient.ts';

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: object;
}

const file = fileURLToPath(new URL('./echoServer.ts', import.meta.url));
const echo = new RawClient(process.execPath, [file, ...process.argv.slice(2)]);
const server = createServer((request, response) => {
  void text(request).then(async (body) => {
    const isPost = request.method === 'POST';
    const { id, method, params = {} } = isPost ? (JSON.parse(body) as Message) : { method: '' };
    if (id === undefined) return response.writeHead(isPost ? 202 : 405).end();
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: await echo.request(method, params) });
    return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
});
// Clients take their turns, with pauses.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
process.on('disconnect', () => {
  echo.close();
  process.exit(0);
});
