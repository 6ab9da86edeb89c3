import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '../../../../../src/base/clock.ts';
import { messageOf } from '../../../../../src/base/errors.ts';
import { LoopbackServer, STRANGERS } from '../../../../../src/bridge/gateway/protocol/loopbackServer.ts';

describe('loopback server', () => {
  it('keeps the connections of clients that come together until each has shown the token', async () => {
    const handler = {
      handle: (_request: unknown, response: { end(): unknown }) => Promise.resolve(void response.end()),
    };
    const server = new LoopbackServer('right', systemClock, () => handler);
    try {
      const port = await server.listen();
      const request = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer right\r\nConnection: close\r\n\r\n`;
      const sockets = Array.from({ length: STRANGERS.connections * 3 }, () => connect(port, '127.0.0.1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      // The one after them is answered: the server has let in all of them.
      await fetch(`http://127.0.0.1:${port}/`);
      const answers = sockets.map((socket) => {
        socket.write(request);
        return text(socket).catch(messageOf);
      });
      const refused = (await Promise.all(answers)).filter((answer) => !answer.startsWith('HTTP/1.1 200'));
      assert.deepEqual(refused, []);
    } finally {
      server.dispose();
    }
  });
});
