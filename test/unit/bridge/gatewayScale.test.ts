import { strict as assert } from 'node:assert';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { GatewayRig } from './gatewayRig.ts';
import { waitFor } from './gatewaySupport.ts';

describe('gateway: many servers', function () {
  this.timeout(60_000);
  let rig: GatewayRig;

  beforeEach(() => {
    rig = new GatewayRig();
  });

  afterEach(() => rig.stop());

  it('fifty clients that come and go keep their sessions, and none of their calls fails', async () => {
    await rig.start({ notes: rig.notes });
    const { url } = rig.endpoint('notes');
    const headers = { authorization: `Bearer ${rig.gateway.token}` };
    const clients = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const client = new Client({ name: 'one of fifty', version: '0' });
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
        return client;
      }),
    );
    for (let round = 0; round < 3; round += 1) {
      const lists = await Promise.all(clients.map((client) => client.listTools()));
      assert.ok(lists.every(({ tools }) => tools.length > 0));
    }
    await Promise.all(clients.map((client) => client.close()));
  });

  it("reads the tools of one server no more when another's change", async () => {
    await rig.start({ notes: rig.notes, more: rig.notes });
    const { catalog } = rig.test.host;
    const [notes, more] = [rig.endpoint('notes'), rig.endpoint('more')];
    let reads = 0;
    for (const { tool } of catalog.toolsOf(notes.serverId)) {
      const { inputSchema } = tool;
      Object.defineProperty(tool, 'inputSchema', { get: () => ((reads += 1), inputSchema) });
    }
    const before = more.version;
    const changed = catalog.toolsOf(more.serverId).map(({ tool }) => ({ ...tool, description: 'Another one.' }));
    catalog.setServer(more.serverId, 'more', changed);
    const isNew = (): boolean => rig.endpoint('more').version !== before;
    await waitFor(isNew);
    assert.equal(reads, 0);
    catalog.setServer(
      notes.serverId,
      'notes',
      catalog.toolsOf(notes.serverId).map(({ tool }) => tool),
      { cachedAt: 1 },
    );
    assert.ok(rig.gateway.endpoints.length > 0 && reads > 0, 'what changed is read');
  });
});
