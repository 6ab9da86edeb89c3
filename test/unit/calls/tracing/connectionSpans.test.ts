import { strict as assert } from 'node:assert';
import { systemClock } from '../../../../src/base/clock.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import type { HostSettings } from '../../../../src/host/hostPorts.ts';
import { openTracing } from '../../../../src/host/wiring/openTracing.ts';
import type { Session } from '../../../../src/connection/connectionTypes.ts';
import { eventually } from '../../../support/eventually.ts';
import type { TestHost } from '../../../support/testHost.ts';
import { CLIENT, isOfConnection, TracedHosts } from '../../../support/tracedHosts.ts';
import { TraceReceiver } from '../../../support/traceReceiver.ts';
import { GatewayRig } from '../../bridge/gatewayRig.ts';

interface SentRequest {
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
}

describe('tracing: handshakes and lists', function () {
  this.timeout(60_000);
  const hosts = new TracedHosts();

  it('of a server that starts: each is a trace of its own, with its version and what it goes over', async () => {
    const test = await hosts.open(hosts.address);
    const session = await sessionOf(test);
    await session.request('resources/list', {}, 5_000, { signal: new AbortController().signal });
    await session.request('prompts/list', {}, 5_000, { signal: new AbortController().signal }).catch(() => undefined);
    const spans = await hosts.connectionSpansOf(test);
    const named = new Map(spans.map((span) => [span.name, span]));
    for (const name of ['initialize', 'tools/list', 'resources/list', 'prompts/list']) {
      const span = named.get(name);
      assert.ok(span, `${name} is none of ${[...named.keys()].join()}`);
      assert.deepEqual([span.kind, span.parentId], [3, undefined]);
      assert.ok(span.end >= span.start);
      assert.deepEqual(span.attributes, {
        'mcp.method.name': name,
        'mcp.protocol.version': '2025-11-25',
        'mcp_switchboard.server': 'traced',
        'network.transport': 'pipe',
        ...(name === 'prompts/list' ? { 'error.type': '-32601', 'rpc.response.status_code': '-32601' } : {}),
      });
      assert.equal(span.status, name === 'prompts/list' ? 2 : 0);
    }
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, spans.length);
  });

  it('says its place in the trace to the server, the first handshake as well as each page', async () => {
    const test = await hosts.open(hosts.address);
    const session = await sessionOf(test);
    await session.request('resources/list', { cursor: 'a', _meta: { 'a/b': 1 } }, 5_000);
    const got = await gotBy(test, 'resources/list');
    const spans = await hosts.connectionSpansOf(test);
    const places = spans.map(({ name, traceId, spanId }) => `${name} "00-${traceId}-${spanId}-01"`);
    for (const { method, meta } of got) {
      const at = places.indexOf(`${method} ${JSON.stringify(meta['traceparent'])}`);
      assert.ok(at >= 0, `${method} ${JSON.stringify(meta)} is none of ${places.join()}`);
      places.splice(at, 1);
    }
    assert.ok(got.some(({ method }) => method === 'initialize') && got.some(({ method }) => method === 'tools/list'));
    assert.equal(got.at(-1)?.meta['a/b'], 1);
  });

  it('is part of the trace of a client that names its span', async () => {
    const test = await hosts.open(hosts.address);
    const session = await sessionOf(test);
    await session.request('resources/list', { _meta: { ...CLIENT, baggage: 'a=1' } }, 5_000);
    const { meta } = (await gotBy(test, 'resources/list')).at(-1) ?? {};
    const span = (await hosts.connectionSpansOf(test)).findLast(({ name }) => name === 'resources/list');
    const [, traceId, parentId] = CLIENT.traceparent.split('-');
    assert.deepEqual([span?.traceId, span?.parentId, span?.state], [traceId, parentId, 'rojo=1']);
    assert.equal((span?.flags ?? 0) & 0x300, 0x300, 'another program’s span');
    assert.deepEqual(meta, { ...CLIENT, traceparent: `00-${traceId}-${span?.spanId}-01`, baggage: 'a=1' });
  });

  it('says it to servers of 2026-07-28, too', async () => {
    const rig = new GatewayRig(undefined, { tracing: hosts.address });
    try {
      await rig.start({ notes: rig.notes });
      const recorder = await rig.test.host.recorder();
      const sent = recorder.recent().flatMap(({ what }) => (what.kind === 'message' ? [what.message] : []));
      await rig.test.host.stop();
      const spans = hosts.receiver.spans.splice(0).filter(isOfConnection);
      for (const method of ['server/discover', 'tools/list']) {
        const request = sent.find((each): each is SentRequest => 'method' in each && each.method === method);
        const { traceparent, ...meta } = request?.params?._meta ?? {};
        assert.ok(
          spans.some(({ name, spanId }) => name === method && String(traceparent).includes(spanId)),
          method,
        );
        assert.equal(meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
      }
    } finally {
      await rig.stop();
    }
  });

  it('without an address says nothing to the server', async () => {
    const test = await hosts.open(undefined);
    await (await sessionOf(test)).request('resources/list', {}, 5_000);
    const got = await gotBy(test, 'resources/list');
    assert.ok(got.length > 2);
    for (const { method, meta } of got) assert.deepEqual(meta, {}, method);
  });

  it('without an address nobody listens to what passes', () => {
    const recorder = new Recorder(() => ({ maxAgeMs: 0, maxBytes: 0 }));
    let listeners = 0;
    const onEvent: Recorder['onEvent'] = (listener) => {
      listeners += 1;
      return recorder.onEvent(listener);
    };
    const tracing = openTracing(portsOf({}, []), { onEvent, place: undefined }, () => undefined);
    assert.deepEqual([tracing.tracer(), listeners, recorder.place], [undefined, 0, undefined]);
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.equal(recorder.openLink('server').placed(request), request);
    recorder.dispose();
  });

  it('of requests that have no answer, with the reason', async () => {
    const recorder = new Recorder(() => ({ maxAgeMs: 0, maxBytes: 0 }));
    const tracing = openTracing(portsOf({ tracing: hosts.address }, []), recorder, () => undefined);
    const link = recorder.openLink('server');
    link.message('sent', { jsonrpc: '2.0', id: 1, method: 'server/discover' });
    link.unanswered({ id: 1, method: 'server/discover' }, 'closed');
    link.message('sent', { jsonrpc: '2.0', id: 4, method: 'tools/list' });
    link.unanswered({ id: 4, method: 'tools/list' }, 'cancelled');
    link.message('sent', { jsonrpc: '2.0', id: 2, method: 'ping' });
    link.message('received', { jsonrpc: '2.0', id: 2, result: {} });
    // The same id on another link.
    link.message('sent', { jsonrpc: '2.0', id: 3, method: 'tools/list' });
    recorder.openLink('server').message('received', { jsonrpc: '2.0', id: 3, result: {} });
    await tracing.close();
    recorder.dispose();
    assert.deepEqual(
      hosts.receiver.spans.map(({ name, status, attributes }) => [name, status, attributes['error.type']]),
      [
        ['server/discover', 2, 'closed'],
        ['tools/list', 0, undefined],
      ],
    );
  });
});

