import { strict as assert } from 'node:assert';
import { listAllResources, listAllTemplates } from '../../../../src/bridge/resources/listOffered.ts';
import { withServers } from '../../../support/testHost.ts';

/** Says that it has resources, and never answers when it is asked for them. */
const SILENT = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = { protocolVersion: params?.protocolVersion, capabilities: { resources: {} }, serverInfo: { name: 's', version: '1' } };
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

describe('what servers offer', () => {
  it('is waited for until the caller has waited enough', () =>
    withServers({ silent: { command: process.execPath, args: ['-e', SILENT] } }, async ({ host }) => {
      const begun = performance.now();
      const signal = AbortSignal.timeout(500);
      const [resources, templates] = await Promise.all([
        listAllResources(host, signal, 'silent'),
        listAllTemplates(host, signal, 'silent'),
      ]);
      assert.ok(performance.now() - begun < 10_000);
      assert.deepEqual([resources.items, resources.failures.length, templates.items], [[], 1, []]);
    }));
});
