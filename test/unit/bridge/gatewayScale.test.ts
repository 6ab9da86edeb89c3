import { strict as assert } from 'node:assert';
import { GatewayRig } from './gatewayRig.ts';
import { waitFor } from './gatewaySupport.ts';

describe('gateway: many servers', function () {
  this.timeout(60_000);
  let rig: GatewayRig;

  beforeEach(() => {
    rig = new GatewayRig();
  });

  afterEach(() => rig.stop());

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
