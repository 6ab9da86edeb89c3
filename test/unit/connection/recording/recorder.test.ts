import assert from 'node:assert/strict';
import { MASK } from '../../../../src/base/text/secrets.ts';
import { httpFrameOf } from '../../../../src/connection/recording/httpFrame.ts';
import type { RecordedEvent, RecordedWhat } from '../../../../src/connection/recording/recordedEvent.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import { legacyHttp, modernHttp, type HttpFixture } from '../../../fixtures/servers/http.ts';
import { WebSocketFixture } from '../../../fixtures/servers/webSocket.ts';
import { withServers } from '../../../support/testHost.ts';
import { fixture } from '../harness.ts';

const BIG = { maxAgeMs: 60_000, maxBytes: 1024 * 1024 };
type Message = Extract<RecordedWhat, { kind: 'message' }>;

function messagesOf(events: readonly RecordedEvent[]): readonly (Message & { message: Record<string, unknown> })[] {
  return events.flatMap(({ what }) => (what.kind === 'message' ? [what] : [])) as never;
}

describe('the recorder: what passes a link', function () {
  this.timeout(30_000);

  const cases: Readonly<Record<string, () => Promise<{ readonly entry: object; close?(): Promise<void> }>>> = {
    stdio: async () => {
      const { command, args } = fixture('legacy');
      return { entry: { command, args } };
    },
    http: async () => ofHttp((await legacyHttp()).fixture),
    'http, protocol 2026-07-28': async () => ofHttp((await modernHttp()).fixture),
    ws: async () => {
      const server = await new WebSocketFixture().listen();
      return { entry: { type: 'ws', url: server.url }, close: () => server.close() };
    },
  };
  const ofHttp = (server: HttpFixture): { entry: object; close(): Promise<void> } => ({
    entry: { type: 'http', url: server.url },
    close: () => server.close(),
  });

  for (const [name, open] of Object.entries(cases))
    it(`${name}: each message both ways, states and what was decided`, async () => {
      const opened = await open();
      const heard: RecordedEvent[] = [];
      try {
        await withServers(
          { one: opened.entry },
          async ({ host }) => {
            const recorder = await host.recorder();
            const subscription = recorder.onEvent((event) => heard.push(event));
            const tool = host.catalog.tools.find((each) => each.tool.name === 'echo');
            assert.ok(tool);
            const { signal } = new AbortController();
            const text = 'marked 4711';
            await host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal });
            const all = recorder.recent();
            const call = messagesOf(all).find(({ message }) => message['method'] === 'tools/call');
            assert.ok(call);
            assert.equal(call.direction, 'sent');
            assert.deepEqual((call.message['params'] as { arguments: unknown }).arguments, { text });
            const answer = messagesOf(all).find(
              ({ message }) => 'result' in message && message['id'] === call.message['id'],
            );
            assert.equal(answer?.direction, 'received');
            assert.match(JSON.stringify(answer?.message), /marked 4711/);
            assert.ok(answer && answer.bytes > 20 && answer.bytes < 2_000, String(answer?.bytes));
            if (name.startsWith('http')) assert.equal(answer?.http?.status, 200);
            else assert.equal(answer?.http, undefined);
            const states = all.flatMap(({ what }) => (what.kind === 'state' ? [what.state] : []));
            assert.deepEqual(states.slice(-1), ['connected']);
            const [decision] = all.flatMap(({ what }) => (what.kind === 'decision' ? [what] : []));
            assert.equal(decision?.tool, 'echo');
            assert.equal(decision?.outcome, 'run');
            const first = all[0];
            assert.ok(first && Math.abs(first.at - Date.now()) < 30_000);
            assert.deepEqual(
              all.map(({ seq }) => seq),
              all.map((_, index) => index + (first?.seq ?? 0)),
            );
            assert.equal(all.at(-1)?.server, tool.serverId);
            assert.ok(all.every(({ connection }, index) => index === 0 || connection >= 0));
            assert.ok(heard.length > 0 && heard.every((event) => all.includes(event)), 'listeners get the same events');
            subscription.dispose();
          },
          { answer: 'once' },
        );
      } finally {
        await opened.close?.();
      }
    });

  it('stderr, and the headers of answers only by name', async () => {
    const http = await legacyHttp();
    try {
      await withServers(
        {
          one: { command: process.execPath, args: ['-e', 'console.error("a line"); process.exit(3)'] },
          two: { type: 'http', url: http.fixture.url },
        },
        async ({ host }) => {
          const all = (await host.recorder()).recent();
          assert.ok(all.some(({ what }) => what.kind === 'stderr' && what.line === 'a line'));
          const failed = all.flatMap(({ what }) => (what.kind === 'state' && what.state === 'failed' ? [what] : []));
          assert.match(failed[0]?.reason ?? '', /exit/);
          const frames = messagesOf(all).flatMap(({ http: frame }) => (frame ? [frame] : []));
          assert.ok(frames.some(({ headers }) => headers['mcp-session-id'] === MASK));
          assert.ok(frames.every(({ headers }) => headers['content-type'] !== undefined));
        },
        { settings: { reconnect: { maxAttempts: 0 } } },
      );
    } finally {
      await http.fixture.close();
    }
  });
});

