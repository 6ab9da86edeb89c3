import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isPreRelease } from '../../../scripts/lib/release-channel.mjs';
import { root } from '../../../scripts/lib/paths.mjs';
import { scratchFolder } from './scratch.ts';

describe('packaging', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  after(() => scratch.remove());

  /** What it says of a tree with this changelog that is tagged. */
  function packaged(name: string, changelog: string, tag: string): string {
    const folder = scratch.file(name);
    scratch.write(
      `${name}/package.json`,
      JSON.stringify({ name: 'mcp-switchboard', version: '0.3.1', type: 'module' }),
    );
    const lock = { version: '0.3.1', packages: { '': { version: '0.3.1' } } };
    scratch.write(`${name}/package-lock.json`, JSON.stringify(lock));
    scratch.write(`${name}/CHANGELOG.md`, changelog);
    scratch.write(`${name}/test/fixtures/state/0.3.1/state.json`, '{}');
    cpSync(path.join(root, 'scripts'), path.join(folder, 'scripts'), { recursive: true });
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
        stdio: 'pipe',
      });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    const { status, stderr } = spawnSync(process.execPath, [path.join(folder, 'scripts/package.mjs'), '--tag', tag], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.ok(!existsSync(path.join(folder, 'out')), 'nothing is made');
    return stderr;
  }

  it('of a tag is refused before anything is installed or made, where the changelog has no date for it', () => {
    assert.match(packaged('unreleased', '# Changelog\n\n## 0.3.1 — unreleased\n', 'v0.3.1'), /unreleased/);
    assert.match(packaged('older', '# Changelog\n\n## 0.1.0 — 2026-01-01\n', 'v0.3.1'), /CHANGELOG\.md begins/);
    assert.match(
      packaged('other', '# Changelog\n\n## 0.3.1 — 2026-01-01\n', 'v0.3.2'),
      /isn't that of version 0\.3\.1/,
    );
    // What is ready goes on, to what is asked next.
    assert.match(packaged('ready', '# Changelog\n\n## 0.3.1 — 2026-01-01\n', 'v0.3.1'), /isn't on main/);
  });

  it('of a pre-release alone is what the README says how to install', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    const [, install = ''] = /\n## Install\n(.*?)\n## /s.exec(readme) ?? [];
    if (!isPreRelease(version)) return;
    assert.match(install, /\*Install Pre-Release\*/);
    assert.match(install, /`code --install-extension mcp-switchboard\.mcp-switchboard --pre-release`/);
  });
});
