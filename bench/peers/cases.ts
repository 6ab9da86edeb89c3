import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../scripts/lib/paths.mjs';
import { json, scriptedHttp, type HttpFixture } from '../../test/fixtures/servers/http.ts';
import { ERRORS, HARMLESS, UNREADABLE } from '../../test/fixtures/servers/oddAnswers.ts';
import { wholeMessage, type Definition, type Said, type Session } from './peer.ts';

type Message = { readonly id?: number | string; readonly method?: string } | undefined;
type Handle = (request: IncomingMessage, response: ServerResponse, message: Message) => boolean;
type Open = () => Promise<Session>;

/** A fake server, and what a good client does with it. */
export interface Variant {
  readonly case: string;
  readonly name: string;
  readonly definition: Definition;
  /** Whether the client does what is right. Rejects where it can't do it at all. */
  readonly isRight: (open: Open) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const TOOL = 'log';
const SECRET = 'sk-bench';

/** What a user or a model reads of a call that failed. */
const told = ({ error, text }: Said): string => error ?? text;

/** Why a server can't be opened; `undefined` where it can. */
const failureOf = (open: Open): Promise<string | undefined> =>
  open().then(
    () => undefined,
    (error: unknown) => wholeMessage(error),
  );

/** Every fake server, listening where it is a remote one. The caller closes each of them. */
export async function variants(): Promise<readonly Variant[]> {
  return [...stdioVariants(), ...(await httpVariants()), ...(await tlsVariants()), await foreignEndpoint()];
}

function stdioVariants(): readonly Variant[] {
  const from =
    (file: string) =>
    (title: string, name: string, isRight: Variant['isRight']): Variant => ({
      case: title,
      name,
      definition: {
        type: 'stdio',
        command: process.execPath,
        args: [path.join(root, 'test/fixtures/servers', file), name],
      },
      isRight,
      close: async () => undefined,
    });
  const odd = from('oddAnswers.ts');
  const field = from('inTheField.ts');
  const reported = from('reported.ts');
  const says =
    (tool: string, ...texts: readonly (string | RegExp)[]): Variant['isRight'] =>
    async (open) => {
      const { text, error } = await (await open()).call(tool);
      return (
        error === undefined &&
        texts.every((wanted) => (typeof wanted === 'string' ? text === wanted : wanted.test(text)))
      );
    };
  const lists = (what: 'resources' | 'templates' | 'prompts', ...items: readonly string[]): Variant['isRight'] => {
    return async (open) => (await (await open()).list(what)).join() === items.join();
  };
  const images: readonly [string, string | undefined][] = [
    ['jpegSaidToBePng', 'image/jpeg'],
    ['imageJpg', 'image/jpeg'],
    ['dataUrl', 'image/png'],
    ['svg', undefined],
    ['empty', undefined],
    ['noImage', undefined],
    ['tiff', undefined],
  ];
  return [
    ...Object.keys(HARMLESS).map((name) => odd('messages that deviate', name, says('t', /hello/))),
    ...Object.keys(ERRORS).map((name) =>
      odd('errors of any form', name, async (open) => {
        return told(await (await open()).call('t')).includes('no such repository');
      }),
    ),
    ...Object.keys(UNREADABLE).map((name) =>
      odd('answers that can’t be read fail at once', name, async (open) => {
        const text = told(await (await open()).call('t'));
        return text !== '' && !/hello|within|timed out|time-?out/i.test(text);
      }),
    ),
    field('a request with the id 0 is dropped', 'no-id-0', says('a', 'ok')),
    { ...field('one bad entry in a list', 'odd-lists', lists('resources', 'x://a', 'x://b')), name: 'resources' },
    { ...field('one bad entry in a list', 'odd-lists', lists('templates', 'x://{a}', 'x://{b}')), name: 'templates' },
    { ...field('one bad entry in a list', 'odd-lists', lists('prompts', 'p', 'q')), name: 'prompts' },
    field('a byte order mark on stdout', 'byte-order-mark', async (open) => {
      const session = await open();
      for (let time = 0; time < 3; time++) {
        if ((await session.call('a')).text !== 'ok') return false;
        if (time < 2) await session.restart();
      }
      return true;
    }),
    ...['both', 'structuredOnly', 'textOnly', 'unknownBlock'].map((tool) => ({
      ...field('integers above 2^53', 'numbers', says(tool, /1915883588174806058/)),
      name: tool,
    })),
    ...images.map(([tool, wanted]) => ({
      ...field('images go by their bytes', 'images', async (open) => {
        const said = await (await open()).call(tool);
        const types = said.images.map(({ mimeType }) => mimeType);
        return wanted === undefined
          ? said.error === undefined && types.length === 0 && said.text !== ''
          : types.join() === wanted;
      }),
      name: tool,
    })),
    field('notifications before the handshake', 'early', says('a', 'ok')),
    field('a server that can’t take server/discover', 'exits-on-discover', says('a', 'ok')),
    field('a server that can’t take server/discover', 'silent-on-discover', says('a', 'ok')),
    ...['cursor-empty', 'cursor-same', 'cursor-number'].map((name) =>
      field('the same cursor again and again', name, async (open) => {
        const session = await open();
        return [...new Set(await session.tools())].join() === 'a,b' && (await session.call('a')).text === 'ok';
      }),
    ),
    field('a progress token of the server’s own', 'progress', says('a', 'done')),
    field('notifications answered with an error', 'refuses-notifications', says('a', 'ok')),
    ...['ttl-absent', 'ttl-negative', 'ttl-fraction', 'ttl-word'].map((name) =>
      field('caching fields of any form', name, says('a', 'ok')),
    ),
    ...['strict about elicitation', 'knows no capability'].map((name) =>
      reported('a capability that the server doesn’t know', name, says('a', '{}')),
    ),
    reported('tools that come after the handshake', 'no tools at first', async (open) => {
      const session = await open();
      for (let tries = 0; tries < 20; tries++) {
        if ((await session.tools()).includes('a')) return true;
        await setTimeout(250);
      }
      return false;
    }),
    field('what isn’t JSON-RPC on stdout', 'glued', says('a', 'glued')),
    field('what isn’t JSON-RPC on stdout', 'pretty', says('a', /two\s+lines/)),
  ];
}

async function httpVariants(): Promise<readonly Variant[]> {
  const made: Promise<Variant>[] = [];
  const add = (
    title: string,
    name: string,
    handle: Handle,
    isRight: (open: Open, fixture: HttpFixture) => Promise<boolean>,
    define: (url: string) => Definition = (url) => ({ type: 'http', url }),
  ): void => {
    made.push(
      scriptedHttp(handle).then((fixture) => ({
        case: title,
        name,
        definition: define(fixture.url),
        isRight: (open) => isRight(open, fixture),
        close: () => fixture.close(),
      })),
    );
  };
  const refuse = (response: ServerResponse, status: number, body: string): true => {
    const type = body.startsWith('{') ? 'application/json' : 'text/html';
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  };
  const done = async (session: Session): Promise<boolean> => (await session.call(TOOL)).text.includes('logged');
  const works = async (open: Open): Promise<boolean> => done(await open());
  const count = (fixture: HttpFixture, what: string): number => fixture.seen.filter((each) => each === what).length;

  for (const status of [400, 404, 500])
    add(
      'the optional GET is refused',
      `${status}`,
      ({ method }, response) => method === 'GET' && refuse(response, status, '<h1>Cannot GET /mcp</h1>'),
      works,
    );
  add(
    'a stream that ends again and again',
    'at once',
    ({ method }, response) => {
      if (method !== 'GET') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
      return true;
    },
    async (open, fixture) => {
      const session = await open();
      await setTimeout(5_000);
      return (await done(session)) && count(fixture, 'GET') <= 8;
    },
  );
  for (const status of [400, 404])
    add(
      'notifications are refused',
      `${status}`,
      (_request, response, message) =>
        message !== undefined && message.id === undefined && refuse(response, status, '{"error":"params is required"}'),
      works,
    );
  for (const [status, body] of [
    [401, 'Unauthorized: Session not found'],
    [403, '{"code":-32001,"message":"Mcp-Session-Id principal mismatch"}'],
    [404, ''],
    [410, 'Gone'],
    [422, 'Unexpected message, expect initialize request'],
  ] as const) {
    let lost = 0;
    add(
      'a session is lost',
      `${status}`,
      (_request, response, message) =>
        message?.method === 'tools/call' && lost++ === 1 && refuse(response, status, body),
      async (open, fixture) => {
        lost = 0;
        const session = await open();
        // The call that meets the loss may fail; the one after it may not.
        if (!(await done(session))) return false;
        await session.call(TOOL);
        for (let tries = 0; tries < 20; tries++) {
          if (await done(session)) return count(fixture, 'POST initialize') <= 3;
          await setTimeout(250);
        }
        return false;
      },
    );
  }
  for (const status of [400, 404, 422, 500])
    add(
      'an application error with an HTTP status',
      `${status}`,
      (_request, response, message) => {
        if (message?.method !== 'tools/call') return false;
        json(response, status, {
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32603, message: 'no account "Cash"' },
        });
        return true;
      },
      async (open) => told(await (await open()).call(TOOL)).includes('no account "Cash"'),
    );
  add(
    'an application error with an HTTP status',
    'without JSON-RPC',
    (_request, response, message) =>
      message?.method === 'tools/call' &&
      refuse(response, 422, '{"error":{"message":"field \'amount\' is no number"}}'),
    async (open) => told(await (await open()).call(TOOL)).includes("field 'amount' is no number"),
  );
  add(
    'every request is refused, with the reason',
    '400',
    (_request, response) => refuse(response, 400, '{"error":"header X-Workspace-Id is required"}'),
    async (open) => (await failureOf(open))?.includes('header X-Workspace-Id is required') ?? false,
  );
  for (const status of [400, 404, 500])
    add(
      'a write that is refused is sent once',
      `${status}`,
      (_request, response, message) =>
        message?.method === 'tools/call' && refuse(response, status, '{"error":"saved, but the folder is missing"}'),
      async (open, fixture) => {
        await (await open()).call(TOOL);
        return count(fixture, 'POST tools/call') === 1;
      },
    );
  for (const [name, headers] of [
    ['a line break', { Authorization: `Bearer ${SECRET}\nmore` }],
    ['quotation marks', { Authorization: `Bearer “${SECRET}”` }],
    ['a blank in the name', { 'X Api Key': SECRET }],
    ['a colon in the name', { 'Authorization:': SECRET }],
  ] as const)
    add(
      'a header that HTTP can’t carry',
      name,
      () => false,
      async (open) => {
        const reason = await failureOf(open);
        const [word = ''] = Object.keys(headers)[0]?.split(/[ :]/) ?? [];
        return reason !== undefined && reason.toLowerCase().includes(word.toLowerCase()) && !reason.includes(SECRET);
      },
      (url) => ({ type: 'http', url, headers }),
    );
  const pings: Readonly<Record<string, (response: ServerResponse, id: unknown) => unknown>> = {
    'Method not found': (response, id) =>
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }),
    'a code that is a name': (response, id) =>
      json(response, 200, { jsonrpc: '2.0', id, error: { code: 'NONE', message: 'no' } }),
    ...Object.fromEntries(
      [400, 404, 500, 501].map((status) => [
        `${status}`,
        (response: ServerResponse) => refuse(response, status, '{"error":"no"}'),
      ]),
    ),
  };
  for (const [name, answer] of Object.entries(pings))
    add(
      'any answer to a ping means alive',
      name,
      (_request, response, message) => {
        if (message?.method !== 'ping') return false;
        answer(response, message.id);
        return true;
      },
      async (open, fixture) => {
        const session = await open();
        await session.ping();
        return (await done(session)) && count(fixture, 'POST initialize') === 1;
      },
    );
  for (const status of [301, 302, 307, 308]) {
    const authorizations: (string | undefined)[] = [];
    add(
      'redirects',
      `${status}`,
      (request, response) => {
        if (request.url !== '/mcp') authorizations.push(request.headers.authorization);
        if (request.url !== '/mcp') return false;
        response.writeHead(status, { location: '/mcp/' }).end();
        return true;
      },
      async (open) => {
        authorizations.length = 0;
        if (status < 307) return /30[12]|redirect/i.test((await failureOf(open)) ?? '30');
        return (await works(open)) && authorizations.every((value) => value === `Bearer ${SECRET}`);
      },
      (url) => ({ type: 'http', url, headers: { Authorization: `Bearer ${SECRET}` } }),
    );
  }
  for (const status of [401, 403])
    add(
      'server/discover alone is forbidden',
      `${status}`,
      (_request, response, message) =>
        message?.method === 'server/discover' && refuse(response, status, '{"error":"not allowed"}'),
      works,
    );
  return Promise.all(made);
}

