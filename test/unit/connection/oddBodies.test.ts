import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwitchboardError } from '../../../src/base/errors.ts';
import type { Session } from '../../../src/connection/connectionTypes.ts';
import { oddAnswer } from '../../fixtures/servers/oddAnswers.ts';
import { PoolHarness, remote } from './harness.ts';

/** Sends the answer `text` to a request in a way of its own. */
type Respond = (response: ServerResponse, text: string) => void;

const as =
  (type: string | undefined, body: (text: string) => string = (text) => text, status = 200): Respond =>
  (response, text) =>
    void response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body(text));
const withId =
  (id: unknown): ((text: string) => string) =>
  (text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), id });
const EVENTS = 'text/event-stream';

const HARMLESS: Readonly<Record<string, Respond>> = {
  'no content type': as(undefined),
  'text/plain': as('text/plain'),
  'text/json with a charset': as('text/json; charset=utf-8'),
  'application/json-rpc': as('application/json-rpc'),
  'JSON in capitals': as('APPLICATION/JSON;charset=UTF-8'),
  'status 201': as('application/json', undefined, 201),
  'events of another content type': as('application/json', (text) => `event: message\ndata: ${text}\n\n`),
  'events in capitals': as('Text/Event-Stream; charset=utf-8', (text) => `data: ${text}\n\n`),
  'the id null': as('application/json', withId(null)),
  'no id': as('application/json', withId(undefined)),
  'another id': as('application/json', withId('nobody asked')),
  'another id in an event': as(EVENTS, (text) => `data: ${withId(987)(text)}\n\n`),
  'a byte order mark before the events': as(EVENTS, (text) => `\ufeffdata: ${text}\n\n`),
  'a byte order mark in an event': as(EVENTS, (text) => `data: \ufeff${text}\n\n`),
  'an event of another name': as(EVENTS, (text) => `event: response\ndata: ${text}\n\n`),
  'no end of the last event': as(EVENTS, (text) => `data: ${text}`),
  'no blank line behind the last event': as(EVENTS, (text) => `data: ${text}\n`),
  'lines that end in returns': as(EVENTS, (text) => `event: message\rdata: ${text}\r\r`),
  'no blank behind the colon': as(EVENTS, (text) => `:hi\nevent:message\ndata:${text}\n\n`),
  'a line break in the data': as(EVENTS, (text) =>
    JSON.stringify(JSON.parse(text), undefined, 1)
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .concat('\n')
      .join(''),
  ),
  'what is no JSON before it': as(EVENTS, (text) => `data: connected\n\ndata: ${text}\n\n`),
  'in pieces': (response, text) => {
    response.writeHead(200, { 'content-type': EVENTS });
    const all = Buffer.from(`data: ${text.replace('hello', 'hell\u00f6').replace('hell\u00f6', 'hello')}\n\n`);
    for (const byte of all) response.write(Buffer.from([byte]));
    response.end();
  },
};

const UNREADABLE: Readonly<Record<string, Respond>> = {
  'an empty body': as('application/json', () => ''),
  'an empty array': as('application/json', () => '[]'),
  null: as('application/json', () => 'null'),
  'JSON that is no message': as('application/json', () => '{"ok":true}'),
  'cut off in an event': as(EVENTS, (text) => `data: ${text.slice(0, -5)}\n\n`),
  'cut off as text': as('text/plain', (text) => text.slice(0, -5)),
};

/** What looks like the request's own id. */
const ARGS = { id: 1, jsonrpc: '2.0' };

describe('odd bodies over HTTP', () => {
  const withServer = async (respond: Respond, onlyCalls: boolean, body: (session: Session) => Promise<void>) => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method !== 'POST') return void response.writeHead(405).end();
        const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id?: number; method: string };
        const text = oddAnswer('', message);
        if (text === undefined) return void response.writeHead(202).end();
        // An error about the probe for the protocol may come in any form, but has its id.
        const isOdd = message.method !== 'server/discover' && (!onlyCalls || message.method === 'tools/call');
        (isOdd ? respond : as('application/json'))(response, text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const harness = new PoolHarness({ handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000 });
    try {
      const { port } = server.address() as AddressInfo;
      const { session, state, tools } = await harness.connect(remote('http', `http://127.0.0.1:${port}/mcp`));
      assert.ok(session, JSON.stringify(state));
      assert.equal(tools.length, 1);
      await body(session);
    } finally {
      await harness.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  };

  for (const [what, respond] of Object.entries(HARMLESS)) {
    it(`are read by what they are: ${what}`, () =>
      withServer(respond, false, async (session) => {
        const { content } = await session.callTool('t', ARGS, { timeoutMs: 60_000 });
        assert.equal(content[0]?.['text'], 'hello');
      }));
  }

  it('never gives one call the late answer to another', async () => {
    const calls: string[] = [];
    const late: Respond = (response, text) => {
      calls.push(text);
      // The first is never answered by itself, and with the second.
      if (calls.length > 1)
        response
          .writeHead(200, { 'content-type': EVENTS })
          .end(calls.map((each, index) => `data: ${each.replace('hello', `answer ${index + 1}`)}\n\n`).join(''));
    };
    await withServer(
      (response, text) => (text.includes('"hello"') ? late : as('application/json'))(response, text),
      true,
      async (session) => {
        await assert.rejects(session.callTool('t', {}, { timeoutMs: 200 }));
        const { content } = await session.callTool('t', {}, { timeoutMs: 60_000 });
        assert.equal(content[0]?.['text'], 'answer 2');
      },
    );
  });

  for (const [what, respond] of Object.entries(UNREADABLE)) {
    it(`that can't be read fail their request at once: ${what}`, () =>
      withServer(respond, true, async (session) => {
        await assert.rejects(session.callTool('t', ARGS, { timeoutMs: 60_000 }), (error: unknown) => {
          assert.ok(error instanceof SwitchboardError);
          assert.match(`${error.code}: ${error.message}`, /^call-failed: .*(?:can't be read|doesn't follow)/);
          return true;
        });
        assert.ok(await session.check(5_000));
      }));
  }
});
