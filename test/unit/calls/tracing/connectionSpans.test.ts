import { strict as assert } from 'node:assert';
import { systemClock } from '../../../../src/base/clock.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import type { HostSettings } from '../../../../src/host/hostPorts.ts';
import { openTracing } from '../../../../src/host/wiring/openTracing.ts';
import { eventually } from '../../../support/eventually.ts';
import { TracedHosts } from '../../../support/tracedHosts.ts';
import { TraceReceiver } from '../../../support/traceReceiver.ts';

describe('tracing: handshakes and lists', function () {
  this.timeout(60_000);
  const hosts = new TracedHosts();

  it('of a server that starts: each is a trace of its own, with its version and what it goes over', async () => {
    const test = await hosts.open(hosts.address);
    const serverId = test.host.pool.all[0]?.id ?? '';
    const session = await test.host.pool.ready(serverId, 5_000, new AbortController().signal);
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

  it('without an address nobody listens to what passes', () => {
    const recorder = new Recorder(() => ({ maxAgeMs: 0, maxBytes: 0 }));
    let listeners = 0;
    const onEvent: Recorder['onEvent'] = (listener) => {
      listeners += 1;
      return recorder.onEvent(listener);
    };
    const tracing = openTracing(portsOf({}, []), { onEvent }, () => undefined);
    assert.deepEqual([tracing.tracer(), listeners], [undefined, 0]);
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

function portsOf(settings: { readonly tracing?: string }, said: string[]): Parameters<typeof openTracing>[0] {
  return {
    ...{ settings: () => settings as unknown as HostSettings, environment: {}, fetch, clock: systemClock },
    clientInfo: { name: 'test', version: '0' },
    log: { log: (_, message) => void said.push(message) },
  };
}
