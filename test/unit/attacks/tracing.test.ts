import { strict as assert } from 'node:assert';
import { SpanExport } from '../../../src/calls/tracing/spanExport.ts';
import { eventually } from '../../support/eventually.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';
import { CLIENT, SECRET, TracedHosts } from '../../support/tracedHosts.ts';
import { ManualClock } from '../connection/manualClock.ts';

describe('attacks: traces', function () {
  this.timeout(60_000);
  const hosts = new TracedHosts();
  const { receiver, said } = hosts;

  it('An agent, or a server, puts something else than the place in a trace into `traceparent` or `tracestate`', async () => {
    const test = await hosts.open(hosts.address);
    const none = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`;
    for (const traceparent of ['javascript:alert(1)', none, `${CLIENT.traceparent}\nx-evil: 1`, 'x'.repeat(100_000)]) {
      const meta = { traceparent, tracestate: 'rojo=1' };
      const got = await hosts.call(test, 'meta', { surface: 'outside', meta });
      assert.match(String(got?.['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      assert.ok(!('tracestate' in (got ?? {})));
    }
    const odd = { ...CLIENT, tracestate: `a=${'x'.repeat(10_000)}` };
    const got = await hosts.call(test, 'meta', { surface: 'outside', meta: odd });
    assert.deepEqual([String(got?.['traceparent']).slice(0, 35), got?.['tracestate']], [CLIENT.traceparent.slice(0, 35), undefined]); // prettier-ignore
    // The same of a list, which is no call.
    const recorder = await test.host.recorder();
    const session = await test.host.pool.ready(test.host.pool.all[0]?.id ?? '', 5_000, new AbortController().signal);
    await session.request('resources/list', { _meta: { traceparent: none, tracestate: 'rojo=1' } }, 5_000);
    const messages = recorder.recent().map(({ what }) => (what.kind === 'message' ? JSON.stringify(what.message) : ''));
    const list = messages.findLast((message) => message.includes('"method":"resources/list"')) ?? '';
    assert.match(list, /"_meta":{"traceparent":"00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-01"}/);
    const spans = (await hosts.spansOf(test)).filter(({ kind }) => kind === 2);
    assert.deepEqual(spans.map(({ parentId }) => parentId), [...Array<undefined>(4).fill(undefined), '00f067aa0ba902b7']); // prettier-ignore
  });

  it('A folder names where traces are sent', async () => {
    const set: { globalValue?: string; workspaceValue?: string } = { workspaceValue: 'http://evil.example' };
    const section = {
      // A section, or a setting by its own name.
      inspect: (key: string) => {
        if (key === 'mcpSwitchboard.tracing.endpoint') return set;
        const at = (endpoint: string | undefined): object => ({ tracing: { endpoint } });
        return key === 'mcpSwitchboard'
          ? { globalValue: at(set.globalValue), workspaceValue: at(set.workspaceValue) }
          : undefined;
      },
      get: (name: string) => (name === 'tracing.endpoint' ? (set.workspaceValue ?? set.globalValue) : undefined),
    };
    const workspace = { getConfiguration: () => section };
    const { readHostSettings } = await withStubbedEditor(
      { workspace },
      () => import('../../../src/platform/settings/hostSettings.ts'),
    );
    assert.equal(readHostSettings().tracing, undefined);
    set.globalValue = 'http://mine.example';
    assert.equal(readHostSettings().tracing, 'http://mine.example');
  });

  it('An address for traces sends them elsewhere', async () => {
    receiver.location = `${hosts.address}/elsewhere`;
    const test = await hosts.open(hosts.address);
    assert.ok(await hosts.call(test, 'meta'));
    await eventually('it was tried', () => said.length > 0);
    await hosts.spansOf(test);
    assert.ok(receiver.requests.length > 0 && receiver.requests.every(({ url }) => url === '/v1/traces'));
  });

  it('An address for traces where nobody answers, or that never takes any', async () => {
    const clock = new ManualClock();
    const tried: number[] = [];
    const refused: string[] = [];
    const span = { context: { traceId: '1', spanId: '2' }, name: 'x', kind: 'internal', startMs: 0, endMs: 0 } as const;
    const send = async (spans: readonly unknown[]): Promise<void> => {
      tried.push(spans.length);
      throw new Error('no');
    };
    const exported = new SpanExport({ send, refused: (why) => void refused.push(why), clock });
    for (let minute = 0; minute < 5; minute++) {
      for (let index = 0; index < 10_000; index++) exported.add({ ...span, attributes: {}, isError: false });
      clock.advance(60_000);
      await new Promise(setImmediate);
    }
    assert.deepEqual([tried.length, refused.length], [5, 1]);
    const taken: number[] = [];
    const kept = new SpanExport({ send: async (spans) => void taken.push(spans.length), refused: () => {}, clock });
    for (let index = 0; index < 50_000; index++) kept.add({ ...span, attributes: {}, isError: false });
    await kept.flush();
    assert.ok(taken.reduce((sum, each) => sum + each, 0) <= 2_048, String(taken));
  });

  it('What was asked, answered or read leaves with a trace', async () => {
    const test = await hosts.open(hosts.address);
    for (const name of ['meta', 'fail', 'refuse', 'flaky', 'nothing of that name']) await hosts.call(test, name);
    test.answer = 'deny';
    await hosts.call(test, 'write');
    const serverId = test.host.pool.all[0]?.id ?? '';
    const { signal } = new AbortController();
    const request = {
      serverId,
      method: 'resources/read',
      params: { uri: 'traced:meta' },
      surface: 'test',
      signal,
    } as const;
    await test.host.broker.request(request);
    assert.ok((await hosts.spansOf(test)).length > 12);
    for (const text of [SECRET, 'result-text', 'error-text', 'nothing of that name', 'traced:meta'])
      assert.ok(!hosts.sent.includes(text), text);
  });
});
