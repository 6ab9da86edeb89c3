import assert from 'node:assert/strict';
import path from 'node:path';
import { settingPolicy } from '../../../src/servers/trust/serverPolicy.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';

const SERVER = {
  command: process.execPath,
  args: [path.resolve(import.meta.dirname, '../../fixtures/servers/legacy.ts')],
};
/** Every name of the server `@corp/Notes-MCP`. */
const NAMES = ['@corp/Notes-MCP', 'mcp__@corp/Notes-MCP', 'notes', 'mcp__notes'];

describe('names of servers in settings', function () {
  this.timeout(60_000);

  it('roots are found by every name of the server, and by none of another', async () => {
    for (const name of NAMES) {
      const roots = (): unknown => ({ [name]: 'none', other: ['demo'] });
      await withServers(
        { '@corp/Notes-MCP': SERVER, other: SERVER },
        async (rig) => {
          assert.equal(await rig.call('mcp__notes__roots'), '', name);
          assert.match(await rig.call('mcp__other__roots'), /^file:/, name);
        },
        { ports: { roots }, answer: 'once' },
      );
    }
  });

  it('a server that is configured by a name has more right to it', async () => {
    const roots = (): unknown => ({ notes: 'none' });
    await withServers(
      { 'notes-mcp': SERVER, notes: SERVER },
      async (rig) => {
        assert.equal(await rig.call('notes/roots'), '');
        assert.match(await rig.call('notes-mcp/roots'), /^file:/);
      },
      { ports: { roots }, answer: 'once' },
    );
  });

  it('lists of servers take every name', async () => {
    for (const name of NAMES) {
      const kindsWith = async (allowed: unknown, denied: unknown): Promise<readonly string[]> => {
        const kinds: string[] = [];
        const policies = (): ReturnType<typeof settingPolicy> => settingPolicy('test', allowed, denied);
        const look = async ({ host }: TestHost): Promise<void> => {
          await host.servers.judged();
          kinds.push(...host.views.map(({ definition }) => definition.status.kind));
        };
        await withServers({ '@corp/Notes-MCP': SERVER, other: SERVER }, look, { ports: { policies } });
        return kinds;
      };
      assert.deepEqual(await kindsWith([], [name]), ['blocked', 'ready'], `denied: ${name}`);
      assert.deepEqual(await kindsWith([name], []), ['ready', 'blocked'], `allowed: ${name}`);
    }
  });
});
