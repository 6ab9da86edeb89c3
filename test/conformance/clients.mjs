import { join } from 'node:path';
import { build } from 'rolldown';
import { forNode } from '../../scripts/lib/bundle-module.mjs';
import { conformance, home, node, root, scenariosOf } from './suite.mjs';

const bundled = join(root, 'out', 'test', 'conformance');
const command = `${node} ${join(bundled, 'client.mjs')}`;

/** Each scenario has a process of its own, which would read and strip the types of some six hundred files. */
async function bundleClient() {
  const names = '[name].mjs';
  await build({
    ...forNode,
    input: 'test/conformance/client.ts',
    output: { dir: bundled, format: 'esm', cleanDir: true, entryFileNames: names, chunkFileNames: names },
    // A package of the authorization server's has one, which isn't used here.
    checks: { eval: false },
  });
}

/**
 * A client built on `Host`: every scenario for clients, of each revision and of each extension.
 * @param {import('./suite.mjs').Tally} tally
 */
export async function testClients(tally) {
  await bundleClient();
  for (const [revision, scenarios] of scenariosOf('client')) {
    const version = revision === 'extension' ? [] : ['--spec-version', revision];
    for (const scenario of scenarios) {
      const args = ['client', '--command', command, '--scenario', scenario, ...version];
      const { status, stdout, stderr } = conformance([...args, '-o', join(home, 'out', revision)]);
      tally.add(`client ${revision} ${scenario}`, status === 0, `${stdout}\n${stderr}`);
    }
  }
}
