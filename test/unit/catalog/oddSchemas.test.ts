import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { toolDefinition } from '../../../src/catalog/exposure/toolDefinition.ts';
import { ODD_TOOLS } from '../../fixtures/catalog/odd-schemas.mjs';
import { TestHost } from '../../support/testHost.ts';

describe('odd schemas of a real server', function () {
  this.timeout(60_000);
  it('cost no tool: all are listed, can be offered, and are called', async () => {
    const rig = new TestHost();
    try {
      const file = path.join(rig.folder, 'tools.json');
      writeFileSync(file, JSON.stringify(ODD_TOOLS));
      const args = [path.join(root, 'test/fixtures/catalog/list-server.mjs'), file];
      const servers = { odd: { command: process.execPath, args } };
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
      await rig.host.start();
      await rig.approveAll();
      const { tools } = rig.host.catalog;
      assert.deepEqual(
        tools.map(({ tool }) => tool.name),
        ODD_TOOLS.map(({ name }) => name),
      );
      assert.deepEqual(
        tools.filter((tool) => 'leftOut' in toolDefinition(tool)).map(({ name }) => name),
        [],
      );
      assert.match(await rig.call('mcp__odd__required_null', { a: 'b' }), /"called":"required_null"/);
    } finally {
      await rig.stop();
    }
  });
});
