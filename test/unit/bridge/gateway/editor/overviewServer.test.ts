import { strict as assert } from 'node:assert';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { root } from '../../../../../scripts/lib/paths.mjs';
import { OVERVIEW_NAME } from '../../../../../src/bridge/gateway/editor/overviewServer.ts';
import { GatewayRig } from '../../gatewayRig.ts';

const everything = {
  command: process.execPath,
  args: [path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
};

describe('what the agent is told of servers whose tools it has to search for', () => {
  let rig: GatewayRig;
  const published = (): readonly string[] => rig.gateway.endpoints.map(({ serverName }) => serverName).sort();
  const toolsOf = async (client: Client): Promise<readonly { name: string; description?: string | undefined }[]> =>
    (await client.listTools(undefined, { cacheMode: 'refresh' })).tools;

  beforeEach(() => {
    rig = new GatewayRig();
  });

  afterEach(async () => {
    await rig.stop();
  });

  it('is one small tool that names each connected server and what it is for', async () => {
    rig.settings = { exposure: 'search' };
    await rig.start({ notes: rig.notes, everything });
    const client = await rig.client(undefined, OVERVIEW_NAME);
    const [tool, ...others] = await toolsOf(client);
    assert.deepEqual([tool?.name, others], ['list_servers', []]);
    assert.match(tool?.description ?? '', /mcp_tool_search[\s\S]*- notes \(4 tools\): Short notes/);
    assert.match(tool?.description ?? '', /- everything \(\d+ tools\): \S/);
    assert.equal(client.getServerVersion()?.name, '_switchboard_');
    const { content } = await client.callTool({ name: 'list_servers', arguments: {} });
    assert.match(JSON.stringify(content), /- notes \(4 tools\)/);
  });

  it('follows the servers that come and go', async () => {
    rig.settings = { exposure: 'search' };
    await rig.start({ notes: rig.notes, everything });
    const client = await rig.client(undefined, OVERVIEW_NAME);
    const changed = new Promise((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', resolve);
    });
    const notes = rig.test.host.servers.definitions.find(({ name }) => name === 'notes');
    await rig.test.host.pool.disconnect(notes?.id ?? '');
    await changed;
    assert.doesNotMatch((await toolsOf(client))[0]?.description ?? '', /notes \(4 tools/);
  });

  it('names every tool in the instructions with the exposure summaries', async () => {
    rig.settings = { exposure: 'summaries' };
    await rig.start();
    const instructions = (await rig.client(undefined, OVERVIEW_NAME)).getInstructions() ?? '';
    for (const name of ['list_notes', 'add_note', 'delete_note', 'delete_all_notes'])
      assert.ok(instructions.includes(`mcp__notes__${name}`), name);
  });

  it('is nothing where the tools are offered themselves', async () => {
    await rig.start();
    assert.deepEqual(published(), ['notes']);
  });

  for (const exposure of ['native', 'search'] as const)
    it(`has a line for a server that awaits approval, also where no other is there: ${exposure}`, async () => {
      rig.settings = { exposure };
      await rig.begin({ notes: rig.notes });
      const client = await rig.client(undefined, OVERVIEW_NAME);
      const [tool] = await toolsOf(client);
      const line = /Not ready: notes \(needs approval\)\. The user can approve it: .*Review Servers…/;
      assert.match(tool?.description ?? '', line);
      const { content } = await client.callTool({ name: 'list_servers', arguments: {} });
      assert.match(JSON.stringify(content), /Not ready: notes \(Needs approval\)\. The user can approve it/);
      await rig.test.approveAll();
      rig.gateway.refresh();
      assert.doesNotMatch((await toolsOf(client))[0]?.description ?? '', /Not ready/);
    });

  it('has a line for a server that starts, fails or is disconnected, in words that stay the same', async () => {
    const script = path.join(root, 'test/fixtures/servers/faulty.ts');
    const stuck = { command: process.execPath, args: [script, 'hang-in-handshake'] };
    await rig.begin({ notes: rig.notes, stuck, gone: { command: 'no-such-command-anywhere' } });
    const { host } = rig.test;
    await host.servers.approve(host.views.map(({ definition }) => definition.id));
    const kindOf = (name: string): string | undefined =>
      host.views.find(({ definition }) => definition.name === name)?.state.kind;
    await rig.test.until(
      () => kindOf('notes') === 'connected' && kindOf('stuck') === 'connecting' && kindOf('gone') === 'failed',
    );
    await host.pool.disconnect(host.views.find(({ definition }) => definition.name === 'notes')?.definition.id ?? '');
    rig.gateway.refresh();
    const client = await rig.client(undefined, OVERVIEW_NAME);
    const lines = ((await toolsOf(client))[0]?.description ?? '').split('\n').slice(1);
    assert.deepEqual(
      lines.map((line) => /^Not ready: (\w+ \([^)]+\))\. \S/.exec(line)?.[1]),
      ['notes (not started)', 'stuck (starting)', 'gone (failed)'],
    );
  });

  it('leaves its name to a server of the user’s', async () => {
    rig.settings = { exposure: 'search' };
    await rig.start({ switchboard: rig.notes });
    const client = await rig.client(undefined, OVERVIEW_NAME);
    assert.match(client.getServerVersion()?.name ?? '', /^_(?!switchboard_)[a-z0-9-]{1,11}_$/);
  });

  it('servers are published for what else they have, with no tool', async () => {
    rig.settings = { exposure: 'search' };
    await rig.start({ notes: rig.notes, everything });
    assert.deepEqual(published(), [OVERVIEW_NAME, 'everything', 'notes']);
    const client = await rig.client(undefined, 'everything');
    assert.deepEqual(await toolsOf(client), []);
    assert.ok((await client.listPrompts()).prompts.length > 0);
    assert.ok((await client.listResources()).resources.length > 0);
  });
});
