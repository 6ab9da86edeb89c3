import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/client';
import type { SwitchboardEvent } from '../../../src/calls/switchboardEvents.ts';
import type { LoadingRules } from '../../../src/catalog/exposure/loadedTools.ts';
import { GatewayRig } from './gatewayRig.ts';
import { waitFor } from './gatewaySupport.ts';

describe('what an endpoint offers natively', () => {
  let rig: GatewayRig;
  const events: SwitchboardEvent[] = [];

  const open = async (loading: Partial<LoadingRules>, notes: object = {}): Promise<void> => {
    rig = new GatewayRig(loading);
    rig.settings = { exposure: 'search' };
    events.length = 0;
    rig.test.host.calls.onDidHappen((event) => events.push(event));
    await rig.start({ notes: { ...rig.notes, ...notes } });
  };

  /** A client that hears of changes, and the names that it lists. */
  const listener = async (): Promise<{ changes: () => number; client: Client; names: () => Promise<string[]> }> => {
    const client = await rig.client();
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes += 1;
    });
    const names = async (): Promise<string[]> =>
      (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name).sort();
    return { changes: () => changes, client, names };
  };

  const loads = (): (readonly string[])[] =>
    events.flatMap((event) => (event.type === 'tool.dynamicLoad' ? [event.names] : []));

  afterEach(async () => {
    await rig.stop();
  });

  it('is what the exposure allows and what users pinned by a glob', async () => {
    await open({ alwaysLoad: ['notes/list_*'] });
    assert.deepEqual(await (await listener()).names(), ['list_notes']);
    assert.equal(rig.gateway.exposure.exposure, 'search');
  });

  it('is all of a server whose entry says alwaysLoad', async () => {
    await open({}, { alwaysLoad: true });
    assert.equal((await (await listener()).names()).length, 4);
  });

  it('is nothing where neither is so and found tools don’t join; the server is published for what else it has', async () => {
    await open({});
    rig.test.host.loaded.use(['mcp__notes__list_notes']);
    assert.deepEqual(
      rig.gateway.endpoints.filter(({ serverName }) => serverName === 'notes').map(({ toolCount }) => toolCount),
      [0],
    );
    assert.deepEqual(loads(), []);
  });

  it('a user’s pick puts that one tool there', async () => {
    await open({});
    assert.deepEqual(rig.test.host.loaded.load(['mcp__notes__list_notes']), ['mcp__notes__list_notes']);
    assert.deepEqual(await (await listener()).names(), ['list_notes']);
  });

  it('found tools join with one change of the list and one event; the one used longest ago goes', async () => {
    await open({ loadFound: true, maxLoaded: 2 });
    const { changes, names } = await listener();
    assert.deepEqual(await names(), []);
    rig.test.host.loaded.use(['mcp__notes__list_notes', 'mcp__notes__add_note']);
    await waitFor(() => changes() === 1);
    assert.deepEqual(await names(), ['add_note', 'list_notes']);
    rig.test.host.loaded.use(['mcp__notes__delete_note']);
    await waitFor(() => changes() === 2);
    assert.deepEqual(await names(), ['add_note', 'delete_note']);
    assert.deepEqual(loads(), [['mcp__notes__list_notes', 'mcp__notes__add_note'], ['mcp__notes__delete_note']]);
  });

  it('a tool called directly joins, by mcp_call_tool’s way or at an endpoint that doesn’t list it', async () => {
    await open({ loadFound: true });
    const { changes, client, names } = await listener();
    const signal = new AbortController().signal;
    await rig.test.host.broker.call({ name: 'mcp__notes__list_notes', args: {}, surface: 'lm-tool', signal });
    await waitFor(() => changes() === 1);
    assert.deepEqual(await names(), ['list_notes']);
    const denied = await client.callTool({ name: 'add_note', arguments: { title: 'x', text: 'y' } });
    assert.match(JSON.stringify(denied.content), /denied/);
    await waitFor(() => changes() === 2);
    assert.deepEqual(await names(), ['add_note', 'list_notes']);
  });

  it('what joined is forgotten when the server is disconnected, and not back with it', async () => {
    await open({ loadFound: true });
    const { changes, names } = await listener();
    rig.test.host.loaded.use(['mcp__notes__list_notes']);
    await waitFor(() => changes() === 1);
    const { serverId } = rig.endpoint();
    await rig.test.host.pool.disconnect(serverId);
    await waitFor(() => changes() === 2);
    await rig.test.host.pool.connect(serverId);
    assert.deepEqual(await names(), []);
    assert.deepEqual(rig.test.host.loaded.joined, []);
  });
});
