import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root as repository } from '../../../scripts/lib/paths.mjs';
import { PresetUpstream } from '../../../src/bridge/gateway/presets/presetUpstream.ts';
import { ActivePreset } from '../../../src/catalog/presets/activePreset.ts';
import { PresetFilter } from '../../../src/catalog/presets/presetPatterns.ts';
import { openCatalog } from '../../../src/catalog/catalogToolMaker.ts';
import { readPresets, type Preset, type PresetSettings } from '../../../src/catalog/presets/readPresets.ts';
import { TestHost } from '../../support/testHost.ts';
import { useRepository } from './useRepository.ts';

const NOTES = path.join(repository, 'demo/notes-server/main.js');

/** A workspace's presets narrow what the user has, and never add to it. */
describe('attacks: presets', function () {
  this.timeout(60_000);
  let repo: string;
  let settings: PresetSettings;

  useRepository((made) => ({ repo } = made));

  /** A host on a folder with two approved servers, and one that isn't. */
  const withHost = async (body: (rig: TestHost) => Promise<void>): Promise<void> => {
    const server = { command: process.execPath, args: [NOTES], env: { NOTES_DIR: '${workspaceFolder}/notes' } };
    const write = (servers: object): void =>
      writeFileSync(path.join(repo, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    write({ docs: server, mail: server });
    const rig = new TestHost({ folder: repo, ports: { presets: () => settings } });
    try {
      await rig.host.start();
      await rig.approveAll();
      write({ docs: server, mail: server, stranger: server });
      await rig.host.config.reload();
      await body(rig);
    } finally {
      await rig.stop();
    }
  };
  const choose = async ({ host }: TestHost, name: string): Promise<void> => {
    const preset = (await host.preset.choices()).all.find((each: Preset) => each.name === name);
    assert.ok(preset, name);
    await (await host.preset.choices()).choose(preset);
  };
  /** The servers that run, or are about to. */
  const used = ({ host }: TestHost): readonly string[] =>
    host.servers.definitions.flatMap(({ name, status }) => (status.kind === 'ready' ? [name] : []));
  const change = (rig: TestHost, workspace: unknown): void => {
    settings = { ...settings, workspace };
    rig.host.settingsChanged();
  };

  it('A workspace’s preset has the name of one of the user’s', async () => {
    settings = { user: { Docs: { tools: ['docs'] } }, workspace: { Docs: { tools: ['*'] } } };
    await withHost(async (rig) => {
      await choose(rig, 'Docs');
      assert.deepEqual(used(rig), ['docs']);
    });
  });

  it('A repository adds servers to the preset that the user chose', async () => {
    settings = { user: undefined, workspace: { Docs: { tools: ['docs/list_notes'] } } };
    await withHost(async (rig) => {
      await choose(rig, 'Docs');
      change(rig, { Docs: { tools: ['docs/list_notes', 'docs/*', 'mail', '*'] } });
      assert.deepEqual(
        rig.host.catalog.tools.map(({ name }) => name),
        ['mcp__docs__list_notes'],
      );
      assert.equal(rig.host.preset.active?.hasGrown, true);
    });
  });

  it('A repository takes away the preset that the user chose', async () => {
    settings = { user: undefined, workspace: { Docs: { tools: ['docs'] } } };
    await withHost(async (rig) => {
      await choose(rig, 'Docs');
      for (const workspace of [undefined, {}, { Docs: null }, { Docs: { tools: [] } }]) {
        change(rig, workspace);
        assert.ok(!used(rig).includes('mail'), JSON.stringify(workspace));
      }
      // Nor does what it took out of the preset before come back.
      change(rig, { Both: { tools: ['docs', 'mail'] } });
      await choose(rig, 'Both');
      change(rig, { Both: { tools: ['docs'] } });
      change(rig, undefined);
      assert.deepEqual(used(rig), ['docs']);
    });
  });

  it('A preset names a server that isn’t approved, or that the user disabled', async () => {
    settings = { user: undefined, workspace: { All: { tools: ['*', 'stranger', 'mail'] } } };
    await withHost(async (rig) => {
      const mail = rig.host.views.find(({ definition }) => definition.name === 'mail');
      await rig.host.servers.setDisabled(mail?.definition.id ?? '', true);
      await choose(rig, 'All');
      assert.deepEqual(used(rig), ['docs']);
      assert.deepEqual(
        rig.host.views.map(({ definition: { name, status } }) => `${name} ${status.kind}`),
        ['docs ready', 'mail disabled', 'stranger needs-approval'],
      );
    });
  });

  it('A folder’s file or settings choose a preset', async () => {
    settings = { user: undefined, workspace: { Docs: { tools: ['mail'] }, active: 'Docs', 'presets.active': 'Docs' } };
    await withHost(async (rig) => {
      // Presets are read from now on.
      await rig.host.preset.choices();
      rig.host.settingsChanged();
      assert.equal(rig.host.preset.active, undefined);
      assert.deepEqual(used(rig), ['docs', 'mail']);
    });
  });

  it('A preset whose patterns take for ever to compare with names', () => {
    const patterns = Array.from({ length: 2_000 }, (_, at) => `*${'a?'.repeat(60)}*b*c${at}*d*`);
    const tools = Array.from({ length: 2_000 }, (_, at) => `${'a'.repeat(120)}bd${at}`);
    const filter = new PresetFilter(patterns);
    // All of them would take some 10,000 million steps.
    for (const tool of tools) assert.ok(!filter.has([tool]));
    assert.ok(filter.isCut);
    // What is named in full costs nothing, and is there all the same.
    assert.ok(new PresetFilter([...patterns, 'last']).has(['last']));
    // The catalog says it, and so does the view.
    const catalog = openCatalog();
    const listed = tools.map((name) => ({ name, inputSchema: { type: 'object' }, annotations: {} }));
    catalog.setServer('one', 'one', listed, { preset: patterns });
    assert.match(catalog.problemsOf('one')[0]?.message ?? '', /more patterns than can be compared/);
    assert.equal(catalog.toolsOutsidePresetOf('one').length, tools.length);
    const entries = patterns.map((each) => `${each}/x`);
    const preset = new ActivePreset({ name: 'Many', entries, last: entries }, []);
    for (const name of tools.slice(0, 300)) preset.toolsOf({ configuredName: name, name, part: name });
    assert.ok(preset.isCut);
  });

  it('A repository offers a preset of its own to custom agents', () => {
    const theirs = { tools: ['*'], customAgents: true };
    const all = readPresets({ user: { Docs: { tools: ['docs'] } }, workspace: { Theirs: theirs, Docs: theirs } });
    assert.deepEqual(
      all.map(({ name, isForCustomAgents }) => [name, isForCustomAgents]),
      [
        ['Docs', undefined],
        ['Theirs', undefined],
      ],
    );
  });

  it('A custom agent calls what its preset lacks', async () => {
    settings = { user: { Docs: { tools: ['docs/list_*'], customAgents: true } }, workspace: undefined };
    await withHost(async (rig) => {
      await rig.until(() => rig.host.catalog.serverIds.length === 2);
      const [preset] = readPresets(settings);
      assert.ok(preset);
      const upstream = new PresetUpstream({
        host: rig.host,
        wording: { choiceOf: () => assert.fail(), answerOf: () => undefined },
        version: '0',
        preset,
        onDidChangeTools: () => ({ dispose: () => undefined }),
      });
      assert.deepEqual(
        upstream.tools().map(({ name }) => name),
        ['docs__list_notes'],
      );
      for (const name of ['docs__delete_note', 'mail__list_notes', 'mcp__mail__list_notes', '../docs__delete_note'])
        assert.equal(upstream.find(name), undefined, name);
    });
  });
});
