import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import type { Preset, PresetSettings } from '../../../src/catalog/presets/readPresets.ts';
import { unavailableServers } from '../../../src/host/unavailableServers.ts';
import { waitingForUser } from '../../../src/host/views/waitingForUser.ts';
import { TestHost, withServers, type TestHostOptions } from '../../support/testHost.ts';

const server = (folder: string): object => ({
  command: process.execPath,
  args: [path.join(root, 'demo/notes-server/main.js')],
  env: { NOTES_DIR: `\${workspaceFolder}/${folder}` },
});
const SERVERS = { notes: server('one'), more: server('two') };
const LOOK = { Look: { tools: ['notes/list_*', 'other'] } };

const WAY_OUT =
  'Continue without it, or tell the user that they can select another preset: command “MCP Switchboard: Select Preset…”.';

const named = async ({ host }: TestHost, name: string): Promise<Preset | undefined> =>
  (await host.preset.choices()).all.find((preset) => preset.name === name);
const states = ({ host }: TestHost): unknown =>
  Object.fromEntries(host.views.map(({ definition, state }) => [definition.name, state.kind]));
const tools = ({ host }: TestHost): unknown => host.catalog.tools.map(({ name }) => name);
const hits = async ({ host }: TestHost, query: string): Promise<readonly string[]> =>
  (await host.search({ query })).hits.map(({ tool }) => tool.name);

