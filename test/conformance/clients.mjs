import { join } from 'node:path';
import { conformance, home, node, REVISIONS, root, scenariosOf } from './suite.mjs';

const command = `${node} ${join(root, 'test', 'conformance', 'client.ts')}`;

/** Extensions of the protocol that are supported; they belong to no revision. */
const EXTENSIONS = [
  ...['auth/client-credentials-basic', 'auth/client-credentials-jwt', 'auth/enterprise-managed-authorization'],
  ...['auth/dpop', 'auth/dpop-nonce', 'auth/wif-jwt-bearer'],
];

/**
 * A client built on `Host`: every scenario for clients that a revision requires.
 * @param {import('./suite.mjs').Tally} tally
 */
export function testClients(tally) {
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