describe('the recorder: its ring', () => {
  const message = (id: number, text = ''): object => ({ jsonrpc: '2.0', id, result: { text } });

  it('is bounded in bytes, and drops the oldest first', () => {
    const recorder = new Recorder(() => BIG);
    const link = recorder.openLink('a');
    for (let id = 1; id <= 500; id += 1) link.message('received', message(id, 'x'.repeat(10_000)));
    assert.ok(recorder.heldBytes <= BIG.maxBytes, String(recorder.heldBytes));
    const ids = messagesOf(recorder.recent()).map((each) => each.message['id']);
    assert.equal(ids.at(-1), 500);
    assert.deepEqual(
      ids,
      Array.from({ length: ids.length }, (_, index) => 500 - ids.length + 1 + index),
    );
    assert.ok(ids.length > 30 && ids.length < 60, String(ids.length));
    recorder.dispose();
    assert.deepEqual(recorder.recent(), []);
  });

  it('keeps of a huge message what it was, and tells listeners all of it', () => {
    const recorder = new Recorder(() => BIG);
    const heard: object[] = [];
    const subscription = recorder.onEvent(({ what }) => what.kind === 'message' && heard.push(what.message));
    const huge = { ...message(7, 'x'.repeat(600_000)), method: 'm' };
    recorder.openLink('a').message('received', huge);
    const [kept] = messagesOf(recorder.recent());
    assert.deepEqual(kept?.message, { jsonrpc: '2.0', id: 7, method: 'm' });
    assert.equal(kept?.cut, true);
    assert.deepEqual(heard, [huge]);
    subscription.dispose();
    recorder.dispose();
  });

  it('an id or a method that is large itself isn’t kept', () => {
    const recorder = new Recorder(() => BIG);
    const link = recorder.openLink('a');
    // A part of a text holds all of it in memory.
    link.message('received', { jsonrpc: '2.0', method: 'x'.repeat(600_000), id: 7 });
    link.message('received', { jsonrpc: '2.0', method: 'm', id: 'y'.repeat(600_000) });
    assert.deepEqual(
      messagesOf(recorder.recent()).map((each) => each.message),
      [
        { jsonrpc: '2.0', id: 7 },
        { jsonrpc: '2.0', method: 'm' },
      ],
    );
    recorder.dispose();
  });

  it('counts the headers of answers, and keeps few of many', () => {
    const recorder = new Recorder(() => BIG);
    const link = recorder.openLink('a');
    const headers = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-${at}-${'n'.repeat(40)}`, 'v']));
    const all = { ...headers, 'content-type': `text/plain; ${'é'.repeat(5_000)}`, [`a-${'n'.repeat(80)}`]: 'v' };
    const frame = httpFrameOf(new Response('', { headers: all }));
    link.message('received', message(1));
    const without = recorder.heldBytes;
    link.message('received', message(1), frame);
    const kept = Object.entries(frame().headers);
    assert.equal(kept.length, 24);
    assert.equal(frame().headers['content-type'], `text/plain; ${'é'.repeat(188)}`);
    assert.ok(kept.every(([name]) => name.length <= 60));
    const chars = kept.flat().join('').length;
    assert.ok(recorder.heldBytes - 2 * without >= 2 * chars, `${recorder.heldBytes - 2 * without} for ${chars}`);
    recorder.dispose();
  });

  it('makes nothing where it is off and nobody listens', () => {
    for (const limits of [
      { maxAgeMs: 0, maxBytes: 1000 },
      { maxAgeMs: 1000, maxBytes: 0 },
    ]) {
      const recorder = new Recorder(() => limits);
      const link = recorder.openLink('a');
      let made = 0;
      const http = (): { status: number; headers: object } => ({ status: (made += 1), headers: {} });
      link.message('sent', message(1), http as never);
      recorder.note('a', { kind: 'state', state: 'connected' });
      assert.deepEqual([recorder.recent(), recorder.heldBytes, made], [[], 0, 0]);
      const seqs: number[] = [];
      const subscription = recorder.onEvent(({ seq }) => seqs.push(seq));
      link.message('sent', message(1), http as never);
      subscription.dispose();
      subscription.dispose();
      link.message('sent', message(2), http as never);
      assert.deepEqual([seqs, made], [[1], 1]);
      recorder.dispose();
    }
  });

  it('lets go of what is older, and of all where it is switched off', () => {
    let limits = BIG;
    const recorder = new Recorder(() => limits);
    const link = recorder.openLink('a');
    link.message('sent', message(1));
    assert.equal(recorder.recent().length, 1);
    limits = { ...BIG, maxAgeMs: 0 };
    recorder.limitsChanged();
    assert.deepEqual([recorder.recent(), recorder.heldBytes], [[], 0]);
    recorder.dispose();
  });
});