describe('the active preset of a workspace', function () {
  this.timeout(60_000);
  let settings: PresetSettings;
  const ports = { presets: (): PresetSettings => settings };

  beforeEach(() => {
    settings = { user: LOOK, workspace: undefined };
  });

  it('leaves in the catalog what it has, ends what it lacks, and brings all back', () =>
    withServers(
      SERVERS,
      async (rig) => {
        await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
        assert.deepEqual(states(rig), { notes: 'connected', more: 'disabled' });
        assert.equal(rig.host.views[1]?.definition.status.kind, 'disabled');
        assert.deepEqual(tools(rig), ['mcp__notes__list_notes']);
        assert.deepEqual(await hits(rig, 'delete all notes'), ['mcp__notes__list_notes']);
        assert.equal(rig.host.pool.get(rig.host.views[1]?.definition.id ?? ''), undefined);
        await (await rig.host.preset.choices()).choose(undefined);
        await rig.until(() => rig.host.views.every(({ state }) => state.kind === 'connected'));
        assert.equal(rig.host.catalog.tools.length, 8);
      },
      { ports },
    ));

  it('refuses calls of what it lacks, by any name, and says why and what the user can do', () =>
    withServers(
      SERVERS,
      async (rig) => {
        await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
        await rig.call('mcp__notes__list_notes');
        for (const name of ['mcp__notes__add_note', 'notes/add_note'])
          await assert.rejects(rig.call(name, { title: 'a', text: 'b' }), {
            code: 'denied',
            message: `${name} is not in the active preset “Look”. It did not run.`,
            remedy: WAY_OUT,
          });
        await assert.rejects(rig.call('mcp__more__list_notes'), {
          message: 'The server "more" is not available. Not in the preset “Look”.',
          remedy: WAY_OUT,
        });
        assert.deepEqual(rig.questions, []);
      },
      { ports },
    ));

  it('doesn’t run a call whose question was open when it was chosen', async () => {
    let asked: TestHost | undefined;
    const asker: NonNullable<TestHostOptions['ports']>['asker'] = {
      ask: async () => {
        if (asked) await (await asked.host.preset.choices()).choose(await named(asked, 'Look'));
        return 'once';
      },
    };
    await withServers(
      SERVERS,
      async (rig) => {
        asked = rig;
        await assert.rejects(rig.call('mcp__notes__add_note', { title: 'forbidden', text: 'b' }), {
          message: /not in the active preset “Look”/,
        });
        assert.doesNotMatch(await rig.call('mcp__notes__list_notes'), /forbidden/);
      },
      { ports: { ...ports, asker } },
    );
  });

  it('is kept, and starts nothing that it lacks', async () => {
    const store = new MemoryStore();
    const rig = new TestHost({ store, ports });
    try {
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: SERVERS }));
      await rig.host.start();
      await rig.approveAll();
      await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
      const again = new TestHost({ folder: rig.folder, store, ports });
      try {
        await again.host.start();
        assert.equal(again.host.preset.active?.name, 'Look');
        assert.deepEqual(
          again.host.pool.all.map(({ name }) => name),
          ['notes'],
        );
        await again.until(() => again.host.pool.all.every(({ state }) => state.kind === 'connected'));
        assert.deepEqual(tools(again), ['mcp__notes__list_notes']);
      } finally {
        await again.stop();
      }
    } finally {
      await rig.stop();
    }
  });

  it('follows the user’s settings at once', () =>
    withServers(
      SERVERS,
      async (rig) => {
        await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
        settings = { user: { Look: { tools: ['more', 'notes/add_*'] } }, workspace: undefined };
        rig.host.settingsChanged();
        await rig.until(() => rig.host.views.every(({ state }) => state.kind === 'connected'));
        const names = rig.host.catalog.tools.map(({ name }) => name).toSorted();
        assert.deepEqual(names, [
          ...['mcp__more__add_note', 'mcp__more__delete_all_notes', 'mcp__more__delete_note'],
          ...['mcp__more__list_notes', 'mcp__notes__add_note'],
        ]);
      },
      { ports },
    ));

  it('starts nothing that was taken out of it where it is renamed or deleted, in later windows neither', async () => {
    const store = new MemoryStore();
    const rig = new TestHost({ store, ports });
    try {
      settings = { user: { Look: { tools: ['notes', 'more'] } }, workspace: undefined };
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: SERVERS }));
      await rig.host.start();
      await rig.approveAll();
      await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
      for (const user of [{ Look: { tools: ['notes'] } }, { Renamed: { tools: ['notes'] } }, undefined]) {
        settings = { user, workspace: undefined };
        rig.host.settingsChanged();
        assert.equal(rig.host.views[1]?.state.kind, 'disabled', JSON.stringify(user));
      }
      const again = new TestHost({ folder: rig.folder, store, ports });
      try {
        await again.host.start();
        assert.equal(again.host.views[1]?.state.kind, 'disabled');
      } finally {
        await again.stop();
      }
    } finally {
      await rig.stop();
    }
  });

  it('has servers by what callable names call them, also one that never ran here, and never another of that name', async () => {
    const store = new MemoryStore();
    const rig = new TestHost({ store, ports });
    try {
      const servers = { 'my-notes-server': SERVERS.notes, my_mcp: SERVERS.more };
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
      settings = { user: { Mine: { tools: ['mcp__my-notes__list_*'] } }, workspace: undefined };
      await rig.host.start();
      await (await rig.host.preset.choices()).choose(await named(rig, 'Mine'));
      await rig.approveAll();
      assert.deepEqual(states(rig), { 'my-notes-server': 'connected', my_mcp: 'disabled' });
      assert.deepEqual(tools(rig), ['mcp__my-notes__list_notes']);
      // One that comes while no window is open, and would be called the same.
      const again = new TestHost({ folder: rig.folder, store, ports });
      try {
        const more = { ...servers, 'mcp-my-notes': server('three') };
        writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: more }));
        await again.host.start();
        const added = again.host.views.find(({ definition }) => definition.name === 'mcp-my-notes');
        await again.host.servers.approve([added?.definition.id ?? '']);
        await again.until(() => again.host.pool.all.every(({ state }) => state.kind === 'connected'));
        assert.deepEqual(tools(again), ['mcp__my-notes__list_notes']);
      } finally {
        await again.stop();
      }
    } finally {
      await rig.stop();
    }
  });

  it('lets no server wait that it lacks: neither for approval nor with a configuration error', async () => {
    const rig = new TestHost({ ports });
    try {
      const broken = { url: 'https://example.com', command: 'node', args: 7 };
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: { ...SERVERS, broken } }));
      await rig.host.start();
      const waits = (): unknown => ({
        approvals: waitingForUser(rig.host).approvals,
        absent: unavailableServers(rig.host).map(({ serverName }) => serverName),
      });
      assert.deepEqual(waits(), { approvals: 2, absent: ['notes', 'more', 'broken'] });
      await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
      assert.deepEqual(waits(), { approvals: 1, absent: ['notes'] });
      // Their rows still say what keeps them from running.
      assert.deepEqual(states(rig), { notes: 'blocked', more: 'blocked', broken: 'problem' });
    } finally {
      await rig.stop();
    }
  });

  it('shows the tools of a server that agents have, also where that is a custom tool alone', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-')));
    const file = path.join(folder, 'own.json');
    const customTools = { recent: { tool: 'list_notes', description: 'Lists the notes of this week.' } };
    writeFileSync(file, JSON.stringify({ mcpServers: { notes: { ...SERVERS.notes, customTools } } }));
    settings = {
      user: { Custom: { tools: ['notes/recent'] }, Own: { tools: ['notes/list_*'] } },
      workspace: undefined,
    };
    const rig = new TestHost({ folder, own: { file }, ports });
    try {
      await rig.host.start();
      await rig.until(() => rig.host.catalog.tools.length === 5);
      for (const [name, had] of [
        ['Custom', ['mcp__notes__recent']],
        // A custom tool goes by the name of the one below it, too.
        ['Own', ['mcp__notes__list_notes', 'mcp__notes__recent']],
      ] as const) {
        await (await rig.host.preset.choices()).choose(await named(rig, name));
        assert.deepEqual(tools(rig), had);
        assert.deepEqual(
          rig.host.views[0]?.tools.map((tool) => tool.name),
          ['list_notes'],
        );
      }
    } finally {
      await rig.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('doesn’t take tools that it lacks for tools that the definition leaves out', () =>
    withServers(
      { notes: { ...SERVERS.notes, disabledTools: ['delete_all_notes'] } },
      async (rig) => {
        await (await rig.host.preset.choices()).choose(await named(rig, 'Look'));
        const [view] = rig.host.views;
        const id = view?.definition.id ?? '';
        assert.deepEqual(
          rig.host.catalog.disabledToolsOf(id).map(({ name }) => name),
          ['delete_all_notes'],
        );
        assert.deepEqual(
          rig.host.catalog.toolsOutsidePresetOf(id).map(({ name }) => name),
          ['mcp__notes__add_note', 'mcp__notes__delete_note'],
        );
      },
      { ports },
    ));
});
