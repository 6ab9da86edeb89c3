import { strict as assert } from 'node:assert';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startConformanceServer, type ConformanceServer } from '../../../../support/conformanceServer.ts';
import { GatewayRig, type Form } from '../../gatewayRig.ts';
import { textOf, waitFor } from '../../gatewaySupport.ts';
import { META, RawClient, type Answer } from './rawClient.ts';

const requestsOf = (result: Answer): Readonly<Record<string, { readonly method: string; readonly params: Answer }>> =>
  result['inputRequests'] as never;

for (const [era, path] of [
  ['2026-07-28', '/mcp'],
  ['2025-11-25', '/legacy'],
] as const) {
  describe(`gateway: clients of 2026-07-28, in front of a server of ${era}`, function () {
    this.timeout(60_000);
    let server: ConformanceServer;
    let rig: GatewayRig;
    let raw: RawClient;
    const closing: (() => Promise<void>)[] = [];

    before(async () => {
      server = await startConformanceServer();
      rig = new GatewayRig();
      await rig.start({ all: { type: 'http', url: `${server.origin}${path}` } });
    });
    after(async () => {
      await rig?.stop();
      await server?.stop();
    });
    beforeEach(() => {
      raw = new RawClient(rig, 'all');
      rig.rules = rig.test.host.catalog.tools.map(({ name }) => ({ tool: name, action: 'allow', source: 'user' }));
      rig.hasModel = true;
    });
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });

    /** A client of the SDK that finds out by itself what is spoken. */
    const connected = async (answer: (form: Form) => object): Promise<Client> => {
      const client = new Client(
        { name: 'newer', version: '1' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
      );
      client.setRequestHandler('elicitation/create', ({ params }) => answer(params as unknown as Form) as never);
      const requestInit = { headers: { authorization: `Bearer ${rig.gateway.token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(rig.endpoint('all').url), { requestInit }));
      closing.push(() => client.close());
      return client;
    };

    it('a client of the SDK finds it by server/discover, and has what the server has', async () => {
      const client = await connected(() => ({ action: 'decline' }));
      assert.equal(client.getProtocolEra(), 'modern');
      assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
      assert.equal(client.getInstructions(), 'For conformance tests.');
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'test_structured'));
      const result = await client.callTool({ name: 'test_structured', arguments: { city: 'Bergen' } });
      assert.deepEqual(result.structuredContent, { city: 'Bergen', celsius: 7 });
      const told: number[] = [];
      await client.callTool(
        { name: 'test_tool_with_progress', arguments: {} },
        { onprogress: ({ progress }) => told.push(progress) },
      );
      assert.deepEqual(told, [0, 50, 100]);
    });

    it('the server’s question is what the call needs; the client calls again with the answer', async () => {
      const client = await connected(({ message }) => {
        assert.match(message, /^all: /);
        return { action: 'accept', content: { name: 'Ada' } };
      });
      const result = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
      assert.equal(textOf(result), 'Hello, Ada!');
    });

    it('the question about a call is one of it, and only what was asked is answered', async () => {
      rig.rules = [];
      const early = { input_1: { action: 'accept', content: { answer: 'once' } } };
      const name = 'test_error_handling';
      const first = await raw.call(name, { inputResponses: early });
      assert.equal(first['resultType'], 'input_required', 'the answer came before the question');
      const [[key, asked] = [], ...others] = Object.entries(requestsOf(first));
      assert.equal(asked?.method, 'elicitation/create');
      assert.match(String(asked.params['message']), /^Run /);
      assert.deepEqual(others, []);
      const { requestState } = first;
      const again = await raw.call(name, { requestState, inputResponses: { other: early.input_1 } });
      assert.equal(again['resultType'], 'input_required');
      assert.notEqual(again['requestState'], requestState);
      const answer = { [String(key)]: { action: 'accept', content: { answer: 'deny' } } };
      assert.match(
        JSON.stringify(await raw.call(name, { requestState: again['requestState'], inputResponses: answer })),
        /denied/,
      );
      for (const state of [requestState, again['requestState'], 'made up'])
        assert.equal((await raw.call(name, { requestState: state, inputResponses: answer }))['code'], -32602);
    });

    it('a state is for the request that it was given for', async () => {
      const { requestState } = await raw.call('test_input_required_result_elicitation');
      const other = await raw.call('test_simple_text', { requestState });
      assert.equal(other['code'], -32602);
    });

    it('a client that stays away holds up nobody, whatever its call does', async () => {
      const name = 'test_streaming_elicitation';
      const away = await raw.call(name);
      assert.equal(away['resultType'], 'input_required');
      assert.match(JSON.stringify(await raw.call('test_error_handling')), /intentionally returns an error/);
      const [key = ''] = Object.keys(requestsOf(away));
      const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
      const back = await raw.call(name, { requestState: away['requestState'], inputResponses });
      assert.match(JSON.stringify(back), /Thanks/);
    });

    it('questions of calls at the same time are each asked where it belongs', async () => {
      const names = ['Ada', 'Grace', 'Edith'];
      const clients = await Promise.all(
        names.map((name) => connected(() => ({ action: 'accept', content: { name } }))),
      );
      const results = await Promise.all(
        clients.map((client) => client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} })),
      );
      assert.deepEqual(
        results.map(textOf),
        names.map((name) => `Hello, ${name}!`),
      );
    });

    it('prompts ask, too', async () => {
      const name = 'test_input_required_result_prompt';
      const first = await raw.result('prompts/get', { name });
      const [key = ''] = Object.keys(requestsOf(first));
      const inputResponses = { [key]: { action: 'accept', content: { context: 'the sea' } } };
      const { requestState } = first;
      assert.match(JSON.stringify(await raw.result('prompts/get', { name, requestState, inputResponses })), /the sea/);
    });

    it('what only the client could do is said to be missing, with its status', async () => {
      raw.capabilities = {};
      const mine = await raw.call('test_missing_capability');
      assert.match(JSON.stringify(mine), /Paris, we say/);
      rig.hasModel = false;
      const refused = await raw.open('tools/call', { name: 'test_missing_capability', arguments: {} });
      assert.equal(refused.status, 400);
      const { error } = (await refused.json()) as { error: Answer };
      assert.equal(error['code'], -32021);
      assert.deepEqual(error['data'], { requiredCapabilities: { sampling: {} } });
    });

    it('a stream of changes has what was asked for, and nothing else', async () => {
      const ending = new AbortController();
      const notifications = { promptsListChanged: true, resourceSubscriptions: ['test://watched-resource'] };
      const stream = await raw.open('subscriptions/listen', { notifications }, {}, ending.signal);
      let text = '';
      const reading = (async () => {
        for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) text += chunk;
      })().catch(() => undefined);
      await waitFor(() => text.includes('notifications/subscriptions/acknowledged'));
      await raw.call('test_trigger_watched');
      await raw.call('test_trigger_tool_change');
      await raw.call('test_trigger_prompt_change');
      await waitFor(() => text.includes('notifications/prompts/list_changed') && text.includes('resources/updated'));
      assert.ok(!text.includes('tools/list_changed'));
      const all = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as { params: Answer });
      for (const { params } of all) assert.equal((params['_meta'] as Answer)[`${META}subscriptionId`], 1);
      assert.deepEqual(all[0]?.params['notifications'], notifications);
      assert.ok(rig.endpoint('all').isInUse);
      ending.abort();
      await reading;
      await waitFor(() => !rig.endpoint('all').isInUse);
    });

    it('the server’s log, to the requests that want it', async () => {
      const name = 'test_tool_with_logging';
      const logged = async (more: Answer): Promise<number> =>
        (await raw.messages('tools/call', { name, arguments: {}, ...more })).filter(
          ({ method }) => method === 'notifications/message',
        ).length;
      assert.equal(await logged({ _meta: { [`${META}logLevel`]: 'info' } }), 3);
      assert.equal(await logged({}), 0);
      assert.equal(await logged({ _meta: { [`${META}logLevel`]: 'error' } }), 0);
    });

    it('headers that say something else than the request are refused', async () => {
      const status = async (headers: Answer): Promise<string> => {
        const answer = await raw.open('tools/call', { name: 'test_simple_text', arguments: {} }, headers);
        return `${answer.status} ${String(((await answer.json()) as { error?: Answer }).error?.['code'])}`;
      };
      assert.equal(await status({}), '200 undefined');
      assert.equal(await status({ 'mcp-name': '=?base64?dGVzdF9zaW1wbGVfdGV4dA==?=' }), '200 undefined');
      assert.equal(await status({ 'mcp-name': 'test_error_handling' }), '400 -32020');
      assert.equal(await status({ 'mcp-method': 'tools/list' }), '400 -32020');
      assert.equal(await status({ 'mcp-protocol-version': '2025-11-25' }), '400 -32020');
    });

    it('what sessions had is gone, and a session beside it is as ever', async () => {
      for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/get'])
        assert.equal((await raw.open(method, { level: 'info', uri: 'test://watched-resource' })).status, 404, method);
      const older = await rig.client(undefined, 'all');
      assert.equal(older.getNegotiatedProtocolVersion(), '2025-11-25');
      await older.setLoggingLevel('info');
      assert.match(textOf(await older.callTool({ name: 'test_simple_text', arguments: {} })), /simple text/);
    });

    it('the editor’s agent has schemas in a form that every model’s provider takes, whatever it speaks', async () => {
      const { tools } = (await raw.result('tools/list')) as { tools: readonly { name: string; inputSchema: object }[] };
      const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema ?? {};
      assert.ok(!('allOf' in schema) && !('if' in schema) && !('$schema' in schema), JSON.stringify(schema));
    });

    it('a client that goes away cancels its call', async () => {
      const ending = new AbortController();
      const gone = raw.open('tools/call', { name: 'test_tool_with_progress', arguments: {} }, {}, ending.signal);
      const { inProgress } = rig.test.host.calls;
      const runs = (): boolean => inProgress.all.some(({ name }) => name === 'mcp__all__test_tool_with_progress');
      await waitFor(runs);
      ending.abort();
      await assert.rejects(gone);
      await waitFor(() => !runs());
      assert.equal(rig.test.host.calls.history.entries.at(-1)?.result, 'call-cancelled');
    });
  });
}
