import assert from 'node:assert/strict';
import { ActivePreset, readChosen } from '../../../../src/catalog/presets/activePreset.ts';
import { PresetFilter } from '../../../../src/catalog/presets/presetPatterns.ts';
import { isPresetName, readPresets, type Preset } from '../../../../src/catalog/presets/readPresets.ts';

const github = { configuredName: 'GitHub MCP', name: 'GitHub MCP (api)', part: 'github' };
const none = { user: undefined, workspace: undefined };

/** What of `github` a preset of the user's with these entries has. */
const toolsIn = (...entries: string[]): unknown =>
  new ActivePreset({ name: 'Mine', entries, last: entries }, []).toolsOf(github);

describe('presets in the settings', () => {
  it('are those of the user, then those of the workspace with other names', () => {
    const presets = readPresets({
      user: { Mine: { tools: ['a'], description: 'What I use' } },
      workspace: { Mine: { tools: ['*'] }, Docs: { tools: ['b', 7, '', ' '] } },
    });
    assert.deepEqual(presets, [
      { name: 'Mine', scope: 'user', entries: ['a'], description: 'What I use' },
      { name: 'Docs', scope: 'workspace', entries: ['b'] },
    ]);
  });

  it('that aren’t written as they should be have nothing, or are none', () => {
    assert.deepEqual(readPresets(none), []);
    assert.deepEqual(readPresets({ user: ['a'], workspace: 'b' }), []);
    assert.deepEqual(readPresets({ user: { A: null, B: ['b'], C: {}, D: { tools: 'b' } }, workspace: undefined }), [
      { name: 'C', scope: 'user', entries: [] },
      { name: 'D', scope: 'user', entries: [] },
    ]);
  });

  it('have names that read as what they are', () => {
    for (const name of ['Review', 'Code review (1)', 'レビュー', 'constructor']) assert.ok(isPresetName(name), name);
    for (const name of ['', ' Review', 'Re\u200bview', 'a\nb', 'a\u202eb', 'x'.repeat(61)])
      assert.ok(!isPresetName(name), JSON.stringify(name));
    const odd = JSON.parse('{"__proto__":{"tools":["*"]},"a\\nb":{"tools":["*"]}}') as unknown;
    assert.deepEqual(
      readPresets({ user: undefined, workspace: odd }).map(({ name }) => name),
      ['__proto__'],
    );
  });
});

describe('what a preset has of a server', () => {
  it('is all of it, by any of the server’s names', () => {
    for (const entry of [
      'GitHub MCP',
      'GitHub MCP (api)',
      'github',
      'mcp__github',
      'GitHub_MCP',
      'Git*',
      '*',
      'githu?',
    ])
      assert.equal(toolsIn(entry), 'all', entry);
    for (const entry of ['github/*', 'mcp__github__*', '*/*']) assert.equal(toolsIn(entry), 'all', entry);
  });

  it('is those of its tools that are named after it', () => {
    assert.deepEqual(toolsIn('github/get_*', 'GitHub MCP/search', 'other/x'), ['get_*', 'search']);
    assert.deepEqual(toolsIn('mcp__github__get_issue'), ['get_issue']);
    assert.deepEqual(toolsIn('*/get_*'), ['get_*']);
    assert.deepEqual(toolsIn('github/repo/get'), ['repo/get']);
  });

  it('is nothing where no entry names it', () => {
    for (const entry of ['git', 'get_issue', 'jira/get_issue', 'github/', '*issue', 'GITHUB', 'github2/x'])
      assert.deepEqual(toolsIn(entry), [], entry);
    assert.deepEqual(toolsIn(), []);
  });

  it('stays the same object, so that the catalog sees that nothing changed', () => {
    const entries = ['github/get_*'];
    const preset = new ActivePreset({ name: 'Mine', entries, last: entries }, []);
    assert.equal(preset.toolsOf(github), preset.toolsOf({ ...github }));
  });

  it('has tools by each of their own names', () => {
    assert.ok(new PresetFilter(['get_*']).has(['create', 'get_issue']));
    assert.ok(new PresetFilter(['create']).has(['create', 'get_issue']));
    assert.ok(!new PresetFilter(['get_*']).has(['create']));
    assert.ok(!new PresetFilter([]).has(['create']));
  });
});

describe('the preset that was chosen', () => {
  const chosen = { name: 'Review', entries: ['a', 'b'], last: ['a', 'b'] };
  const defined = (scope: Preset['scope'], ...entries: string[]): Preset => ({ name: 'Review', scope, entries });
  const state = ({ scope, entries, hasGrown }: ActivePreset): unknown => ({ scope, entries, hasGrown });

  it('is as the user has written it since', () => {
    assert.deepEqual(state(new ActivePreset(chosen, [defined('user', 'c')])), {
      scope: 'user',
      entries: ['c'],
      hasGrown: false,
    });
  });

  it('of a workspace can lose what it had, and never has more than it had', () => {
    assert.deepEqual(state(new ActivePreset(chosen, [defined('workspace', 'b', '*')])), {
      scope: 'workspace',
      entries: ['b'],
      hasGrown: true,
    });
    assert.equal(new ActivePreset(chosen, [defined('workspace', 'b')]).hasGrown, false);
  });

  it('goes on as it was where it is gone', () => {
    assert.deepEqual(state(new ActivePreset(chosen, [])), { scope: undefined, entries: ['a', 'b'], hasGrown: false });
  });

  it('goes on as it was last where it is gone, and never has more of a workspace’s for that', () => {
    for (const scope of ['user', 'workspace'] as const) {
      const { kept } = new ActivePreset(chosen, [defined(scope, 'a')]);
      const gone = new ActivePreset(kept, []);
      assert.deepEqual(gone.entries, ['a'], scope);
      assert.deepEqual(gone.kept, kept);
    }
    const { kept } = new ActivePreset(chosen, [defined('user', 'a')]);
    const another = new ActivePreset(kept, [defined('workspace', 'a', 'b')]);
    assert.deepEqual(state(another), { scope: 'workspace', entries: ['a'], hasGrown: true });
  });

  it('of a workspace has again what was taken out, where that comes back', () => {
    const { kept } = new ActivePreset(chosen, [defined('workspace', 'a')]);
    assert.deepEqual(new ActivePreset(kept, [defined('workspace', 'a', 'b')]).entries, ['a', 'b']);
  });

  it('is read as it was kept, and is none where something else was', () => {
    assert.deepEqual(readChosen(structuredClone(chosen)), chosen);
    assert.deepEqual(readChosen({ name: 'Review' }), { name: 'Review', entries: [], last: [] });
    assert.deepEqual(readChosen({ name: 'Review', entries: ['a'] }), { name: 'Review', entries: ['a'], last: ['a'] });
    for (const kept of [undefined, 'Review', { name: '' }, { entries: ['*'] }])
      assert.equal(readChosen(kept), undefined);
  });

  it('equals one of the same effect alone', () => {
    const preset = new ActivePreset(chosen, []);
    assert.ok(preset.equals(new ActivePreset(structuredClone(chosen), [])));
    assert.ok(!preset.equals(undefined));
    assert.ok(!preset.equals(new ActivePreset({ ...chosen, last: ['a'] }, [])));
    assert.ok(!preset.equals(new ActivePreset(chosen, [defined('user', 'a', 'b')])));
  });
});
