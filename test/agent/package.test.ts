import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentEditor, ensureEditor } from '../../scripts/lib/install-editor.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import type { AgentWindow } from '../support/agentWindow.ts';
import { repositoryCopy } from '../support/repositoryCopy.ts';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { api } from './package/api.ts';

describe('the package', function () {
  this.timeout(450_000);
  let copy: ReturnType<typeof repositoryCopy>;
  let scratch: string;
  let installed: string;

  before(async () => {
    copy = repositoryCopy();
    scratch = mkdtempSync(join(tmpdir(), 'switchboard-vsix-'));
    const vsix = join(scratch, 'switchboard.vsix');
    const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
    // `vsce` packages with the production bundle of the manifest's vscode:prepublish script.
    execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', vsix], {
      cwd: copy.path,
      stdio: 'pipe',
    });
    const editor = await ensureEditor(currentEditor);
    const extensions = join(scratch, 'extensions');
    const flags = ['--accept-server-license-terms', '--server-data-dir', scratch, '--extensions-dir', extensions];
    const server = join(editor.server, 'out/server-main.js');
    execFileSync(editor.node, [server, ...flags, '--install-extension', vsix], { stdio: 'pipe' });
    const folder = readdirSync(extensions).find((name) => name.startsWith('mcp-switchboard.'));
    assert.ok(folder, 'it installs');
    installed = join(extensions, folder);
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
      /^(package(\.nls)?\.json|readme\.md|changelog\.md|LICENSE\.txt|THIRD-PARTY-NOTICES\.txt|\.vsixmanifest|dist\/\w+\.js|l10n\/[\w.-]+\.json|media\/[\w-]+\.(svg|png)|media\/walkthrough\/[\w-]+\.md|schemas\/[\w-]+\.schema\.json)$/i;
    assert.deepEqual(
      files.filter((file) => !allowed.test(file)),
      [],
    );
    for (const needed of [
      'package.json',
      'package.nls.json',
      'dist/extension.js',
      'dist/sdk.js',
      'media/switchboard.svg',
      'media/walkthrough/add.md',
      'schemas/mcp.schema.json',
    ]) {
      assert.ok(files.includes(needed), needed);
    }
  });

  it('has no path or name of a machine in its bundles', () => {
    for (const file of readdirSync(join(installed, 'dist'))) {
      const text = readFileSync(join(installed, 'dist', file), 'utf8');
      for (const path of [root, copy.path]) assert.ok(!text.includes(path), file);
    }
  });

  describe('installed', () => {
    const useWindow = shareHostedWindow(() => ({
      extension: installed,
      link: [join(root, 'test', 'fixtures', 'api-sample')],
    }));
    let window: AgentWindow;

    useWindow({}, (opened) => {
      window = opened;
    });

    it('works', async () => {
      await window.treeRow('notes').first().waitFor();
    });

    api(useWindow);
  });
});
