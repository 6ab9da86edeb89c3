import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { systemClock } from '../../../../../src/base/clock.ts';
import { SwitchboardError } from '../../../../../src/base/errors.ts';
import { AwaitedAnswer } from '../../../../../src/bridge/signIn/awaitedAnswer.ts';
import { LoopbackListener, type PageTexts } from '../../../../../src/bridge/signIn/redirect/loopbackListener.ts';
import { ManualClock } from '../../../connection/manualClock.ts';

const STATE = 'a-state-that-nobody-guesses';
const texts: PageTexts = (of) => ({
  title: typeof of === 'string' ? of : of.ok ? `as ${of.account}` : 'failed',
  text: typeof of === 'string' || of.ok ? '' : of.message,
});

describe('the listener for the browser that comes back', () => {
  const opened: { dispose(): void }[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.dispose();
  });
  const never = (): AbortSignal => new AbortController().signal;

  const open = async (
    registered?: { readonly uri: string; readonly isRequired: boolean },
    clock = systemClock,
  ): Promise<{ readonly awaited: AwaitedAnswer; readonly listener: LoopbackListener }> => {
    const awaited = new AwaitedAnswer(STATE, clock);
    const listener = await LoopbackListener.open({ awaited, texts, ...(registered ? { registered } : {}) });
    opened.push(listener);
    return { awaited, listener };
  };

  /** As a browser would come to an address, with another `Host` where one is given. */
  const visit = async (
    url: string,
    { method = 'GET', host }: { readonly method?: string; readonly host?: string } = {},
  ): Promise<{ readonly status: number; readonly text: string; readonly headers: Record<string, unknown> }> => {
    const request = httpRequest(url, { method, agent: false, ...(host === undefined ? {} : { headers: { host } }) });
    request.end();
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: response.headers };
  };

  const isListening = async (uri: string): Promise<boolean> => {
    const { port, hostname } = new URL(uri);
    const socket = connect({ port: Number(port), host: hostname });
    const outcome = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => [new Error()]);
    socket.destroy();
    return !(outcome[0] instanceof Error);
  };

  it('gives the answer, and the page says how the sign-in ended', async () => {
    const { awaited, listener } = await open();
    assert.match(listener.uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const page = visit(`${listener.uri}?code=a%2Bb&state=${STATE}&iss=https%3A%2F%2Fas.example`);
    const answered = await awaited.answer(never());
    const { params } = answered;
    assert.deepEqual(
      [...params],
      [
        ['code', 'a+b'],
        ['state', STATE],
        ['iss', 'https://as.example'],
      ],
    );
    answered.finish({ ok: true, account: '<b>Ada</b>' });
    // As soon as it is dealt with, nothing listens.
    listener.dispose();
    const { status, text, headers } = await page;
    assert.equal(status, 200);
    assert.ok(text.includes('as &#60;b&#62;Ada'), text);
    assert.ok(!text.includes('<b>') && !text.includes('a+b'), text);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
    assert.ok(!(await isListening(listener.uri)));
  });

  it('says that it failed, and why', async () => {
    const { awaited, listener } = await open();
    const page = visit(`${listener.uri}?error=access_denied&state=${STATE}`);
    const answered = await awaited.answer(never());
    answered.finish({ ok: false, message: 'It was refused.' });
    const { text } = await page;
    assert.ok(text.includes('failed') && text.includes('It was refused.'), text);
  });

  it('refuses what isn’t the answer, and goes on waiting', async () => {
    const { awaited, listener } = await open();
    const answer = awaited.answer(never());
    for (const query of ['', '?code=1', '?code=1&state=other', `?code=1&state=${STATE}&state=x`, `?state=${STATE}x`]) {
      const { status, text } = await visit(`${listener.uri}${query}`);
      assert.equal(status, 400, query);
      assert.ok(text.includes('<title>other'), text);
    }
    for (const other of [
      visit(`${new URL(listener.uri).origin}/?code=1&state=${STATE}`),
      visit(`${new URL(listener.uri).origin}/favicon.ico`),
    ])
      assert.equal((await other).status, 404);
    // A name that was made to lead here, and what no link does.
    const right = `${listener.uri}?code=1&state=${STATE}`;
    assert.equal((await visit(right, { host: 'evil.example' })).status, 403);
    assert.equal((await visit(right, { method: 'POST' })).status, 403);
    assert.equal((await visit(right, { method: 'HEAD' })).status, 403);
    const page = visit(right);
    (await answer).finish({ ok: true, account: 'Ada' });
    assert.ok((await page).text.includes('as Ada'));
  });

  it('takes one answer', async () => {
    const { awaited, listener } = await open();
    const first = visit(`${listener.uri}?code=1&state=${STATE}`);
    const answered = await awaited.answer(never());
    const { params } = answered;
    const second = await visit(`${listener.uri}?code=2&state=${STATE}`);
    assert.equal(second.status, 400);
    assert.ok(second.text.includes('late'));
    assert.equal(params.get('code'), '1');
    answered.finish({ ok: true, account: 'Ada' });
    await first;
  });

  it('leaves nothing listening once it is cancelled, also for a browser that waits or has only connected', async () => {
    const { awaited, listener } = await open();
    const abort = new AbortController();
    const answer = awaited.answer(abort.signal);
    const { port } = new URL(listener.uri);
    const idle = connect(Number(port), '127.0.0.1');
    await once(idle, 'connect');
    const closed = once(idle, 'close');
    abort.abort();
    await assert.rejects(answer, (error) => error instanceof SwitchboardError && error.code === 'call-cancelled');
    assert.ok((await visit(`${listener.uri}?code=1&state=${STATE}`)).text.includes('late'));
    listener.dispose();
    await closed;
    assert.ok(!(await isListening(listener.uri)));
  });

  it('disposed of while the browser waits, it says so there', async () => {
    const { awaited, listener } = await open();
    const page = visit(`${listener.uri}?code=1&state=${STATE}`);
    await awaited.answer(never());
    listener.dispose();
    assert.ok((await page).text.includes('cancelled'));
  });

  it('has a time limit', async () => {
    const clock = new ManualClock();
    const { awaited } = await open(undefined, clock);
    const answer = awaited.answer(never());
    const rejected = assert.rejects(answer, /wasn’t finished within 15 minutes/);
    clock.advance(15 * 60_000);
    await rejected;
    assert.equal(
      awaited.offer(new URLSearchParams({ state: STATE }), () => undefined),
      'late',
    );
    assert.equal(clock.pending, 0);
  });

  describe('with a registered address', () => {
    const freePort = async (): Promise<number> => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    };
    const taken = async (): Promise<number> => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      opened.push({ dispose: () => void server.close() });
      return (server.address() as AddressInfo).port;
    };

    it('listens on its port and path, and keeps how it is written', async () => {
      const port = await freePort();
      for (const uri of [`http://localhost:${port}/oauth/callback`, `http://127.0.0.1:${port}`]) {
        const { awaited, listener } = await open({ uri, isRequired: true });
        assert.equal(listener.uri, uri);
        const page = visit(`http://127.0.0.1:${port}${new URL(uri).pathname}?code=1&state=${STATE}`, {
          host: new URL(uri).host,
        });
        (await awaited.answer(never())).finish({ ok: true, account: 'Ada' });
        assert.equal((await page).status, 200);
        listener.dispose();
      }
    });

    it('takes another port where that one is taken and needn’t be it', async () => {
      const port = await taken();
      const { listener } = await open({ uri: `http://127.0.0.1:${port}/callback`, isRequired: false });
      assert.match(listener.uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      assert.notEqual(new URL(listener.uri).port, String(port));
    });

    it('says that the port is taken where it must be it', async () => {
      const port = await taken();
      const opening = open({ uri: `http://127.0.0.1:${port}/callback`, isRequired: true });
      await assert.rejects(opening, (error) => {
        assert.ok(error instanceof SwitchboardError);
        assert.equal(error.code, 'unsupported');
        assert.ok(error.fullMessage.includes(`Port ${port}`), error.fullMessage);
        return true;
      });
    });
  });
});
