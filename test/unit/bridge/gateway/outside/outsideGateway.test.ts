import { strict as assert } from 'node:assert';
import { createServer } from 'node:net';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { silentLogger } from '../../../../../src/base/log.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import { OutsideGateway } from '../../../../../src/bridge/gateway/outside/outsideGateway.ts';
import { OUTSIDE_AGENTS, snippetFor } from '../../../../../src/bridge/gateway/outside/clientSnippets.ts';
import { MemoryStore } from '../../../../../src/base/store.ts';
import { OutsideAccess } from '../../../../../src/bridge/gateway/outside/outsideAccess.ts';
import { parseAnySource } from '../../../../../src/config/read/parseAny.ts';
import { sourceOf } from '../../../config/sources.ts';
import { GatewayRig, wording } from '../../gatewayRig.ts';
import { textOf, waitFor } from '../../gatewaySupport.ts';

const TOKEN = 'outside-token';

describe('gateway: for agents outside the editor', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let outside: OutsideGateway;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    rig = new GatewayRig();
    // In the editor, no tool is in the agent's own list.
    rig.settings = { exposure: 'search' };
    await rig.start();
    outside = open();
    await outside.start();
  });

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    outside.dispose();
    await rig.stop();
  });

  const open = (): OutsideGateway =>
    new OutsideGateway({ host: rig.test.host, clock: systemClock, wording, version: '0', token: TOKEN });
  const requestInit = (token: string): { requestInit: RequestInit } => ({
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

  async function newer(url: string, token = TOKEN, name = 'newer-agent'): Promise<Client> {
    const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), requestInit(token)));
    closing.push(() => client.close());
    return client;
  }

  it('all tools by their callable names, with their true annotations, whatever the editor’s agent has', async () => {
    const client = await newer(outside.url);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name).sort(),
      ['add_note', 'delete_all_notes', 'delete_note', 'list_notes'].map((name) => `mcp__notes__${name}`),
    );
    const annotations = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
    assert.equal(annotations['mcp__notes__list_notes']?.readOnlyHint, true);
    assert.equal(annotations['mcp__notes__delete_note']?.readOnlyHint, false);
    assert.equal(annotations['mcp__notes__delete_note']?.destructiveHint, true);
    assert.match(client.getInstructions() ?? '', /each named mcp__<server>__<tool>: notes\.$/);
  });

  it('says how the names are made, whatever the setting', async () => {
    rig.test.host.catalog.setFormat('{server}__{tool}');
    const client = await newer(outside.url);
    assert.match(client.getInstructions() ?? '', /each named <server>__<tool>: notes\.$/);
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'notes__list_notes'));
  });

  it('a call runs under the same permissions; without forms, the question comes up in the editor, naming the agent', async () => {
    const client = await newer(outside.url);
    assert.match(textOf(await client.callTool({ name: 'mcp__notes__list_notes', arguments: {} })), /note/i);
    const denied = await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
    assert.match(textOf(denied), /^The user denied/);
    for (const url of [outside.url, outside.serverUrls.get('notes') ?? '']) {
      const nameless = await newer(url, TOKEN, ' ');
      const { tools } = await nameless.listTools();
      const { name = '' } = tools.find((tool) => tool.name.endsWith('delete_all_notes')) ?? {};
      await nameless.callTool({ name, arguments: {} });
    }
    assert.deepEqual(
      rig.questionsElsewhere.map(({ caller }) => caller),
      ['newer-agent', '(unknown)', '(unknown)'],
    );
  });

  it('an older client is asked by a form, once', async () => {
    const client = new OlderClient({ name: 'older-agent', version: '1' }, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { answer: 'once' } };
    });
    await client.connect(new OlderTransport(new URL(outside.url), requestInit(TOKEN)));
    closing.push(() => client.close());
    const { tools } = await client.listTools();
    assert.equal(tools.length, 4);
    const name = 'mcp__notes__add_note';
    const result = await client.callTool({ name, arguments: { title: 'from outside', text: 'x' } });
    assert.equal(result.isError, false);
    assert.deepEqual([asked, rig.questionsElsewhere], [['Run add_note?'], []]);
  });

  it('one server at an address of its own, with what else it has', async () => {
    const url = outside.serverUrls.get('notes') ?? '';
    const client = await newer(url);
    assert.equal(client.getServerVersion()?.name, 'notes');
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'list_notes'));
    assert.match(textOf(await client.callTool({ name: 'list_notes', arguments: {} })), /note/i);
  });

  it('the list follows the servers', async () => {
    const client = await newer(outside.url);
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
    await rig.test.host.pool.disconnect(rig.endpoint().serverId);
    await waitFor(() => changes > 0);
    assert.deepEqual((await client.listTools(undefined, { cacheMode: 'refresh' })).tools, []);
  });

  it('neither token opens the other’s door', async () => {
    await assert.rejects(newer(outside.url, rig.gateway.token));
    await assert.rejects(newer(outside.url, 'guess'));
    await assert.rejects(newer(rig.endpoint().url, TOKEN));
  });

  it('listens where it did before, and elsewhere when somebody else does', async () => {
    const { port } = new URL(outside.url);
    outside.dispose();
    outside = open();
    assert.equal(await outside.start(Number(port)), Number(port));
    outside.dispose();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve));
    outside = open();
    assert.notEqual(await outside.start(Number(port)), Number(port));
    await new Promise((resolve) => other.close(resolve));
  });

  it('is off until asked for; the token is shown once, outlasts the window, and is worth nothing once revoked', async () => {
    const store = new MemoryStore();
    const kept = new Map<string, string>();
    let opened = 0;
    const secrets = {
      get: async (key: string) => kept.get(key),
      set: async (key: string, value: string | undefined) =>
        void (value === undefined ? kept.delete(key) : kept.set(key, value)),
    };
    const access = (): OutsideAccess =>
      new OutsideAccess({
        store,
        secrets,
        log: silentLogger,
        workspaceId: 'here',
        open: async (token, preferredPort) => {
          opened += 1;
          const gateway = new OutsideGateway({ host: rig.test.host, clock: systemClock, wording, version: '0', token });
          return { gateway, port: await gateway.start(preferredPort) };
        },
      });
    const first = access();
    assert.equal(first.isOn, false);
    // Asked for twice at once, there is one gateway, with one token.
    const [{ gateway, freshToken }, twice] = await Promise.all([first.address(), first.address()]);
    assert.deepEqual([twice.gateway === gateway, twice.freshToken], [true, undefined]);
    const { url } = gateway;
    assert.ok(freshToken);
    assert.equal((await first.address()).freshToken, undefined);
    assert.equal(opened, 1);
    assert.doesNotMatch(JSON.stringify(store.get('outsideGatewayPort')), /[^0-9]/);
    first.dispose();
    const second = access();
    assert.equal((await second.address()).gateway.url, url);
    await newer(url, freshToken);
    await second.revoke();
    assert.deepEqual([second.isOn, kept.size], [false, 0]);
    await assert.rejects(newer(url, freshToken));
    const again = await second.address();
    assert.notEqual(again.freshToken, freshToken);
    await assert.rejects(newer(again.gateway.url, freshToken));
    second.dispose();
  });
});

describe('gateway: snippets', () => {
  const url = 'http://127.0.0.1:4567/mcp';
  for (const { id } of OUTSIDE_AGENTS.filter((agent) => agent.id !== 'claude-code')) {
    it(`for ${id} is a configuration as that agent reads it`, async () => {
      const file = id === 'codex' ? 'config.toml' : 'mcp.json';
      const { entries } = await parseAnySource(sourceOf({ file }), snippetFor(id, url, 'a-token'));
      assert.equal(entries.length, 1);
      assert.deepEqual(entries[0]?.transport, {
        // Codex knows remote servers by their URL.
        type: id === 'codex' ? 'url' : 'http',
        url,
        headers: { Authorization: 'Bearer a-token' },
      });
    });
  }

  it('for Claude Code is its command', () => {
    assert.match(
      snippetFor('claude-code', url, 'a-token'),
      /^claude mcp add --transport http \S+ http:\S+ --header "Authorization: Bearer a-token"$/,
    );
  });
});
