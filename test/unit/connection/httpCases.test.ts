import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpFixture, json, scriptedHttp } from '../../fixtures/servers/http.ts';
import { endedAfterEach, PoolHarness, remote } from './harness.ts';

type Message = { id?: number | string; method?: string };
type Handle = (request: IncomingMessage, response: ServerResponse, body: Message | undefined) => boolean;

const BODIES: Readonly<Record<string, string>> = {
  nothing: '',
  html: '<h1>Cannot GET /mcp</h1>',
  plain: '{"error":"params is required"}',
};
const STATUSES = [400, 401, 403, 404, 405, 409, 422, 429, 500, 501, 503] as const;

describe('servers over HTTP as they are in the wild', function () {
  this.timeout(60_000);
  const { fixtures, harnesses } = endedAfterEach();

  async function open(handle: Handle): Promise<{ harness: PoolHarness; fixture: HttpFixture }> {
    const fixture = await scriptedHttp(handle);
    fixtures.push(fixture);
    const harness = new PoolHarness();
    harnesses.push(harness);
    await harness.connect(remote('http', fixture.url));
    return { harness, fixture };
  }
  const call = (harness: PoolHarness): Promise<string> =>
    Promise.resolve(harness.server().session)
      .then((session) => session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs: 5000 }))
      .then(
        (result) => JSON.stringify(result?.content),
        (error: Error & { code: string; fullMessage: string }) => `${error.code}: ${error.fullMessage}`,
      );
  const refuse = (response: ServerResponse, status: number, body: string): boolean => {
    response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body);
    return true;
  };
  const count = (fixture: HttpFixture, what: string): number => fixture.seen.filter((each) => each === what).length;

  for (const [kind, matches] of Object.entries<(request: IncomingMessage, body: Message | undefined) => boolean>({
    'the GET stream': (request) => request.method === 'GET',
    'a notification': (_request, body) => body !== undefined && body.id === undefined,
    'server/discover': (_request, body) => body?.method === 'server/discover',
    DELETE: (request) => request.method === 'DELETE',
  }))
    it(`${kind} may be refused in any way`, async () => {
      for (const status of STATUSES)
        for (const [name, body] of Object.entries(BODIES)) {
          const { harness, fixture } = await open((request, response, message) =>
            matches(request, message) ? refuse(response, status, body) : false,
          );
          assert.match(await call(harness), /done/, `${status}, ${name}`);
          assert.equal(harness.server().state.kind, 'connected', `${status}, ${name}`);
          assert.equal(count(fixture, 'POST initialize'), 1, `${status}, ${name}`);
          await harnesses.pop()?.end();
          await fixtures.pop()?.close();
        }
    });

  it('any answer to a ping means that the server is alive', async () => {
    for (const status of STATUSES)
      for (const [name, body] of Object.entries(BODIES)) {
        const { harness } = await open((_request, response, message) =>
          message?.method === 'ping' ? refuse(response, status, body) : false,
        );
        assert.equal(await harness.server().session?.check(2000), true, `${status}, ${name}`);
        assert.equal(harness.server().state.kind, 'connected');
        await harnesses.pop()?.end();
        await fixtures.pop()?.close();
      }
  });

  for (const [status, body] of [
    [401, 'Unauthorized: Session not found'],
    [403, '{"code":-32001,"message":"Mcp-Session-Id principal mismatch"}'],
    [410, 'Gone'],
    [422, 'Unexpected message, expect initialize request'],
    [400, 'Bad Request: No valid session ID provided'],
    [404, ''],
  ] as const)
    it(`a session that is lost with HTTP ${status} is renewed, and the request isn't sent again by the session`, async () => {
      let lost = 0;
      const { harness, fixture } = await open((_request, response, message) => {
        if (message?.method !== 'tools/call' || lost > 0) return false;
        lost += 1;
        return refuse(response, status, body);
      });
      assert.match(await call(harness), /^connection-lost: .*no longer accepts the session/);
      await harness.until('connected');
      assert.equal(count(fixture, 'POST initialize'), 2);
      assert.equal(count(fixture, 'POST tools/call'), 1);
      assert.match(await call(harness), /done/);
    });

  it('only a 401 that repeats requires a sign-in', async () => {
    const { harness, fixture } = await open((_request, response, message) =>
      message?.method === 'tools/call' ? refuse(response, 401, 'no') : false,
    );
    assert.match(await call(harness), /^connection-lost/);
    await harness.until('connected');
    assert.match(await call(harness), /^needs-auth/);
    await harness.until('needs-auth');
    assert.equal(count(fixture, 'POST initialize'), 2);
  });

  it('requests that fail together in a lost session are all told that it is lost', async () => {
    let isLost = true;
    const { harness } = await open((_request, response, message) =>
      message?.method === 'tools/call' && isLost ? refuse(response, 401, 'Session not found') : false,
    );
    const all = await Promise.all([call(harness), call(harness), call(harness)]);
    isLost = false;
    for (const each of all) assert.match(each, /^(?:connection-lost|not-connected)/);
    await harness.until('connected');
    assert.match(await call(harness), /done/);
  });

  it("an error with the request's id is the answer, whatever its HTTP status is", async () => {
    for (const status of [400, 403, 404, 405, 409, 410, 422, 500, 501]) {
      const { harness, fixture } = await open((_request, response, message) => {
        if (message?.method !== 'tools/call') return false;
        const error = { code: -32603, message: 'the account "Cash" does not exist' };
        json(response, status, { jsonrpc: '2.0', id: message.id, error });
        return true;
      });
      assert.match(await call(harness), /^call-failed: .*the account "Cash" does not exist/, `${status}`);
      assert.equal(count(fixture, 'POST tools/call'), 1);
      assert.equal(harness.server().state.kind, 'connected');
      await harnesses.pop()?.end();
      await fixtures.pop()?.close();
    }
  });

  it("the server's own sentence is in the failure", async () => {
    const { harness } = await open((_request, response) =>
      refuse(response, 400, '{"error":"header X-Id is required"}'),
    );
    const { state } = harness.server();
    assert.match(state.kind === 'pending' ? state.failure.message : state.kind, /HTTP 400: header X-Id is required\./);
  });

  it('an answer with status 202 is an answer', async () => {
    const { harness } = await open((_request, response, message) => {
      if (message?.method !== 'tools/call') return false;
      json(response, 202, { jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'done' }] } });
      return true;
    });
    assert.match(await call(harness), /done/);
  });

  it('a header that HTTP can’t carry is named, its value isn’t', async () => {
    const harness = new PoolHarness();
    harnesses.push(harness);
    const headers: readonly [string, string][] = [
      ['Authorization', 'Bearer sk-one\nsk-two'],
      ['Authorization', 'Bearer “sk-secret”'],
      ['X Api Key', 'sk-value'],
      ['Authorization:', 'sk-value'],
    ];
    for (const [index, [name, value]] of headers.entries()) {
      const server = await harness.connect(remote('http', 'http://127.0.0.1:9/mcp', { [name]: value }), `s${index}`);
      const { state } = server;
      const said = state.kind === 'failed' ? `${state.failure.message} ${state.failure.remedy ?? ''}` : state.kind;
      assert.match(said, new RegExp(name.split(/[ :]/)[0] ?? ''));
      assert.doesNotMatch(said, /sk-/);
    }
  });

  it('a message endpoint on another origin is refused with that reason', async () => {
    const fixture = new HttpFixture((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: http://10.1.2.3:3001/messages?sessionId=1\n\n');
    });
    fixtures.push(await fixture.listen());
    const harness = new PoolHarness();
    harnesses.push(harness);
    const { state } = await harness.connect(remote('sse', fixture.url));
    assert.match(
      state.kind === 'failed' ? state.failure.message : state.kind,
      /another origin, http:\/\/10\.1\.2\.3:3001/,
    );
  });
});
