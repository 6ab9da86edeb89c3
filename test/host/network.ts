import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { fetchWithoutTimeout } from '../../src/connection/remote/fetchWithoutTimeout.ts';
import { legacyHttp, type HttpFixture } from '../fixtures/servers/http.ts';
import { connected, eventually, exportsOf, viewNamed } from './support.ts';

/** Names that only the proxy knows, so that nothing else leads to the servers. */
const NAME = 'mcp.only-by-proxy.invalid';
const SILENT_NAME = 'silent.only-by-proxy.invalid';
const SILENT_MS = 4_000;

/** A proxy that leads names to ports of this machine. `seen`: what it was asked for. */
class Proxy {
  readonly seen: string[] = [];
  readonly #sockets = new Set<net.Socket>();
  readonly #server: http.Server;

  constructor(ports: Readonly<Record<string, number>>) {
    const portOf = (url: string | undefined): number => {
      this.seen.push(url ?? '');
      return Object.entries(ports).find(([name]) => url?.includes(name))?.[1] ?? 9;
    };
    this.#server = http.createServer((request, response) => {
      const { url, method, headers } = request;
      const target = http.request({ port: portOf(url), path: url, method, headers });
      target.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(target);
    });
    this.#server.on('connection', (socket: net.Socket) => this.#sockets.add(socket));
    this.#server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
      const target = net.connect(portOf(request.url), '127.0.0.1', () => {
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
async function silentServer(): Promise<{ port: number; url: string; close: () => void }> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    setTimeout(() => response.end('data: late\n\n'), SILENT_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, close: () => (server.closeAllConnections(), server.close()) };
}

async function readSilent(url: string, silenceMs: number): Promise<string> {
  return (await fetchWithoutTimeout(globalThis.fetch, silenceMs)(url)).text();
}

function isTimeOut(error: Error): boolean {
  return (error.cause as NodeJS.ErrnoException).code === 'UND_ERR_BODY_TIMEOUT';
}

export function networkSuite(): void {
  describe('the network as the editor has it', () => {
    const setProxy = (url: string | undefined): Thenable<void> =>
      vscode.workspace.getConfiguration('http').update('proxy', url, vscode.ConfigurationTarget.Global);

    let silent: Awaited<ReturnType<typeof silentServer>>;

    before(async () => (silent = await silentServer()));
    after(() => silent.close());

    it('how long an answer may be silent is for us to say, whatever the editor puts between', async () => {
      await assert.rejects(readSilent(silent.url, 1_000), isTimeOut);
      assert.match(await readSilent(silent.url, 0), /late/);
    });

    describe('with http.proxy', () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchboard-network-'));
      let fixture: HttpFixture;
      let proxy: Proxy;

      before(async () => {
        ({ fixture } = await legacyHttp());
        proxy = new Proxy({ [SILENT_NAME]: silent.port, [NAME]: fixture.port });
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

      it('how long an answer may be silent is for us to say there, too', async () => {
        const url = `http://${SILENT_NAME}/`;
        await assert.rejects(readSilent(url, 1_000), isTimeOut);
        assert.match(await readSilent(url, 0), /late/);
        assert.ok(proxy.seen.some((target) => target.includes(SILENT_NAME)));
      });
    });
  });
}
