import assert from 'node:assert/strict';
import { exactNumber } from '../../../../src/base/json/exactNumber.ts';
import { MASK } from '../../../../src/base/text/secrets.ts';
import { atOnce } from '../../../../src/base/timeSlices.ts';
import { readMessages } from '../../../../src/connection/reading/readMessages.ts';
import { EventMask } from '../../../../src/connection/recording/eventMask.ts';
import { httpFrameOf } from '../../../../src/connection/recording/httpFrame.ts';
import type { RecordedEvent, RecordedWhat, SentFor } from '../../../../src/connection/recording/recordedEvent.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import { legacyHttp, modernHttp, type HttpFixture } from '../../../fixtures/servers/http.ts';
import { WebSocketFixture } from '../../../fixtures/servers/webSocket.ts';
import { withServers } from '../../../support/testHost.ts';
import { fixture } from '../harness.ts';

const RING = { maxAgeMs: 60_000, maxBytes: 16 * 1024 * 1024 };
const BIG = { maxAgeMs: 60_000, maxBytes: 1024 * 1024 };
type Message = Extract<RecordedWhat, { kind: 'message' }>;

function messagesOf(events: readonly RecordedEvent[]): readonly (Message & { message: Record<string, unknown> })[] {
  return events.flatMap(({ what }) => (what.kind === 'message' ? [what] : [])) as never;
}

