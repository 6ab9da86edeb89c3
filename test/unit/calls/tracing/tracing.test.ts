import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { eventually } from '../../../support/eventually.ts';
import { CLIENT, isOfConnection, TRACED, TracedHosts } from '../../../support/tracedHosts.ts';
import { TraceReceiver } from '../../../support/traceReceiver.ts';
import { GatewayRig } from '../../bridge/gatewayRig.ts';

describe('tracing: spans of calls, as a receiver of OTLP reads them', function () {
  this.timeout(60_000);
  const hosts = new TracedHosts();
  const { receiver, said } = hosts;
  const open = hosts.open.bind(hosts);
  const call = hosts.call.bind(hosts);
  const spansOf = hosts.spansOf.bind(hosts);

  it('a call, the question about it, its turn, its request; the server gets the place of the request in the trace', async () => {
    const test = await open(hosts.address);
    const meta = await call(test, 'write');
    const [spans, began] = [await spansOf(test), Date.now() - 60_000];
    assert.deepEqual(spans.map(({ name }) => name).toSorted(), [
      'execute_tool mcp__traced__write',
      'question',
      'queue',
      'tools/call write',
    ]);
    const whole = spans.find(({ name }) => name.startsWith('execute_tool'));
    const request = spans.find(({ name }) => name === 'tools/call write');
    assert.ok(whole && request);
    assert.equal(whole.parentId, undefined);
    for (const span of spans) {
      assert.equal(span.traceId, whole.traceId);
      assert.ok(span === whole || span.parentId === whole.spanId);
      assert.ok(span.start >= BigInt(began) * 1_000_000n && span.start >= whole.start && span.end <= whole.end);
      assert.equal(span.resource['service.name'], 'mcp-switchboard');
    }
    assert.equal(meta?.['traceparent'], `00-${whole.traceId}-${request.spanId}-01`);
    assert.deepEqual(whole.attributes, {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'mcp__traced__write',
      'mcp_switchboard.server': 'traced',
      'mcp_switchboard.surface': 'test',
      'mcp_switchboard.outcome': 'ok',
      'mcp_switchboard.attempts': 1,
      'mcp_switchboard.decision': 'ask',
      'mcp_switchboard.answer': 'once',
    });
    assert.deepEqual(request.attributes, {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'write',
      'mcp.protocol.version': '2025-11-25',
      'mcp_switchboard.attempt': 1,
      'mcp_switchboard.era': 'legacy',
      'mcp_switchboard.transport': 'stdio',
      'network.transport': 'pipe',
    });
    assert.deepEqual([whole.kind, request.kind, whole.status], [1, 3, 0]);
    assert.deepEqual(receiver.requests[0]?.url, '/v1/traces');
    assert.equal(receiver.requests[0]?.headers['content-type'], 'application/x-protobuf');
  });

  it('what failed says how, by its class', async () => {
    const test = await open(hosts.address);
    for (const name of ['fail', 'refuse', 'nothing of that name']) await call(test, name);
    test.answer = 'deny';
    await call(test, 'write');
    const spans = await spansOf(test);
    const errors = spans.filter(({ status }) => status === 2).map((span) => [span.name, span.attributes['error.type']]);
    assert.deepEqual(errors, [
      ['tools/call fail', 'tool_error'],
      ['execute_tool mcp__traced__fail', 'tool_error'],
      ['tools/call refuse', '-32004'],
      ['execute_tool mcp__traced__refuse', 'call-failed'],
      ['execute_tool', 'unknown-tool'],
      ['execute_tool mcp__traced__write', 'denied'],
    ]);
  });

  it('what was cancelled is no error', async () => {
    const test = await open(hosts.address);
    const recorder = await test.host.recorder();
    const cancel = new AbortController();
    const subscription = recorder.onEvent(({ what }) => {
      const isCall = what.kind === 'message' && 'method' in what.message && what.message.method === 'tools/call';
      if (isCall) setImmediate(() => cancel.abort());
    });
    await call(test, 'hang', { signal: cancel.signal });
    subscription.dispose();
    const spans = (await spansOf(test)).filter(({ name }) => name.endsWith('hang'));
    assert.deepEqual(
      spans.map(({ name, status, attributes }) => [
        name,
        status,
        attributes['mcp_switchboard.cancelled'],
        attributes['error.type'],
      ]),
      [
        ['tools/call hang', 0, true, undefined],
        ['execute_tool mcp__traced__hang', 0, true, undefined],
      ],
    );
  });

  it('each attempt is a request of its own', async () => {
    const test = await open(hosts.address);
    const meta = await call(test, 'flaky');
    const requests = (await spansOf(test)).filter(({ kind }) => kind === 3);
    assert.deepEqual(
      requests.map(({ attributes: { 'mcp_switchboard.attempt': attempt, 'error.type': error } }) => [attempt, error]),
      [
        [1, 'connection-lost'],
        [2, undefined],
      ],
    );
    assert.ok(String(meta?.['traceparent']).includes(requests[1]?.spanId ?? '-'));
  });

  it('the calls of a script are part of its span', async () => {
    const test = await open(hosts.address);
    await (await test.host.calls.scripts()).setOn(true);
    const caller = { surface: 'test', signal: new AbortController().signal } as const;
    await test.host.broker.runScript('return await tools.mcp__traced__meta({})', caller).catch(() => undefined);
    const spans = await spansOf(test);
    const script = spans.find(({ name }) => name === 'execute_tool');
    const called = spans.find(({ name }) => name === 'execute_tool mcp__traced__meta');
    assert.ok(script && called, JSON.stringify(spans.map(({ name }) => name)));
    assert.deepEqual([called.parentId, called.traceId], [script.spanId, script.traceId]);
  });

  it('a resource that is read', async () => {
    const test = await open(hosts.address);
    const serverId = test.host.pool.all[0]?.id ?? '';
    const request = { serverId, method: 'resources/read', params: { uri: 'traced:meta' }, surface: 'test' } as const;
    const { contents } = await test.host.broker.request({ ...request, signal: new AbortController().signal });
    const spans = await spansOf(test);
    assert.deepEqual(
      spans.map(({ name, kind }) => [name, kind]),
      [
        ['resources/read', 3],
        ['resources/read', 1],
      ],
    );
    assert.ok(JSON.stringify(contents).includes(spans[0]?.spanId ?? '-'));
  });

  it('the trace of a client of the gateway goes on, in both eras of servers', async () => {
    const rig = new GatewayRig(undefined, { tracing: hosts.address });
    try {
      await rig.start({ notes: rig.notes, traced: TRACED });
      const recorder = await rig.test.host.recorder();
      const client = await rig.client(undefined, 'traced');
      const meta = await client.callTool({ name: 'meta', arguments: {}, _meta: CLIENT });
      const notes = await rig.client(undefined, 'notes');
      await notes.callTool({ name: 'list_notes', arguments: {}, _meta: { ...CLIENT, baggage: 'a=1' } });
      await rig.test.host.stop();
      const spans = receiver.spans.splice(0).filter((span) => !isOfConnection(span));
      assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([CLIENT.traceparent.split('-')[1]]));
      assert.deepEqual(new Set(spans.map(({ state }) => state)), new Set(['rojo=1']));
      const served = spans.filter(({ kind }) => kind === 2);
      assert.deepEqual(
        served.map(({ name, parentId }) => [name, parentId]),
        [
          ['tools/call mcp__traced__meta', '00f067aa0ba902b7'],
          ['tools/call mcp__notes__list_notes', '00f067aa0ba902b7'],
        ],
      );
      // The span that it is part of is another program's.
      assert.ok(served.every(({ flags }) => (flags & 0x300) === 0x300));
      const [first] = meta.content as { readonly text: string }[];
      const got = JSON.parse(first?.text ?? '{}') as JsonObject;
      assert.notEqual(got['traceparent'], CLIENT.traceparent);
      assert.equal(got['tracestate'], 'rojo=1');
      const modern = spans.find(({ name }) => name === 'tools/call list_notes');
      assert.equal(modern?.attributes['mcp_switchboard.era'], 'modern');
      const sent = recorder.recent().flatMap(({ what }) => (what.kind === 'message' ? [what.message] : []));
      const message = sent.find((each) => JSON.stringify(each).includes(modern?.spanId ?? '-'));
      assert.match(JSON.stringify(message), /"method":"tools\/call".*"baggage":"a=1"/);
    } finally {
      await rig.stop();
    }
  });

  it('a client of the gateway may name its span in headers', async () => {
    const rig = new GatewayRig(undefined, { tracing: hosts.address });
    try {
      await rig.start({ traced: TRACED });
      const { url } = rig.endpoint('traced');
      const headers = { authorization: `Bearer ${rig.gateway.token}`, accept: 'application/json, text/event-stream' };
      const post = (session: object, message: object): Promise<Response> =>
        fetch(url, {
          method: 'POST',
          headers: { ...headers, ...session, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
        });
      const clientInfo = { name: 'peer', version: '0' };
      const opened = await post(
        {},
        { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
      );
      await opened.text();
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const params = { name: 'meta', arguments: {} };
      const answer = await post({ ...session, ...CLIENT }, { id: 2, method: 'tools/call', params });
      assert.match(await answer.text(), new RegExp(CLIENT.traceparent.split('-')[1] ?? '-'));
      await rig.test.host.stop();
      const served = receiver.spans.splice(0).filter(({ kind }) => kind === 2);
      assert.deepEqual(
        served.map(({ parentId, state }) => [parentId, state]),
        [['00f067aa0ba902b7', 'rojo=1']],
      );
    } finally {
      await rig.stop();
    }
  });

  it('without an address nothing is made: what a client sends goes through as it is', async () => {
    const test = await open(undefined);
    const meta = await call(test, 'meta', { surface: 'outside', meta: CLIENT });
    assert.equal(meta?.['traceparent'], CLIENT.traceparent);
    assert.equal((await call(test, 'meta'))?.['traceparent'], undefined);
    assert.deepEqual([await spansOf(test), receiver.requests.length], [[], 0]);
  });

  it('a receiver that answers with an error is said once, and calls don’t notice', async () => {
    receiver.status = 503;
    const test = await open(hosts.address);
    for (let index = 0; index < 3; index++) {
      assert.ok(await call(test, 'meta'));
      if (index === 0) await eventually('it was tried', () => said.length > 0);
    }
    assert.equal((await spansOf(test)).length, 0);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /HTTP status 503/);
  });

  // kubeflow/mcp-server#228: 30 s.
  it('a receiver that never answers doesn’t hold up the end of the host', async () => {
    receiver.isSilent = true;
    const test = await open(hosts.address);
    assert.ok(await call(test, 'meta'));
    await eventually('it was asked', () => receiver.requests.length > 0);
    assert.ok(await call(test, 'meta'));
    const began = performance.now();
    await test.host.stop();
    assert.ok(performance.now() - began < 9_000, 'the limit of a request is ten seconds');
  });

  for (const [what, tracing, why] of [
    ['where nobody listens', undefined, /ECONNREFUSED/],
    ['that is none', 'collector', /no address/],
    ['of a file', 'file:///etc/passwd', /no address/],
    ['with a password', 'http://user:key-0f8fad5b@127.0.0.1:9/', /OTEL_EXPORTER_OTLP_HEADERS/],
  ] as const)
    it(`an address ${what} is said once, without it`, async () => {
      const gone = new TraceReceiver();
      const nobody = await gone.open();
      await gone.close();
      const test = await open(tracing ?? nobody);
      assert.ok(await call(test, 'meta'));
      await spansOf(test);
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', why);
      assert.ok(!said[0]?.includes('key-0f8fad5b'));
    });

  it('headers of the environment go with the spans', async () => {
    const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Basic%20abc==,x-team=a b,bad header=1,x-odd=%0d%0aevil: 1';
    const test = await open(`${hosts.address}/api/otel/`, { ...process.env, OTEL_EXPORTER_OTLP_HEADERS });
    await call(test, 'meta');
    await spansOf(test);
    const [request] = receiver.requests;
    assert.equal(request?.url, '/api/otel/v1/traces');
    const { authorization, 'x-team': team, 'x-odd': odd, evil } = request?.headers ?? {};
    assert.deepEqual([authorization, team, odd, evil], ['Basic abc==', 'a b', undefined, undefined]);
  });
});