describe('tracing: where the spans go', () => {
  it('what waits when the address is changed is sent to the former one', async () => {
    const [former, latter] = [new TraceReceiver(), new TraceReceiver()];
    const recorder = new Recorder(() => ({ maxAgeMs: 0, maxBytes: 0 }));
    const settings = { tracing: await former.open() };
    const tracing = openTracing(portsOf(settings, []), recorder, () => undefined);
    const list = (link: ReturnType<Recorder['openLink']>, id: number): void => {
      link.message('sent', { jsonrpc: '2.0', id, method: 'tools/list' });
      link.message('received', { jsonrpc: '2.0', id, result: {} });
    };
    const link = recorder.openLink('server');
    list(link, 1);
    settings.tracing = await latter.open();
    tracing.settingsChanged();
    list(link, 2);
    list(link, 3);
    await tracing.close();
    assert.deepEqual([former.spans.length, latter.spans.length], [1, 2]);
    assert.equal(recorder.place, undefined, 'what isn’t traced any more has no place');
    for (const each of [former, latter]) await each.close();
    recorder.dispose();
  });

  it('what traces can’t be loaded: it is said once, nothing waits, and nothing throws', async () => {
    const said: string[] = [];
    const recorder = new Recorder(() => ({ maxAgeMs: 0, maxBytes: 0 }));
    const load = async (): Promise<never> => Promise.reject(new Error('Cannot find module'));
    const tracing = openTracing(portsOf({ tracing: 'http://127.0.0.1:9' }, said), recorder, () => undefined, load);
    recorder.openLink('server').message('sent', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (let call = 0; call < 3; call++) assert.equal(await tracing.tracer(), undefined);
    await tracing.close();
    await eventually('it is said', () => said.length > 0);
    assert.deepEqual(said, ['Nothing is traced, since what traces can’t be loaded: Cannot find module']);
    recorder.dispose();
  });
});

function sessionOf({ host }: TestHost): Promise<Session> {
  return host.pool.ready(host.pool.all[0]?.id ?? '', 5_000, new AbortController().signal);
}

/** What came with handshakes and lists, as the server says it, until one of a method has come. */
async function gotBy({ host }: TestHost, last: string): Promise<readonly { method: string; meta: JsonObject }[]> {
  const recorder = await host.recorder();
  const read = (): { method: string; meta: JsonObject }[] =>
    recorder.recent().flatMap(({ what }) => {
      const [, method = '', meta = ''] = (what.kind === 'stderr' && /^got (\S+) (.*)$/.exec(what.line)) || [];
      return method === '' ? [] : [{ method, meta: JSON.parse(meta) as JsonObject }];
    });
  await eventually(`the server says what came with ${last}`, () => read().at(-1)?.method === last);
  return read();
}

function portsOf(settings: { readonly tracing?: string }, said: string[]): Parameters<typeof openTracing>[0] {
  return {
    ...{ settings: () => settings as unknown as HostSettings, environment: {}, fetch, clock: systemClock },
    clientInfo: { name: 'test', version: '0' },
    log: { log: (_, message) => void said.push(message) },
  };
}
