import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/client';
import { startConformanceServer, type ConformanceServer } from '../../support/conformanceServer.ts';
import { GatewayRig, type Form } from './gatewayRig.ts';
import { textOf, waitFor } from './gatewaySupport.ts';

for (const [era, path] of [
  ['2026-07-28', '/mcp'],
  ['2025-11-25', '/legacy'],
] as const) {
  describe(`gateway: a server of ${era} with nothing lost on the way`, function () {
    this.timeout(60_000);
    let server: ConformanceServer;
    let rig: GatewayRig;
    let client: Client;
    let answer: (form: Form) => object = () => ({ action: 'decline' });
    const told: string[] = [];
    const logged: string[] = [];

    before(async () => {
      server = await startConformanceServer();
      rig = new GatewayRig();
      rig.test.answer = 'session';
      await rig.start({ all: { type: 'http', url: `${server.origin}${path}` } });
      client = await rig.client(
        (form) => answer(form) as never,
        'all',
        (fresh) => {
          for (const list of ['tools', 'prompts', 'resources'] as const)
            fresh.setNotificationHandler(`notifications/${list}/list_changed`, () => void told.push(list));
          fresh.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
          fresh.setNotificationHandler('notifications/message', ({ params }) => void logged.push(String(params.data)));
        },
      );
    });

    after(async () => {
      await rig?.stop();
      await server?.stop();
    });

    beforeEach(() => {
      told.length = 0;
      logged.length = 0;
    });

    const call = (name: string, args: Record<string, string> = {}): ReturnType<Client['callTool']> =>
      client.callTool({ name, arguments: args });

    it('speaks that era with it, and has all that it has', () => {
      const state = rig.test.host.pool.all[0]?.state;
      assert.equal(state?.kind === 'connected' && state.info.protocolVersion, era);
      assert.deepEqual(client.getServerCapabilities(), {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
      });
      assert.equal(client.getInstructions(), 'For conformance tests.');
    });

    it('title, icons, _meta and output schema of a tool; structured content and _meta of its result', async () => {
      const { tools } = await client.listTools();
      const tool = tools.find(({ name }) => name === 'test_structured');
      assert.equal(tool?.title, 'Structured');
      assert.equal(tool?.icons?.[0]?.mimeType, 'image/png');
      assert.equal(tool?._meta?.['example.com/shelf'], 3);
      assert.deepEqual(tool?.outputSchema?.['required'], ['city', 'celsius']);
      const result = await call('test_structured', { city: 'Bergen' });
      assert.deepEqual(result.structuredContent, { city: 'Bergen', celsius: 7 });
      assert.equal(textOf(result), 'It is 7 degrees in Bergen');
      assert.equal(result._meta?.['example.com/station'], 'north');
    });

    it('a call that nobody grants is an error for a client that holds answers against a schema', async () => {
      rig.rules = [{ tool: 'mcp__all__test_structured', action: 'deny', source: 'user' }];
      const result = await call('test_structured', { city: 'Bergen' });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /^Denied: /);
      rig.rules = [];
    });

    it('blocks of every type as they are', async () => {
      const { content } = await call('test_multiple_content_types');
      const blocks = content as { type: string; resource?: object }[];
      assert.deepEqual(
        blocks.map(({ type }) => type),
        ['text', 'image', 'resource'],
      );
      assert.deepEqual(blocks[2]?.resource, {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      });
    });

    it('progress, to the call that it belongs to', async () => {
      const seen: number[] = [];
      const texts: (string | undefined)[] = [];
      await client.callTool(
        { name: 'test_tool_with_progress', arguments: {} },
        {
          onprogress: ({ progress, message }) => {
            seen.push(progress);
            texts.push(message);
          },
        },
      );
      assert.deepEqual(seen, [0, 50, 100]);
      assert.equal(texts[1], 'at 50');
    });

    it('the server’s log, from the level that the client wants', async () => {
      await client.setLoggingLevel('info');
      await call('test_tool_with_logging');
      assert.deepEqual(logged, ['Tool execution started', 'Tool processing data', 'Tool execution completed']);
      logged.length = 0;
      await client.setLoggingLevel('error');
      await call('test_tool_with_logging');
      assert.deepEqual(logged, []);
    });

    it('changed lists, and changed resources that were subscribed to', async () => {
      await call('test_trigger_prompt_change');
      await call('test_trigger_resource_change');
      await waitFor(() => told.includes('prompts') && told.includes('resources'));
      await call('test_trigger_watched');
      await client.subscribeResource({ uri: 'test://watched-resource' });
      assert.ok(!told.includes('test://watched-resource'));
      await call('test_trigger_watched');
      await waitFor(() => told.includes('test://watched-resource'));
      await client.unsubscribeResource({ uri: 'test://watched-resource' });
      told.length = 0;
      await call('test_trigger_watched');
      await call('test_trigger_prompt_change');
      await waitFor(() => told.includes('prompts'));
      assert.ok(!told.includes('test://watched-resource'));
    });

    it('prompts, completion, templates, binary resources', async () => {
      const { messages } = await client.getPrompt({
        name: 'test_prompt_with_arguments',
        arguments: { arg1: 'hello', arg2: 'world' },
      });
      assert.match(JSON.stringify(messages), /arg1='hello', arg2='world'/);
      const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' };
      const { completion } = await client.complete({ ref, argument: { name: 'arg1', value: 'par' } });
      assert.deepEqual(completion.values, ['paris', 'park', 'party']);
      const uri = 'test://template/123/data';
      const asked = rig.questionsElsewhere.length;
      rig.answerElsewhere = 'session';
      const { contents } = await client.readResource({ uri });
      assert.match(JSON.stringify(contents), /Data for ID: 123/);
      assert.match(rig.questionsElsewhere.at(asked)?.reason ?? '', /can send|reaches external systems/);
      const binary = await client.readResource({ uri: 'test://static-binary' });
      assert.ok('blob' in (binary.contents[0] ?? {}));
    });

    it('a server’s question comes up in the call, with the server named; sampling is answered by ourselves', async () => {
      const asked: string[] = [];
      answer = ({ message, requestedSchema }) => {
        asked.push(message);
        return 'answer' in requestedSchema.properties
          ? { action: 'accept', content: { answer: 'once' } }
          : { action: 'accept', content: { username: 'ada', email: 'ada@example.com' } };
      };
      assert.match(textOf(await call('test_elicitation', { message: 'Who are you?' })), /ada@example\.com/);
      assert.deepEqual(asked, ['Run test_elicitation?', 'all: Who are you?']);
      assert.match(textOf(await call('test_sampling', { prompt: 'capital' })), /Paris, we say/);
      assert.equal(rig.elicitedElsewhere, 0);
      answer = () => ({ action: 'decline' });
    });

    it('a client with models of its own that is asked about its calls answers sampling of its call', async () => {
      const asked: unknown[] = [];
      const able = await rig.client(
        () => ({ action: 'accept', content: { answer: 'once' } }),
        'all',
        (fresh) => {
          fresh.registerCapabilities({ sampling: {} });
          fresh.setRequestHandler('sampling/createMessage', ({ params }) => {
            asked.push(params.messages);
            return { role: 'assistant', model: 'theirs', content: { type: 'text', text: 'Lyon' } };
          });
        },
      );
      const result = await able.callTool({ name: 'test_sampling', arguments: { prompt: 'capital' } });
      assert.match(textOf(result), /Lyon/);
      assert.deepEqual(asked, [[{ role: 'user', content: { type: 'text', text: 'capital' } }]]);
    });

    it('a client’s model is asked for what the user lets servers ask for, and what the client says that it takes', async () => {
      const asked: object[] = [];
      const model = async (sampling: object): Promise<(args: object) => Promise<string>> => {
        const accept = (): { action: 'accept'; content: { answer: string } } => ({
          action: 'accept',
          content: { answer: 'once' },
        });
        const able = await rig.client(accept, 'all', (fresh) => {
          fresh.registerCapabilities({ sampling });
          fresh.setRequestHandler('sampling/createMessage', ({ params }) => {
            asked.push(params);
            return { role: 'assistant', model: 'theirs', content: { type: 'text', text: 'Lyon' } };
          });
        });
        return async (args) =>
          textOf(await able.callTool({ name: 'test_sampling', arguments: { prompt: 'capital', ...args } }));
      };
      const plain = await model({});
      const able = await model({ tools: {}, context: {} });
      const before = rig.sampling;
      try {
        assert.match(await plain({ withContext: true }), /Lyon/);
        assert.match(await able({ withContext: true, withTools: true }), /Lyon/);
        assert.deepEqual(
          asked.map((params) => ['includeContext' in params, 'tools' in params]),
          [
            [false, false],
            [true, true],
          ],
        );
        assert.match(await plain({ withTools: true }), /takes no tools/);
        rig.sampling = { ...before, allowTools: false };
        assert.match(await able({ withTools: true }), /Tools in sampling requests are turned off/);
        rig.sampling = { ...before, requestsPerHour: 0 };
        assert.match(await plain({}), /turned off requests/);
        assert.equal(asked.length, 2);
      } finally {
        rig.sampling = before;
      }
    });

    it('_meta of a call goes to the server and back, but for what only a connection says', async () => {
      const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'example.com/tenant': 7 };
      const spoof = { 'io.modelcontextprotocol/clientCapabilities': { forged: {} }, 'io.modelcontextprotocol/x': 1 };
      const result = await client.callTool({ name: 'test_meta', arguments: {}, _meta: { ...trace, ...spoof } });
      const { 'io.modelcontextprotocol/clientCapabilities': own, ...seen } = JSON.parse(textOf(result)) as Record<
        string,
        unknown
      >;
      assert.partialDeepStrictEqual(seen, trace);
      assert.ok(!('io.modelcontextprotocol/x' in seen));
      assert.ok(!JSON.stringify(own ?? {}).includes('forged'));
      assert.equal(result._meta?.['example.com/seen'], true);
    });

    it('a server’s error keeps its code', async () => {
      await assert.rejects(client.readResource({ uri: 'test://nothing' }), (error: { code?: number }) => {
        assert.ok(error.code === -32602 || error.code === -32002, String(error.code));
        return true;
      });
    });

    it('a server that is lost has empty lists and says so; subscriptions and log level outlast it', async () => {
      await client.setLoggingLevel('info');
      await client.subscribeResource({ uri: 'test://watched-resource' });
      const { serverId } = rig.endpoint('all');
      await rig.test.host.pool.disconnect(serverId);
      await waitFor(() => ['tools', 'prompts', 'resources'].every((list) => told.includes(list)));
      assert.deepEqual((await client.request({ method: 'prompts/list', params: {} })).prompts, []);
      assert.deepEqual((await client.request({ method: 'resources/list', params: {} })).resources, []);
      told.length = 0;
      await rig.test.host.pool.connect(serverId);
      await waitFor(() => ['tools', 'prompts', 'resources'].every((list) => told.includes(list)));
      // It is asked for again in the background.
      await waitFor(async () => {
        await call('test_trigger_watched');
        return told.includes('test://watched-resource');
      });
      await call('test_tool_with_logging');
      assert.equal(logged.length, 3);
    });
  });
}
