import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { systemClock } from '../../../src/base/clock.ts';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { AwaitedAnswer } from '../../../src/bridge/signIn/awaitedAnswer.ts';
import { LoopbackListener, type PageTexts } from '../../../src/bridge/signIn/redirect/loopbackListener.ts';
import { eventually } from '../../support/eventually.ts';

const STATE = 'a-state-of-256-bits-that-nobody-guesses-here';
const texts: PageTexts = (of) => ({
  title: typeof of === 'string' ? of : of.ok ? 'signed in' : 'failed',
  text: typeof of === 'string' ? of : of.ok ? of.account : of.message,
});

describe('attacks on the redirect listener', () => {
  const opened: { dispose(): void }[] = [];
  afterEach(() => {
    for (const each of opened.splice(0).toReversed()) each.dispose();
  });

  async function open(registered?: { readonly uri: string; readonly isRequired: boolean }): Promise<{
    readonly awaited: AwaitedAnswer;
    readonly listener: LoopbackListener;
    readonly port: number;
  }> {
    const awaited = new AwaitedAnswer(STATE, systemClock);
    const listener = await LoopbackListener.open({ awaited, texts, ...(registered ? { registered } : {}) });
    opened.push(listener);
    return { awaited, listener, port: Number(new URL(listener.uri).port) };
  }

  const answerOf = (awaited: AwaitedAnswer): ReturnType<AwaitedAnswer['answer']> =>
    awaited.answer(new AbortController().signal);

  async function connected(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    opened.push({ dispose: () => socket.destroy() });
    await once(socket, 'connect');
    return socket;
  }

  /** Sends bytes as they are, and gives all that comes back. */
  async function raw(port: number, text: string): Promise<string> {
    const socket = await connected(port);
    let said = '';
    socket.on('data', (chunk) => (said += String(chunk)));
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    return said;
  }

  const get = (target: string, ...headers: string[]): string =>
    `${['GET', target, 'HTTP/1.1'].join(' ')}\r\n${headers.join('\r\n')}\r\n\r\n`;
  const statusOf = (said: string): number => Number(said.split(' ')[1] ?? 0);
  const RIGHT = `/callback?code=1&state=${STATE}`;

  /** The browser's own request still counts. */
  async function stillWaits(awaited: AwaitedAnswer, port: number, host = `127.0.0.1:${port}`): Promise<void> {
    const page = raw(port, get(RIGHT, `Host: ${host}`));
    const answer = await Promise.race([answerOf(awaited), page]);
    assert.ok(typeof answer !== 'string', 'it was refused');
    assert.equal(answer.params.get('code'), '1');
    answer.finish({ ok: true, account: 'Ada' });
    assert.equal(statusOf(await page), 200);
  }

  it('A page elsewhere that reaches the redirect listener by a name that leads to this machine', async () => {
    const { awaited, port } = await open();
    for (const host of [
      ...['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `localhost.evil.example`],
      ...[
        `127.0.0.1@evil.example`,
        `evil.example#127.0.0.1`,
        `evil.example/127.0.0.1`,
        'local host',
        '0.0.0.0',
        '[::]',
      ],
      ...[`x.localhost:${port}`, '', 'evil.example, 127.0.0.1'],
    ]) {
      const status = statusOf(await raw(port, get(RIGHT, `Host: ${host}`)));
      assert.ok(status === 403 || status === 400, `${host}: ${status}`);
    }
    assert.notEqual(statusOf(await raw(port, `GET ${RIGHT} HTTP/1.0\r\n\r\n`)), 200, 'without a name');
    assert.notEqual(statusOf(await raw(port, get(RIGHT, `Host: 127.0.0.1:${port}`, 'Host: evil.example'))), 200);
    assert.equal(statusOf(await raw(port, get(`http://evil.example${RIGHT}`, `Host: 127.0.0.1:${port}`))), 404);
    await stillWaits(awaited, port);
  });

  it('Answers with no state, another one, several, or one that is nearly right', async () => {
    const { awaited, port } = await open();
    const queries = [
      ...['', '?', '?code=1', `?code=1&state=`, `?code=1&state=${STATE.slice(0, -1)}`, `?code=1&state=${STATE}x`],
      ...[`?code=1&state=${STATE.toUpperCase()}`, `?code=1&state=%20${STATE}`, `?code=1&state=${STATE}%00`],
      ...[`?code=1&state=x&state=${STATE}`, `?code=1&state=${STATE}&state=${STATE}`, `?code=1&State=${STATE}`],
      ...[`?code=1&state[]=${STATE}`, `?code=1;state=${STATE}`, `?error=access_denied`, `?error=x&state=guess`],
      ...[`?code=1&code=2&state=${STATE}`, `?code=1&iss=https://a.example&iss=https://b.example&state=${STATE}`],
    ];
    for (const query of queries)
      assert.equal(statusOf(await raw(port, get(`/callback${query}`, `Host: 127.0.0.1:${port}`))), 400, query);
    for (const path of ['/', '/callback/', '//callback', '/CALLBACK', '/callback;x', '/callback%2f', '/x/../callback'])
      assert.equal(
        statusOf(await raw(port, get(`${path}?code=1&state=${STATE}`, `Host: 127.0.0.1:${port}`))),
        404,
        path,
      );
    await stillWaits(awaited, port);
  });

  it('A second answer, while the first is dealt with and after it', async () => {
    const { awaited, listener, port } = await open();
    const first = raw(port, get(RIGHT, `Host: 127.0.0.1:${port}`));
    const answer = await answerOf(awaited);
    for (const code of ['1', '2'])
      assert.equal(
        statusOf(await raw(port, get(`/callback?code=${code}&state=${STATE}`, `Host: 127.0.0.1:${port}`))),
        400,
      );
    assert.equal(answer.params.get('code'), '1');
    answer.finish({ ok: true, account: 'Ada' });
    assert.equal(statusOf(await first), 200);
    listener.dispose();
    const late = connect(port, '127.0.0.1');
    const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
  });

  it('What no link does: other methods, requests with a body, scripts of other pages, WebSockets', async () => {
    const { awaited, port } = await open();
    const host = `Host: 127.0.0.1:${port}`;
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']) {
      const said = await raw(port, `${method} ${RIGHT} HTTP/1.1\r\n${host}\r\nContent-Length: 0\r\n\r\n`);
      assert.equal(statusOf(said), 403, method);
      assert.doesNotMatch(said, /access-control/i);
    }
    const posted = `code=1&state=${STATE}`;
    assert.equal(
      statusOf(
        await raw(port, `POST /callback HTTP/1.1\r\n${host}\r\nContent-Length: ${posted.length}\r\n\r\n${posted}`),
      ),
      403,
    );
    const upgrade = await raw(
      port,
      get(
        `/callback?state=x`,
        host,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: eA==',
      ),
    );
    assert.notEqual(statusOf(upgrade), 101);
    assert.notEqual(statusOf(await raw(port, `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n\r\n`)), 200);
    const scripted = await raw(port, get('/callback?code=1&state=guess', host, 'Origin: https://evil.example'));
    assert.doesNotMatch(scripted, /access-control/i);
    await stillWaits(awaited, port);
  });

  it('Clients that only connect or never finish, as many as there may be', async () => {
    const { awaited, listener, port } = await open();
    const held: Socket[] = [];
    for (let index = 0; index < 200; index++) {
      const socket = await connected(port);
      if (index % 2 === 0) socket.write(`GET ${RIGHT} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `);
      held.push(socket);
    }
    // The oldest gave way.
    await eventually('at most 32 are held', () => held.filter((socket) => !socket.closed).length <= 32);
    await stillWaits(awaited, port);
    const closed = held.filter((socket) => !socket.closed).map((socket) => once(socket, 'close'));
    listener.dispose();
    await Promise.all(closed);
  });

  it('A flood of guesses, and requests without an end', async () => {
    const { awaited, port } = await open();
    for (let round = 0; round < 20; round++) {
      const guesses = Array.from({ length: 20 }, (_each, index) =>
        raw(port, get(`/callback?code=1&state=${STATE.slice(0, -2)}${round}${index}`, `Host: 127.0.0.1:${port}`)),
      );
      assert.deepEqual(new Set((await Promise.all(guesses)).map(statusOf)), new Set([400]));
    }
    const long = await raw(port, get(`/callback?code=${'x'.repeat(1024 * 1024)}`, `Host: 127.0.0.1:${port}`));
    assert.notEqual(statusOf(long), 200);
    await stillWaits(awaited, port);
  });

  it('Another program that holds the registered port, on one of the addresses of its name or on all', async () => {
    for (const host of ['127.0.0.1', '::1', '::']) {
      const other = createTcpServer().listen(0, host);
      await once(other, 'listening');
      opened.push({ dispose: () => void other.close() });
      const { port } = other.address() as AddressInfo;
      const uri = `http://localhost:${port}/callback`;
      await assert.rejects(
        open({ uri, isRequired: true }),
        (error) => error instanceof SwitchboardError && error.fullMessage.includes(`Port ${port}`),
        host,
      );
      const { listener } = await open({ uri, isRequired: false });
      assert.notEqual(new URL(listener.uri).port, String(port), host);
    }
    // And ours is held against others.
    const { port } = await open();
    const second = createServer().listen(port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'EADDRINUSE');
  });

  it('Markup in what the page says, and the code in what it gives away', async () => {
    const bad = `</title><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
    for (const outcome of [
      { ok: true, account: bad },
      { ok: false, message: bad },
    ] as const) {
      const { awaited, listener, port } = await open();
      const page = raw(
        port,
        get(`/callback?code=the-code&state=${STATE}&x=${encodeURIComponent(bad)}`, `Host: 127.0.0.1:${port}`),
      );
      (await answerOf(awaited)).finish(outcome);
      const said = await page;
      const [head = '', body = ''] = said.split('\r\n\r\n');
      assert.doesNotMatch(body, /<script|<img|the-code|onerror=alert\(1\)>/);
      assert.ok(!body.includes(STATE) && !head.includes(STATE) && !head.includes('the-code'));
      assert.match(head, /content-security-policy: default-src 'none'.*frame-ancestors 'none'/i);
      for (const header of [
        'referrer-policy: no-referrer',
        'cache-control: no-store',
        'x-content-type-options: nosniff',
      ])
        assert.ok(head.toLowerCase().includes(header), header);
      listener.dispose();
    }
  });
});
