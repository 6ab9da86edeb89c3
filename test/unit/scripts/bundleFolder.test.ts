import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { emptyBundleFolder } from '../../../scripts/lib/bundle-folder.mjs';
import { repositoryCopy } from '../../support/repositoryCopy.ts';
import { scratchFolder } from './scratch.ts';

const BUNDLES = ['extension.js', 'extension.js.map', 'app.css', 'quickjs.wasm.br', 'bundle.l10n.json', 'build.json'];

describe('the folder that is bundled into', () => {
  const scratch = scratchFolder();
  after(() => scratch.remove());
  /** A folder with these files. */
  const folderOf = (name: string, files: readonly string[]): string => {
    mkdirSync(scratch.file(name), { recursive: true });
    for (const file of files) scratch.write(`${name}/${file}`, 'x');
    return scratch.file(name);
  };

  it('is emptied of earlier bundles', () => {
    const folder = folderOf('earlier', [...BUNDLES, 'bundle.l10n.zh-cn.json']);
    emptyBundleFolder(folder);
    assert.deepEqual(readdirSync(folder), []);
    emptyBundleFolder(folder);
    emptyBundleFolder(scratch.file('absent'));
  });

  it('is left as it is where it holds anything else', () => {
    for (const [name, files] of Object.entries({
      'a file of somebody': [...BUNDLES, 'thesis.odt'],
      'a folder': [...BUNDLES, 'more/extension.js'],
      'programs of somebody': ['server.js', 'page.css'],
      'an extension of somebody': ['extension.js', 'extension.js.map'],
    })) {
      const folder = folderOf(name, files);
      const before = readdirSync(folder, { recursive: true });
      assert.throws(() => emptyBundleFolder(folder), /holds|isn’t a folder of bundles/, name);
      assert.deepEqual(readdirSync(folder, { recursive: true }), before);
    }
  });

  it('is never the repository, nor anybody’s', function () {
    this.timeout(60_000);
    const folder = folderOf('anybody', ['thesis.odt']);
    const copy = repositoryCopy();
    try {
      const before = readdirSync(copy.path);
      for (const out of ['', '.', 'src', folder]) {
        const args = ['scripts/bundle.mjs', '--out', out];
        const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy.path, encoding: 'utf8' });
        assert.notEqual(status, 0, out);
        assert.match(stderr, /isn’t of a bundle/);
      }
      assert.deepEqual(readdirSync(copy.path), before);
      assert.ok(existsSync(join(copy.path, 'src/extension.ts')) && existsSync(join(folder, 'thesis.odt')));
    } finally {
      copy.remove();
    }
  });
});
