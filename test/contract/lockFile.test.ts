import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

interface Locked {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

/** What is against the rules: a package from elsewhere than the registry, or whose bytes aren't known. */
function lockFaults(packages: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(packages).flatMap(([path, { link, resolved, integrity = '' }]) => {
    // Our own: the root, and the demo's server with the link to it.
    if (path === '' || path === 'demo/notes-server') return [];
    if (link) return resolved === 'demo/notes-server' ? [] : [`${path} is a link to ${resolved}`];
    const isFromRegistry = resolved === undefined || resolved.startsWith('https://registry.npmjs.org/');
    return [
      ...(isFromRegistry ? [] : [`${path} is from ${resolved}`]),
      ...(integrity.startsWith('sha512-') ? [] : [`${path} has no digest`]),
    ];
  });
}

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };

  it('has packages of the registry alone, each with its digest', () => {
    assert.ok(Object.keys(packages).length > 300);
    assert.deepEqual(lockFaults(packages), []);
  });

  it('would not pass with a package from elsewhere, or without a digest', () => {
    const integrity = 'sha512-x';
    for (const entry of [
      { resolved: 'https://evil.example/left-pad.tgz', integrity },
      { resolved: 'https://registry.npmjs.org.evil.example/left-pad.tgz', integrity },
      { resolved: 'git+ssh://git@github.com/somebody/left-pad.git#0123', integrity },
      { resolved: 'file:left-pad.tgz', integrity },
      { resolved: '../left-pad', link: true },
      { integrity: 'sha1-x' },
      {},
    ])
      assert.equal(lockFaults({ 'node_modules/left-pad': entry }).length, 1, JSON.stringify(entry));
  });

  it('isn’t told by a file in this repository to take another registry', () => {
    for (const file of ['.npmrc', 'npm-shrinkwrap.json', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml'])
      assert.ok(!existsSync(join(root, file)), file);
  });
});
