import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { FrameReader } from '../../../../src/connection/remote/webSocket/frames.ts';
import { UnusableUpgrade } from '../../../../src/connection/remote/webSocket/requestUpgrade.ts';
import { WebSocketTransport } from '../../../../src/connection/remote/webSocket/webSocketTransport.ts';
import { eventually } from '../../../support/eventually.ts';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [PING, EMPTY, CLOSE] = [Buffer.from([0x89, 0]), Buffer.from([0, 0]), Buffer.from([0x88, 2, 0x0f, 0xa2])];

function message(method: string): Buffer {
  const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method }));
  return Buffer.concat([Buffer.from([0x81, text.length]), text]);
}

function many(count: number, frame: Buffer): Buffer {
  return Buffer.alloc(count * frame.length, frame);
}

describe('the client of WebSockets', () => {
  const servers: http.Server[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function listening(onUpgrade: (request: IncomingMessage, socket: Socket) => void): Promise<string> {
    const server = http.createServer((_request, response) => response.end('x'));
    servers.push(server);
    server.on('connection', (socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('close', () => sockets.delete(socket));
    });
    server.on('upgrade', onUpgrade);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  function accept({ headers }: IncomingMessage, socket: Socket): void {
    const key = createHash('sha1').update(`${headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
  }

  function transportTo(url: string): { readonly socket: WebSocketTransport; readonly closed: Promise<void> } {
    const socket = new WebSocketTransport({ url, headers: {}, authorize: (inner) => inner });
    return { socket, closed: new Promise<void>((resolve) => (socket.onclose = resolve)) };
  }

  it('asks with the agent that the editor sets, and once more where a connection of before has ended', async () => {
    const asked: Socket[] = [];
    const url = await listening((request, socket) => {
      asked.push(socket);
      if (asked.length === 1) socket.resetAndDestroy();
      else accept(request, socket);
    });
    await (await new Promise<IncomingMessage>((resolve) => http.get(url.replace('ws', 'http'), resolve))).toArray();
    await new Promise((resolve) => setImmediate(resolve));
    const [first] = sockets;
    const { socket } = transportTo(url);
    await socket.start();
    assert.equal(socket.opened, true);
    assert.equal(asked.length, 2);
    assert.equal(asked[0], first, 'of the agent');
    socket.destroy();
  });

  it('a 101 without an upgrade is a WebSocket that can’t be used', async () => {
    const url = await listening((_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    const { socket } = transportTo(url);
    await assert.rejects(socket.start(), UnusableUpgrade);
  });

  it('a handler that fails keeps nothing from being read', async () => {
    const others = process.listeners('uncaughtException');
    const thrown: unknown[] = [];
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    try {
      const tooLong = Buffer.alloc(70_000_000, 'x');
      const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
      head.writeUInt32BE(tooLong.length, 6);
      const url = await listening((request, socket) => {
        accept(request, socket);
        socket.write(Buffer.concat([message('a'), message('b'), head, tooLong, message('c'), CLOSE]));
      });
      const { socket, closed } = transportTo(url);
      const seen: unknown[] = [];
      socket.onmessage = (read) => {
        seen.push('method' in read && read.method);
        if (seen.length === 1) throw new Error('broken');
      };
      socket.onoversized = () => {
        throw new Error('broken, too');
      };
      await socket.start();
      await closed;
      assert.deepEqual(seen, ['a', 'b', 'c']);
      assert.equal(socket.closeCode, 4002);
      await eventually('what was thrown is told', () => thrown.length === 2);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const each of others) process.on('uncaughtException', each);
    }
  });

  it('a server that closes and reads no more is left', async () => {
    const url = await listening((request, socket) => {
      accept(request, socket);
      socket.pause();
      setTimeout(() => socket.write(CLOSE), 100);
    });
    const { socket, closed } = transportTo(url);
    await socket.start();
    await socket.send({ jsonrpc: '2.0', method: 'x', params: { long: 'x'.repeat(30_000_000) } });
    await closed;
    assert.equal(socket.isClosed, true);
    assert.equal(socket.closeCode, 4002);
  });

  it('empty frames are read so many in a turn, and all that comes behind them', async () => {
    let pings = 0;
    const reader = new FrameReader({ onMessage: () => undefined, onControl: () => (pings += 1) });
    assert.equal(reader.push(many(10_000, PING)), true);
    assert.equal(pings, 4000);
    const next = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await next();
    assert.equal(reader.push(Buffer.alloc(0)), true);
    await next();
    assert.equal(reader.push(Buffer.alloc(0)), false);
    assert.equal(pings, 10_000);
    for (const end of [true, false]) {
      const url = await listening((request, socket) => {
        accept(request, socket);
        const rest = Buffer.concat([many(50_000, PING), message('a'), many(5_000, PING), message('b'), CLOSE]);
        if (end) socket.end(rest);
        else socket.write(rest);
      });
      const { socket, closed } = transportTo(url);
      const seen: unknown[] = [];
      socket.onmessage = (read) => seen.push('method' in read && read.method);
      await socket.start();
      await closed;
      assert.deepEqual(seen, ['a', 'b']);
      assert.equal(socket.closeCode, 4002);
    }
  });

  it('a message in too many pieces isn’t one', async () => {
    const begin = Buffer.from([0x01, 1, 0x31]);
    const end = Buffer.from([0x80, 0]);
    for (const [count, code] of [
      [99_000, 4002],
      [100_001, 1002],
    ] as const) {
      const url = await listening((request, socket) => {
        accept(request, socket);
        socket.write(Buffer.concat([begin, many(count, EMPTY), end, CLOSE]));
      });
      const { socket, closed } = transportTo(url);
      await socket.start();
      await closed;
      assert.equal(socket.closeCode, code);
    }
  });
});
