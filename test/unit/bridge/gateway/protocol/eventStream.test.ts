import { strict as assert } from 'node:assert';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../../../../../src/bridge/gateway/protocol/eventStream.ts';
import { ManualClock } from '../../../connection/manualClock.ts';
import { waitFor } from '../../gatewaySupport.ts';

describe('gateway: a stream of events', () => {
  const clock = new ManualClock();
  const streams: EventStream[] = [];
  let soonMs = 0;
  let server: Server;
  let response: IncomingMessage;
  let text = '';

  /** Requests something that is answered by a new stream. */
  function requested(): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    text = '';
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port }, (answer) => {
        answer.on('data', (chunk) => (text += String(chunk)));
        answer.on('error', () => undefined);
        resolve(answer);
      })
        .once('error', reject)
        .end();
    });
  }

  beforeEach(async () => {
    soonMs = 0;
    server = createServer((_request, answer) => void streams.push(new EventStream(answer, clock, soonMs)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    response = await requested();
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

  it('is one message where that comes soon and is all', async () => {
    soonMs = 20;
    const answered = requested();
    await waitFor(() => streams.length === 2);
    streams[1]?.finish({ jsonrpc: '2.0', result: 'é' });
    response = await answered;
    assert.equal(response.headers['content-type'], 'application/json');
    await waitFor(() => response.complete);
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', result: 'é' });
    streams[1]?.finish({ jsonrpc: '2.0', result: 'again' });
  });

  it('is a stream where it takes longer, or another message comes before', async () => {
    soonMs = 20;
    const begin: readonly (() => void)[] = [() => clock.advance(20), () => streams.at(-1)?.send({ method: 'first' })];
    for (const [index, open] of begin.entries()) {
      const answered = requested();
      await waitFor(() => streams.length === index + 2);
      open();
      response = await answered;
      assert.equal(response.headers['content-type'], 'text/event-stream');
      streams.at(-1)?.finish({ method: 'last' });
      await waitFor(() => response.complete);
      assert.match(
        text,
        /^: open\n\n(?:event: message\ndata: {"method":"first"}\n\n)?event: message\ndata: {"method":"last"}\n\n$/,
      );
    }
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