describe('the recorder: what passes a link', function () {
  this.timeout(90_000);

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
            assert.ok(heard.length > 0);
            // The size is about the same: characters of the one, bytes of the other.
            const saidOf = ({ what, ...event }: RecordedEvent): unknown => ({ ...event, what: { ...what, bytes: 0 } });
            const seqs = new Set(heard.map(({ seq }) => seq));
            assert.deepEqual(heard.map(saidOf), all.filter(({ seq }) => seqs.has(seq)).map(saidOf));
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

function withCall(recorder: Recorder, call: SentFor): object {
  const args = {};
  recorder.sending(args, call);
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: args } };
}

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
    assert.ok(ids.length > 80 && ids.length < 105, String(ids.length));
    recorder.dispose();
    assert.deepEqual(recorder.recent(), []);
  });

  it('gives the last of them to read, which stay as they are meanwhile, and no longer: their memory is used again', async () => {
    const recorder = new Recorder(() => ({ maxAgeMs: 60_000, maxBytes: 64 * 1024 }));
    const link = recorder.openLink('a');
    const fill = (from: number, to: number): void => {
      for (let id = from; id <= to; id += 1) link.message('received', message(id, 'x'.repeat(1_000)));
    };
    const idsOf = (events: readonly RecordedEvent[]): unknown[] => messagesOf(events).map((each) => each.message['id']);
    fill(1, 20);
    let kept: readonly RecordedEvent[] = [];
    await recorder.reading({ after: 12, most: 5 }, async (events) => {
      kept = events;
      fill(21, 200);
      assert.deepEqual(idsOf(events), [16, 17, 18, 19, 20]);
    });
    await recorder.reading({ after: 198, most: 5 }, async (events) => assert.deepEqual(idsOf(events), [199, 200]));
    await recorder.reading({ after: 200, most: 5 }, async (events) => assert.deepEqual(events, []));
    assert.deepEqual(idsOf(kept), [16, 17, 18, 19, 20], 'it was let go of while somebody read it');
    await recorder.reading({ after: 0, most: 3 }, async (events) => {
      kept = events;
      assert.deepEqual(idsOf(events), [198, 199, 200]);
    });
    const stay = recorder.recent();
    const before = idsOf(stay);
    fill(201, 400);
    assert.deepEqual(idsOf(stay), before, 'of who asked for all, for as long as wanted');
    await recorder.reading({ after: 0, most: 3 }, async (events) => void (kept = events));
    fill(401, 800);
    assert.throws(() => assert.deepEqual(idsOf(kept), [398, 399, 400]));
    assert.ok((recorder.oldest ?? 0) > 700);
    await assert.rejects(
      recorder.reading({ after: 0, most: 3 }, async () => Promise.reject(new Error('mine'))),
      /mine/,
    );
    recorder.dispose();
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

  it('cuts by the length of the text, also where no text is at hand: not by what the message takes in memory', () => {
    const recorder = new Recorder(() => RING);
    const link = recorder.openLink('a');
    const kinds = [
      Array.from({ length: 180_000 }, () => 7),
      Array.from({ length: 100_000 }, () => ({ a: {} })),
      Array.from({ length: 100_000 }, () => exactNumber('1.0')),
      Array.from({ length: 50_000 }, () => ({ a: undefined })),
    ];
    for (const values of kinds) link.message('sent', { jsonrpc: '2.0', id: 1, method: 'x', params: { values } });
    // Over 2 million characters, and known to be without being written; the last has to be written for it.
    const huge = [Array.from({ length: 3_000_000 }, () => 7), 'x'.repeat(2_500_000), '\n'.repeat(2_000_000)];
    for (const values of huge) link.message('sent', { jsonrpc: '2.0', id: 1, method: 'x', params: { values } });
    const kept = messagesOf(recorder.recent());
    assert.deepEqual(
      kept.map(({ cut }) => cut),
      [...kinds.map(() => undefined), ...huge.map(() => true)],
    );
    for (const [index, values] of kinds.entries()) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { values } });
      assert.equal(JSON.stringify(kept[index]?.message).length, JSON.stringify(JSON.parse(text)).length);
      assert.equal(kept[index]?.bytes, text.length);
    }
    for (const { bytes } of kept.slice(kinds.length)) assert.ok(bytes > 2_000_000, String(bytes));
    recorder.dispose();
  });

  it('what we sent is whole, whatever the limits for servers are, and its numbers stand as they were written', () => {
    const recorder = new Recorder(() => RING);
    const link = recorder.openLink('a');
    const args = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`k${index}`, index]));
    const nested = { n: exactNumber('1.0'), args };
    const message = { jsonrpc: '2.0', id: 1, method: 'x', params: nested };
    link.message('sent', message);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: nested } };
    recorder.sending(nested, { callId: 'c', attempt: 1 });
    link.message('sent', call);
    const [first, second] = recorder.recent();
    const mask = new EventMask((text) => text);
    for (const [event, sent] of [[first, message] as const, [second, call] as const]) {
      assert.ok(event);
      const { what } = atOnce(mask.masked(event));
      // No diff of 300 KB.
      assert.ok(what.kind === 'message' && JSON.stringify(what.message) === JSON.stringify(sent), 'it is whole');
    }
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
    const headers = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-${at}-${'n'.repeat(40)}`, 'v']));
    const all = { ...headers, 'content-type': `text/plain; ${'é'.repeat(5_000)}`, [`a-${'n'.repeat(80)}`]: 'v' };
    const frame = httpFrameOf(new Response('', { headers: all }));
    const kept = Object.entries(frame().headers);
    assert.equal(kept.length, 24);
    assert.equal(frame().headers['content-type'], `text/plain; ${'é'.repeat(188)}`);
    assert.ok(kept.every(([name]) => name.length <= 60));
    const recorder = new Recorder(() => BIG);
    const link = recorder.openLink('a');
    for (let id = 1; id <= 2_000; id += 1) link.message('received', message(id), frame);
    assert.ok(recorder.heldBytes <= BIG.maxBytes, String(recorder.heldBytes));
    const held = messagesOf(recorder.recent());
    assert.deepEqual(held.at(-1)?.http, frame());
    const most = BIG.maxBytes / kept.flat().join('').length;
    assert.ok(held.length > most / 4 && held.length < most, `${held.length} of ${most}`);
    recorder.dispose();
  });

  it('keeps any text as it came: numbers, other scripts, what ends a text elsewhere', () => {
    const recorder = new Recorder(() => BIG);
    const link = recorder.openLink('a');
    const texts = [
      '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890.10}}',
      '{"jsonrpc":"2.0","id":2,"result":{"t":"日本語 🙂 é \\u0000 \\ud800"}}',
    ];
    for (const text of texts) {
      const read = readMessages(text);
      assert.ok(read.kind === 'messages' && read.messages[0]);
      link.message('received', read.messages[0], undefined, text);
      link.message('received', read.messages[0]);
    }
    const why = 'because\0of \u2028 日本語';
    const decision = { kind: 'decision', callId: '1', method: 'm', tool: 'a\0b', outcome: 'run', why } as const;
    recorder.note('b', decision);
    link.message('sent', withCall(recorder, { callId: 'call 🙂', attempt: 1 }));
    link.message('sent', withCall(recorder, { callId: 'call 🙂', attempt: 2, after: 'http' }));
    const events = recorder.recent();
    const written = events
      .slice(0, 4)
      .map((event) => JSON.stringify(atOnce(new EventMask((text) => text).masked(event)).what));
    for (const [index, text] of written.entries()) assert.ok(text.includes(texts[Math.floor(index / 2)] ?? '-'), text);
    assert.deepEqual(events[4]?.what, decision);
    assert.deepEqual(
      messagesOf(events.slice(5)).map(({ call }) => call),
      [
        { callId: 'call 🙂', attempt: 1 },
        { callId: 'call 🙂', attempt: 2, after: 'http' },
      ],
    );
    assert.deepEqual(
      events.map(({ server }) => server),
      ['a', 'a', 'a', 'a', 'b', 'a', 'a'],
    );
    recorder.dispose();
  });

  it('what was read of it stays as it is while it is filled anew', () => {
    const recorder = new Recorder(() => BIG);
    const link = recorder.openLink('a');
    for (let id = 0; id < 100; id += 1) link.message('received', message(id, 'x'.repeat(9_000)));
    const before = recorder.recent();
    const ids = before.map(({ seq }) => seq);
    for (let id = 100; id < 1_000; id += 1) link.message('received', message(id, 'y'.repeat(9_000)));
    assert.deepEqual(
      messagesOf(before).map((each) => each.message),
      ids.map((seq) => message(seq - 1, 'x'.repeat(9_000))),
    );
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
