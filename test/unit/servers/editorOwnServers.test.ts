import assert from 'node:assert/strict';
import path from 'node:path';
import { wouldEditorHost, type EditorMcpSettings } from '../../../src/servers/editorOwnServers.ts';
import { editorDefinitionIds } from '../../../src/servers/editorDefinitionIds.ts';
import { sourceOf } from '../config/sources.ts';
import { resultOf } from './support.ts';

const folder = { name: 'app', path: path.resolve('/w/app') };
const profile = path.resolve('/home/me/.config/Code/User/mcp.json');
const asks: EditorMcpSettings = { access: undefined, autostart: 'newAndOutdated', discoverDotMcpJson: true };

const hosted = (file: string | undefined, settings: Partial<EditorMcpSettings> = {}): boolean => {
  const [entry] = resultOf(sourceOf(file === undefined ? {} : { file, folder }), { s: 'x' }).entries;
  assert.ok(entry);
  return wouldEditorHost(entry, { ...asks, ...settings }, profile, false);
};

describe('servers/editorHosting', () => {
  const root = path.join(folder.path, '.mcp.json');
  const workspace = path.join(folder.path, '.vscode', 'mcp.json');

  it('the editor starts a root .mcp.json, .vscode/mcp.json and the profile mcp.json', () => {
    assert.deepEqual(
      [root, workspace, profile].map((file) => hosted(file)),
      [true, true, true],
    );
  });
  it('those in the settings of a workspace file, too, and what it calls each', () => {
    const file = path.resolve('/w/both.code-workspace');
    const [entry] = resultOf(sourceOf({ file }), { s: 'x' }).entries;
    assert.ok(entry);
    assert.equal(wouldEditorHost(entry, asks, profile, false), true);
    assert.deepEqual(editorDefinitionIds(entry, profile, [folder.path]), ['mcp.config.workspace.s']);
    const [second] = resultOf(sourceOf({ file: root, folder }), { s: 'x' }).entries;
    assert.ok(second);
    assert.deepEqual(editorDefinitionIds(second, profile, ['/other', folder.path]), ['workspace-dot-mcp.1.s']);
  });
  it('and nothing else', () => {
    const others = [path.join(folder.path, 'sub', '.mcp.json'), path.resolve('/home/me/.claude.json'), undefined];
    assert.deepEqual(
      others.map((file) => hosted(file)),
      [false, false, false],
    );
  });
  it('it has them whether it starts them by itself or not', () => {
    for (const autostart of ['never', 'newAndOutdated']) {
      const [entry] = resultOf(sourceOf({ file: root, folder }), { s: 'x' }).entries;
      assert.ok(entry);
      assert.equal(wouldEditorHost(entry, { ...asks, autostart }, profile, true), true, autostart);
      assert.equal(wouldEditorHost(entry, { ...asks, autostart, access: 'none' }, profile, true), false);
    }
  });
  it('unless its settings keep it from it', () => {
    for (const file of [root, workspace, profile]) {
      assert.equal(hosted(file, { access: 'none' }), false);
      assert.equal(hosted(file, { autostart: 'never' }), false);
    }
    assert.equal(hosted(root, { discoverDotMcpJson: false }), false);
    assert.equal(hosted(workspace, { discoverDotMcpJson: false }), true);
  });
});
