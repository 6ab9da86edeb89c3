import { strict as assert } from 'node:assert';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../../../../../src/bridge/gateway/protocol/eventStream.ts';
import { ManualClock } from '../../../connection/manualClock.ts';
import { waitFor } from '../../gatewaySupport.ts';

describe('gateway: a stream of events', () => {
  const clock = new ManualClock();
  const streams: EventStream[] = [];
  let server: Server;
  let response: IncomingMessage;
  let text = '';

  beforeEach(async () => {
    text = '';
    server = createServer((_request, answer) => void streams.push(new EventStream(answer, clock)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    response = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port }, resolve).once('error', reject).end();
    });
    response.on('data', (chunk) => (text += String(chunk)));
    response.on('error', () => undefined);
  });
  afterEach(async () => {
    streams.splice(0).forEach((stream) => stream.dispose());
    await new Promise((resolve) => server.close(resolve));
  });

  it('is there at once, with a comment every 30 seconds, until it ends', async () => {
    assert.equal(response.headers['content-type'], 'text/event-stream');
    await waitFor(() => text === ': open\n\n');
    clock.advance(29_999);
    streams[0]?.send({ jsonrpc: '2.0' });
    await waitFor(() => text.endsWith('event: message\ndata: {"jsonrpc":"2.0"}\n\n'));
    assert.doesNotMatch(text, /alive/);
    for (let count = 1; count <= 3; count += 1) {
      clock.advance(count === 1 ? 1 : 30_000);
      await waitFor(() => text.match(/^: alive$/gm)?.length === count);
    }
    streams[0]?.dispose();
    await waitFor(() => response.complete);
    assert.equal(clock.pending, 0);
  });

  it('ends with a client that goes away', async () => {
    let closed = 0;
    streams[0]?.onClose(() => (closed += 1));
    response.destroy();
    await waitFor(() => closed === 1);
    assert.deepEqual([streams[0]?.isOpen, clock.pending], [false, 0]);
    streams[0]?.send({ jsonrpc: '2.0' });
  });
});
