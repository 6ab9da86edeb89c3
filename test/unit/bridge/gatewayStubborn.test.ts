import { strict as assert } from 'node:assert';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { root } from '../../../scripts/lib/paths.mjs';
import { ServerAcrossSessions } from '../../../src/bridge/gateway/serverAcrossSessions.ts';
import type { OutsideGateway } from '../../../src/bridge/gateway/outside/outsideGateway.ts';
import { OutsideRig, type OutsideClient } from './gateway/outside/outsideRig.ts';
import { GatewayRig, type Form } from './gatewayRig.ts';
import { waitFor } from './gatewaySupport.ts';

const server = (...more: readonly string[]): object => {
  return { command: process.execPath, args: [path.join(root, 'test/fixtures/servers/stubborn.ts'), ...more] };
};

describe('gateway: a server that hears of no cancellation, and one without tools', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  const asked: Form[] = [];

  beforeEach(async () => {
    asked.length = 0;
    rig = new GatewayRig();
    await rig.start({ stubborn: server() });
  });
  afterEach(() => rig.stop());

  const asking = (answer: (form: Form) => Promise<never> = () => new Promise(() => undefined)): Promise<Client> =>
    rig.client((form) => {
      asked.push(form);
      return answer(form);
    }, 'stubborn');

  it('its question ends with the call that is cancelled, and the next one comes up', async () => {
    const client = await asking();
    for (let round = 1; round <= 2; round += 1) {
      const ending = new AbortController();
      const call = client.callTool({ name: 'ask', arguments: {} }, { signal: ending.signal });
      await waitFor(() => asked.length === round);
      ending.abort();
      await assert.rejects(call);
      await waitFor(() => rig.elicited === round);
    }
  });

  it('its question ends with the client that goes away without a word', async () => {
    const client = await asking();
    const call = client.callTool({ name: 'ask', arguments: {} }).catch(() => undefined);
    await waitFor(() => asked.length === 1);
    // Closes the connections and ends no session.
    await client.close();
    await call;
    await waitFor(() => rig.elicited === 1);
  });

  it('a resource is read with what the client says of the request, and its progress comes back', async () => {
    const client = await rig.client(undefined, 'stubborn');
    const told: unknown[] = [];
    const meta = { 'example.com/shelf': 3, traceparent: '00-1-2-01' };
    const spoof = { 'io.modelcontextprotocol/logLevel': 'debug' };
    const params = { uri: 'stubborn://meta', _meta: { ...meta, ...spoof } };
    const { contents } = await client.readResource(params, { onprogress: (progress) => told.push(progress.message) });
    assert.deepEqual(JSON.parse(String(contents[0] && 'text' in contents[0] && contents[0].text)), meta);
    assert.deepEqual(told, ['reading']);
  });

  it('says that its lists changed when it is there for the first time: they were empty before', async () => {
    const { host } = rig.test;
    const { serverId } = rig.endpoint('stubborn');
    await host.pool.disconnect(serverId);
    const live = new ServerAcrossSessions(host, serverId);
    const told: string[] = [];
    live.onNotification(({ method }) => told.push(method));
    assert.deepEqual(await live.list('prompts/list', {}, {}, async () => undefined), { prompts: [] });
    await host.pool.connect(serverId);
    assert.deepEqual(told, ['notifications/resources/list_changed', 'notifications/prompts/list_changed']);
    live.dispose();
  });
});

describe('gateway: for agents outside the editor, a server', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let outside: OutsideRig;
  let gateway: OutsideGateway;

  beforeEach(async () => {
    rig = new GatewayRig();
    await rig.start({ stubborn: server(), bare: server('--no-tools') });
    outside = new OutsideRig();
    gateway = await outside.open(rig);
  });
  afterEach(async () => {
    await outside.stop();
    await rig.stop();
  });

  const client = (serverName: string): Promise<OutsideClient> => outside.client(gateway, { server: serverName });

  it('without tools is there for what else it has', async () => {
    const { resources } = await (await client('bare')).listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['stubborn://meta'],
    );
  });

  it('that is lost keeps its address, offers nothing and says so, and is back', async () => {
    const agent = await client('stubborn');
    let changes = 0;
    agent.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    const { serverId } = rig.endpoint('stubborn');
    await rig.test.host.pool.disconnect(serverId);
    await waitFor(() => changes === 1);
    const list = async (): Promise<number> => (await agent.listTools()).tools.length;
    assert.equal(await list(), 0);
    await rig.test.host.pool.connect(serverId);
    await waitFor(async () => (await list()) === 1);
  });
});
