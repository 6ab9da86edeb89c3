import { join } from 'node:path';
import { build } from 'rolldown';
import { forNode } from '../../scripts/lib/bundle-module.mjs';
import { conformance, home, node, REVISIONS, root, scenariosOf } from './suite.mjs';

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

/** Extensions of the protocol that are supported; they belong to no revision. */
const EXTENSIONS = [
  ...['auth/client-credentials-basic', 'auth/client-credentials-jwt', 'auth/enterprise-managed-authorization'],
  ...['auth/dpop', 'auth/dpop-nonce', 'auth/wif-jwt-bearer'],
];

/**
 * A client built on `Host`: every scenario for clients that a revision requires.
 * @param {import('./suite.mjs').Tally} tally
 */
export async function testClients(tally) {
  await bundleClient();
  for (const scenario of EXTENSIONS) {
    const args = ['client', '--command', command, '--scenario', scenario, '-o', join(home, 'out', 'extensions')];
    const { status, stdout, stderr } = conformance(args);
    tally.add(`client ${scenario}`, status === 0, `${stdout}\n${stderr}`);
  }
  for (const revision of REVISIONS) {
    for (const scenario of scenariosOf('client', revision)) {
      const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
      const { status, stdout, stderr } = conformance([...args, '-o', join(home, 'out', revision)]);
      tally.add(`client ${revision} ${scenario}`, status === 0, `${stdout}\n${stderr}`);
    }
  }
}
