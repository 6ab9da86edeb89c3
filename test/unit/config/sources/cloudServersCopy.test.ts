import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { readCloud } from '../../../../src/config/sources/cloudServersCopy.ts';
import { cloudSource } from '../../../../src/config/configSources.ts';

const SERVERS = '{"mcpServers":{"a":{"url":"https://a.example.com"}}}';

describe('config/cloud', () => {
  let server: Server;
  let url: string;
  let store: MemoryStore;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let requests: IncomingMessage[];

  const read = (token?: string, clock: Clock = systemClock): Promise<string> =>
    readCloud(url, { fetch, store, token: async () => token }, clock, silentLogger);

  beforeEach(async () => {
    store = new MemoryStore();
    requests = [];
    server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/servers.json`;
    answer = (request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(SERVERS);
    };
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('asks with a token, and with the tag of the last copy', async () => {
    assert.equal(await read('secret'), SERVERS);
    assert.equal(await read(), SERVERS);
    assert.deepEqual(
      requests.map(({ headers }) => [headers.authorization, headers['if-none-match']]),
      [
        ['Bearer secret', undefined],
        [undefined, '"1"'],
      ],
    );
  });

  it('gives the last copy when there is no good answer', async () => {
    await read();
    for (const bad of [
      (response: ServerResponse) => response.writeHead(500).end(),
      (response: ServerResponse) => response.writeHead(200).end('<html>Sign in</html>'),
      (response: ServerResponse) => response.writeHead(200).end('{"servers":{}}'),
      (response: ServerResponse) => response.writeHead(302, { location: 'https://elsewhere.example.com' }).end(),
      (response: ServerResponse) => response.destroy(),
    ]) {
      answer = (_request, response) => void bad(response);
      assert.equal(await read(), SERVERS);
    }
  });

  it('fails where there is no copy either, also after a time', async () => {
    answer = (_request, response) => void response.writeHead(401).end();
    await assert.rejects(read(), /HTTP 401/);
    answer = () => undefined;
    const impatient: Clock = { now: Date.now, schedule: (_delayMs, callback) => systemClock.schedule(20, callback) };
    await assert.rejects(read(undefined, impatient), /no answer within 10000 ms/);
  });

  it('takes no other address’s copy', async () => {
    await store.set('config.cloud', { url: 'https://other', text: SERVERS });
    answer = (_request, response) => void response.writeHead(500).end();
    await assert.rejects(read(), /HTTP 500/);
  });

  it('is an https address, or one of this machine', () => {
    assert.equal(cloudSource('https://h/x')?.scope, 'cloud');
    assert.equal(cloudSource('http://localhost:1/x')?.label, 'servers from localhost:1');
    for (const bad of ['http://h/x', 'file:///etc/x', 'nonsense']) assert.equal(cloudSource(bad), undefined);
  });
});
