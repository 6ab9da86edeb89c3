import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentEditor, ensureEditor } from '../../scripts/lib/install-editor.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { readBuild } from '../../src/doctor/installedBuild.ts';
import type { AgentWindow } from '../support/agentWindow.ts';
import { cycloneDxFaults } from '../support/cycloneDx.ts';
import { repositoryCopy } from '../support/repositoryCopy.ts';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { LANGUAGES } from '../../scripts/lib/translations.mjs';
import { addPseudoLanguage, ALL_LANGUAGES, languagePacks, removePseudoLanguage } from '../support/languages.ts';
import { api } from './package/api.ts';
import { languages } from './package/languages.ts';

describe('the package', function () {
  this.timeout(450_000);
  let copy: ReturnType<typeof repositoryCopy>;
  let scratch: string;
  let packaged: string;
  let installed: string;
  let filesAtFirst: readonly string[];
  let checksum: string;

  before(async () => {
    copy = repositoryCopy();
    scratch = mkdtempSync(join(tmpdir(), 'switchboard-vsix-'));
    packaged = packageIn(copy.path, join(scratch, 'first'), { umask: 0o077, zone: 'Asia/Tokyo' });
    const vsix = join(packaged, nameOf(packaged, '.vsix'));
    const editor = await ensureEditor(currentEditor);
    const extensions = join(scratch, 'extensions');
    const flags = ['--accept-server-license-terms', '--server-data-dir', scratch, '--extensions-dir', extensions];
    const server = join(editor.server, 'out/server-main.js');
    execFileSync(editor.node, [server, ...flags, '--install-extension', vsix], { stdio: 'pipe' });
    const folder = readdirSync(extensions).find((name) => name.startsWith('mcp-switchboard.'));
    assert.ok(folder, 'it installs');
    installed = join(extensions, folder);
    filesAtFirst = readdirSync(installed);
    ({ checksum } = await readBuild(installed));
  });

  after(() => {
    rmSync(scratch, { recursive: true, force: true });
    copy.remove();
  });

  it('holds what the extension needs at run time and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.\w+$/.test(file))
      .map((file) => file.replaceAll('\\', '/'))
      .sort();
    const allowed =
      /^(package(\.nls(\.[\w-]+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|THIRD-PARTY-NOTICES\.txt|\.vsixmanifest|dist\/(\w+\.js|js-yaml\.js|\w+\.br|quickjs\.wasm\.br|app\.css|page\.css|build\.json|bundle\.l10n(\.[\w-]+)?\.json)|media\/[\w-]+\.(svg|png)|media\/walkthrough\/[\w-]+\.svg|schemas\/[\w-]+\.schema\.json)$/i;
    assert.deepEqual(
      files.filter((file) => !allowed.test(file)),
      [],
    );
    for (const needed of [
      'package.json',
      'package.nls.json',
      'dist/extension.js',
      'dist/start.js',
      'dist/common.js',
      'dist/later.js',
      'dist/startServer.js',
      'dist/synonymTable.br',
      'dist/quickjs.wasm.br',
      'dist/replay.js',
      'dist/app.css',
      'dist/js-yaml.js',
      'media/switchboard.svg',
      'media/walkthrough/add.svg',
      'schemas/mcp.schema.json',
      'readme.md',
      'changelog.md',
      ...LANGUAGES.flatMap((language) => [`dist/bundle.l10n.${language}.json`, `package.nls.${language}.json`]),
    ]) {
      assert.ok(files.includes(needed), needed);
    }
  });

  it('has pages whose pictures and links a marketplace can show', () => {
    for (const page of ['readme.md', 'changelog.md']) {
      const text = readFileSync(join(installed, page), 'utf8');
      const addresses = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
      assert.ok(addresses.length > 0, page);
      assert.deepEqual(
        addresses.filter((address) => !address.startsWith('https://')),
        [],
        page,
      );
      // Of this repository, those of this version, and each is there.
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
      const own = addresses.filter((address) => /mcp-switchboard\/(?:blob|raw)\//.test(address));
      assert.ok(own.length > 5, page);
      for (const address of own) {
        const [, tag, file = ''] = /\/(?:blob|raw)\/([^/]+)\/([^#]+)/.exec(address) ?? [];
        assert.equal(tag, `v${version}`, address);
        assert.ok(existsSync(join(root, decodeURI(file))), address);
      }
    }
  });

  it('is the same, byte for byte, from another folder, time zone and umask', () => {
    const other = repositoryCopy();
    try {
      const again = packageIn(other.path, join(scratch, 'second'), { umask: 0o022, zone: 'America/New_York' });
      for (const name of readdirSync(packaged))
        assert.ok(readFileSync(join(packaged, name)).equals(readFileSync(join(again, name))), name);
    } finally {
      other.remove();
    }
  });

  it('has the digests of its files beside it', () => {
    const sums = readFileSync(join(packaged, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    assert.equal(sums.length, 2);
    for (const line of sums) {
      const [digest, name = ''] = line.split('  ');
      assert.equal(
        digest,
        createHash('sha256')
          .update(readFileSync(join(packaged, name)))
          .digest('hex'),
        name,
      );
    }
  });

  it('has a bill of materials of what its bundles hold, and of the files that are installed', async () => {
    const text = readFileSync(join(packaged, nameOf(packaged, '.cdx.json')), 'utf8');
    assert.deepEqual(cycloneDxFaults(text), []);
    const bill = JSON.parse(text) as {
      readonly metadata: { readonly properties: readonly { readonly name: string; readonly value: string }[] };
      readonly components: readonly { readonly name: string; readonly licenses?: unknown }[];
    };
    const notices = readFileSync(join(root, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const { name, licenses } of bill.components) {
      assert.ok(notices.includes(name), name);
      assert.ok(licenses, name);
    }
    assert.ok(bill.components.length > 5);
    assert.ok(bill.metadata.properties.some(({ value }) => value === checksum));
  });

  it('has no path or name of a machine in its bundles', () => {
    for (const file of readdirSync(join(installed, 'dist'))) {
      const text = readFileSync(join(installed, 'dist', file), 'utf8');
      for (const path of [root, copy.path]) assert.ok(!text.includes(path), file);
    }
  });

  describe('installed', () => {
    const useWindow = shareHostedWindow(() => {
      addPseudoLanguage(installed, root);
      return {
        extension: installed,
        link: [join(root, 'test', 'fixtures', 'api-sample'), ...languagePacks(join(scratch, 'packs'))],
      };
    });
    let window: AgentWindow;

    useWindow({}, (opened) => {
      window = opened;
    });

    it('works', async () => {
      await window.treeRow('notes').first().waitFor();
    });

    // `npm run test:languages`: five windows.
    if (process.env['MCP_SWITCHBOARD_LANGUAGES']) languages(useWindow, () => installed, ALL_LANGUAGES);
    api(useWindow);

    describe('after all this', () => {
      it('keeps nothing in its own folder, which an update replaces', async () => {
        removePseudoLanguage(installed);
        assert.equal((await readBuild(installed)).checksum, checksum);
        assert.deepEqual(readdirSync(installed), filesAtFirst);
      });
    });
  });
});

/** `npm run package` in a copy of the repository, on another machine, as it were. */
function packageIn(copy: string, out: string, { umask, zone }: { umask: number; zone: string }): string {
  const before = process.umask(umask);
  try {
    execFileSync(process.execPath, ['scripts/package.mjs', '--out', out], {
      cwd: copy,
      stdio: 'pipe',
      env: { ...process.env, TZ: zone },
    });
  } finally {
    process.umask(before);
  }
  return out;
}

function nameOf(folder: string, ending: string): string {
  const found = readdirSync(folder).find((name) => name.endsWith(ending));
  assert.ok(found, ending);
  return found;
}
