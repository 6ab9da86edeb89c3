import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { patientFetch } from '../../src/connection/patientFetch.ts';
import { legacyHttp, type HttpFixture } from '../fixtures/servers/http.ts';
import { connected, eventually, exportsOf, viewNamed } from './support.ts';

/** A name that only the proxy knows, so that nothing else leads to the server. */
const NAME = 'mcp.only-by-proxy.invalid';
const SILENT_MS = 4_000;

/** A proxy that leads everything to one port of this machine. `seen`: what it was asked for. */
class Proxy {
  readonly seen: string[] = [];
  readonly #sockets = new Set<net.Socket>();
  readonly #server: http.Server;

  constructor(port: number) {
    this.#server = http.createServer((request, response) => {
      this.seen.push(request.url ?? '');
      const target = http.request({ port, path: request.url, method: request.method, headers: request.headers });
      target.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(target);
    });
    this.#server.on('connection', (socket: net.Socket) => this.#sockets.add(socket));
    this.#server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
      this.seen.push(request.url ?? '');
      const target = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      for (const end of [target, socket]) end.on('error', () => undefined);
      this.#sockets.add(target);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** A server whose event stream is silent for a while. */
async function silentServer(): Promise<{ url: string; close: () => void }> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    setTimeout(() => response.end('data: late\n\n'), SILENT_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
  return { url, close: () => (server.closeAllConnections(), server.close()) };
}

export function networkSuite(): void {
  describe('the network as the editor has it', () => {
    const setProxy = (url: string | undefined): Thenable<void> =>
      vscode.workspace.getConfiguration('http').update('proxy', url, vscode.ConfigurationTarget.Global);

    it('how long an answer may be silent is for us to say, whatever the editor puts between', async () => {
      const server = await silentServer();
      const read = async (silenceMs: number): Promise<string> =>
        (await patientFetch(globalThis.fetch, silenceMs)(server.url)).text();
      try {
        await assert.rejects(
          read(1_000),
          (error: Error) => (error.cause as NodeJS.ErrnoException).code === 'UND_ERR_BODY_TIMEOUT',
        );
        assert.match(await read(0), /late/);
      } finally {
        server.close();
      }
    });

    describe('with http.proxy', () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchboard-network-'));
      let fixture: HttpFixture;
      let proxy: Proxy;

      before(async () => {
        ({ fixture } = await legacyHttp());
        proxy = new Proxy(fixture.port);
        await setProxy(await proxy.listen());
      });

      after(async () => {
        await setProxy(undefined);
        await vscode.workspace
          .getConfiguration('mcpSwitchboard')
          .update('configFiles', undefined, vscode.ConfigurationTarget.Global);
        proxy.close();
        await fixture.close();
        fs.rmSync(folder, { recursive: true, force: true });
      });

      it('a remote server is reached through it, its calls and its stream too', async () => {
        const file = path.join(folder, 'mcp.json');
        fs.writeFileSync(file, JSON.stringify({ servers: { proxied: { type: 'http', url: `http://${NAME}/mcp` } } }));
        await vscode.workspace
          .getConfiguration('mcpSwitchboard')
          .update('configFiles', [file], vscode.ConfigurationTarget.Global);
        await eventually('it is there', async () =>
          (await exportsOf()).host.views.some(({ definition }) => definition.name === 'proxied'),
        );
        await connected('proxied');
        assert.ok(proxy.seen.length > 0 && proxy.seen.every((target) => target.includes(NAME)), proxy.seen.join());
        const { host } = await exportsOf();
        const session = host.pool.get((await viewNamed('proxied')).definition.id)?.session;
        const { content } = (await session?.callTool('echo', { text: 'hi' }, { timeoutMs: 5_000 })) ?? {};
        assert.deepEqual(content, [{ type: 'text', text: 'hi' }]);
        await eventually('the stream for notifications', () => fixture.seen.includes('GET'));
        assert.ok(fixture.seen.includes('POST tools/call'));
      });

      it('the limit of silence is ours there, too', async () => {
        const server = await silentServer();
        const silent = new Proxy(Number(new URL(server.url).port));
        await setProxy(await silent.listen());
        try {
          await eventually('the new proxy counts', async () => {
            await assert.rejects(
              async () => (await patientFetch(globalThis.fetch, 1_000)(`http://${NAME}/silent`)).text(),
              (error: Error) => (error.cause as NodeJS.ErrnoException).code === 'UND_ERR_BODY_TIMEOUT',
            );
            return silent.seen.length > 0;
          });
        } finally {
          silent.close();
          server.close();
        }
      });
    });
  });
}
