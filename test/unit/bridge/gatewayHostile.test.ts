import { strict as assert } from 'node:assert';
import { request as httpRequest } from 'node:http';
import { MAX_BODY_BYTES } from '../../../src/bridge/gateway/protocol/requestServer.ts';
import { GatewayRig } from './gatewayRig.ts';
import { waitFor } from './gatewaySupport.ts';

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly session: string;
}

const message = (method: string, params: object = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const HELLO = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'raw', version: '0' },
});

describe('gateway: odd and hostile clients', function () {
  this.timeout(60_000);
  let rig: GatewayRig;

  beforeEach(async () => {
    rig = new GatewayRig();
    await rig.start();
  });
  afterEach(() => rig.stop());

  /** With Node's own client: `fetch` sets some of these headers by itself. An array of pieces goes in chunks. */
  function post(
    body: string | readonly string[],
    headers: Record<string, string> = {},
    server = 'notes',
  ): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const authorization = `Bearer ${rig.gateway.token}`;
      const options = { method: 'POST', headers: { authorization, 'content-type': 'application/json', ...headers } };
      const request = httpRequest(rig.endpoint(server).url, options);
      let answered = false;
      request.once('response', (response) => {
        answered = true;
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        const { statusCode: status = 0 } = response;
        response.once('close', () => resolve({ status, text, session: String(response.headers['mcp-session-id']) }));
      });
      request.once('error', (error) => answered || reject(error));
      for (const piece of typeof body === 'string' ? [] : body) request.write(piece);
      request.end(typeof body === 'string' ? body : undefined);
    });
  }
  const session = async (server = 'notes'): Promise<Record<string, string>> => ({
    'mcp-session-id': (await post(HELLO, {}, server)).session,
  });

  it('a Host with another port, another spelling of this machine, or more than one; an Origin of another port', async () => {
    const { port } = new URL(rig.endpoint().url);
    for (const host of [
      '127.0.0.1',
      '127.0.0.1:1',
      'localhost:1',
      `[::1]:${port}`,
      `0.0.0.0:${port}`,
      `localhost.:${port}`,
    ])
      assert.equal((await post(HELLO, { host })).status, 403, host);
    for (const host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`])
      assert.equal((await post(HELLO, { host })).status, 200);
    for (const origin of ['http://127.0.0.1:1', `https://127.0.0.1:${port}`, 'vscode-webview://x', ''])
      assert.equal((await post(HELLO, { origin })).status, 403, origin);
  });

  it('a token that is nearly right, in another scheme, or in the address', async () => {
    const { token } = rig.gateway;
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      'Bearer ',
      `Bearer ${token} x`,
    ])
      assert.equal((await post(HELLO, { authorization })).status, 401, authorization);
  });

  it('a body that comes in chunks and grows over the limit', async () => {
    const piece = 'x'.repeat(MAX_BODY_BYTES / 4);
    const refused = await post([piece, piece, piece, piece, piece]).catch((error: Error) => error.message);
    assert.ok(typeof refused === 'string' ? /ECONNRESET|EPIPE/.test(refused) : refused.status === 413);
  });

  it('other methods than the protocol’s, whatever a header says they stand for', async () => {
    const headers = {
      authorization: `Bearer ${rig.gateway.token}`,
      ...(await session()),
      'x-http-method-override': 'POST',
    };
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD'])
      assert.equal((await fetch(rig.endpoint().url, { method, headers })).status, 405, method);
  });

  it('a path with more in it', async () => {
    const { url } = rig.endpoint();
    const headers = { authorization: `Bearer ${rig.gateway.token}` };
    for (const address of [
      `${url}/`,
      `${url}?x`,
      `${url}%2e`,
      new URL('/mcp', url).href,
      new URL('/mcp//etc/passwd', url).href,
    ])
      assert.equal((await fetch(address, { method: 'POST', headers, body: HELLO })).status, 404, address);
  });

  it('a batch, an id that is none, a protocol that isn’t spoken', async () => {
    const headers = await session();
    assert.equal((await post(`[${message('ping')}]`, headers)).status, 400);
    assert.equal((await post(message('ping', {}, null), headers)).status, 400);
    assert.equal((await post(message('ping', {}, {}), headers)).status, 400);
    assert.equal((await post(message('ping'), { ...headers, 'mcp-protocol-version': '1999-01-01' })).status, 400);
    assert.equal((await post(message('ping'), { ...headers, 'mcp-protocol-version': '2025-06-18' })).status, 200);
  });

  it('arguments that are no object are refused, and nothing is called with none in their place', async () => {
    const headers = await session();
    for (const wrong of [['a'], 'a', 1, true]) {
      const { text } = await post(message('tools/call', { name: 'list_notes', arguments: wrong }), headers);
      assert.match(text, /-32602/, JSON.stringify(wrong));
    }
    assert.equal(rig.test.host.calls.history.entries.length, 0);
  });

  it('arguments nested beyond all reason fail that call alone', async () => {
    const headers = await session();
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const body = message('tools/call', { name: 'list_notes', arguments: 'DEEP' }).replace('"DEEP"', deep);
    assert.match((await post(body, headers)).text, /isError|error/);
    assert.match((await post(message('ping'), headers)).text, /"result":\{\}/);
  });

  it('a call that waits is answered as a stream, and its version is another when a tool is another', async () => {
    const headers = await session();
    const authorization = `Bearer ${rig.gateway.token}`;
    const ending = new AbortController();
    const body = message('tools/call', { name: 'add_note', arguments: { title: 'x', text: 'x' } });
    const waiting = await fetch(rig.endpoint().url, {
      method: 'POST',
      headers: { authorization, ...headers },
      body,
      signal: ending.signal,
    });
    // Nobody has answered the question yet.
    assert.equal(waiting.headers.get('content-type'), 'text/event-stream');
    assert.equal(rig.test.host.calls.history.entries.length, 0);
    ending.abort();
    const { version, serverId } = rig.endpoint();
    const { catalog } = rig.test.host;
    const tools = catalog.toolsOf(serverId).map(({ tool }) => tool);
    catalog.setServer(serverId, 'notes', [...tools]);
    assert.equal(rig.endpoint().version, version);
    catalog.setServer(
      serverId,
      'notes',
      tools.map((tool) => ({ ...tool, description: 'Does something else.' })),
    );
    await waitFor(() => rig.endpoint().version !== version);
  });

  it('many sessions end those first that neither listen nor wait, and of those the one used longest ago', async () => {
    const headers = await session();
    const authorization = `Bearer ${rig.gateway.token}`;
    const listening = await fetch(rig.endpoint().url, { headers: { authorization, ...headers } });
    assert.equal(listening.status, 200);
    const [used, idle] = [await session(), await session()];
    for (let count = 0; count < 300; count += 1) {
      await session();
      if (count % 50 === 0) assert.equal((await post(message('ping'), used)).status, 200);
    }
    assert.equal((await post(message('ping'), headers)).status, 200);
    assert.equal((await post(message('ping'), used)).status, 200);
    assert.equal((await post(message('ping'), idle)).status, 404);
    await listening.body?.cancel();
  });

  it('a second request under an id that is under way', async () => {
    const headers = await session();
    const first = post(message('tools/call', { name: 'add_note', arguments: { title: 'x', text: 'x' } }, 7), headers);
    await waitFor(async () => (await post(message('ping', {}, 7), headers)).status === 400);
    await post(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }),
      headers,
    );
    assert.match((await first).text, /cancelled before the user answered/);
  });
});