async function tlsVariants(): Promise<readonly Variant[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-peers-tls-'));
  const file = (name: string): string => path.join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file('key.pem')];
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', ...name, '-out', file('cert.pem')], {
    stdio: 'ignore',
  });
  const tls = { key: readFileSync(file('key.pem')), cert: readFileSync(file('cert.pem')) };
  rmSync(folder, { recursive: true });
  const fails = (...wanted: readonly RegExp[]): Variant['isRight'] => {
    return async (open) => {
      const reason = (await failureOf(open)) ?? '';
      return wanted.every((part) => part.test(reason));
    };
  };
  const listen = async (
    title: string,
    server: TlsServer | ReturnType<typeof createHttpServer>,
    url: (port: number) => string,
    isRight: Variant['isRight'],
  ): Promise<Variant> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      case: 'TLS faults are named, with the way out',
      name: title,
      definition: { type: 'http', url: url(port) },
      isRight,
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };
  const answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(405).end();
  return [
    await listen(
      'self-signed',
      createTlsServer(tls, answer),
      (port) => `https://127.0.0.1:${port}/mcp`,
      fails(/self.?signed/i, /NODE_EXTRA_CA_CERTS|trust/i),
    ),
    await listen(
      'another name',
      createTlsServer(tls, answer),
      (port) => `https://localhost:${port}/mcp`,
      fails(/self.?signed|name/i, /NODE_EXTRA_CA_CERTS|trust/i),
    ),
    await listen(
      'a port without TLS',
      createHttpServer(answer),
      (port) => `https://127.0.0.1:${port}/mcp`,
      fails(/"?http:\/\/(?!127)|without TLS|not (?:speak|use) TLS/i),
    ),
  ];
}

/** An HTTP+SSE server whose message endpoint is on another origin: nothing may be posted there. */
async function foreignEndpoint(): Promise<Variant> {
  let posted = 0;
  const other = createHttpServer((_request, response) => {
    posted += 1;
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve));
  const { port } = other.address() as AddressInfo;
  const server = createHttpServer(({ method }, response) => {
    if (method !== 'GET') return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: http://127.0.0.2:${port}/messages\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    case: 'a message endpoint on another origin',
    name: 'sse',
    definition: { type: 'sse', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse` },
    isRight: async (open) => {
      posted = 0;
      const reason = (await failureOf(open)) ?? '';
      return posted === 0 && /origin/i.test(reason);
    },
    close: async () => {
      for (const each of [server, other]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}
