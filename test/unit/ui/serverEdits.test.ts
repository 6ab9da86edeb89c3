import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { Host } from '../../../src/host/host.ts';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import type { ServerView } from '../../../src/host/views/serverView.ts';
import type { PermissionRow } from '../../../src/ui/permissions/permissionRow.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

const FILE = { fsPath: '/w/.mcp.json', path: '/w/.mcp.json', toString: () => 'file:///w/.mcp.json' };

/** A file and a setting that take a moment to be read and written. */
const kept: { file: string; servers: Record<string, unknown> | undefined } = { file: '', servers: undefined };
const shown: string[] = [];

const show = (text: string): Promise<undefined> => {
  shown.push(text);
  return Promise.resolve(undefined);
};

const never = (): { dispose(): void } => ({ dispose: () => undefined });

class EventEmitter {
  readonly event = never;
  fire(): void {}
  dispose(): void {}
}

const stub = {
  EventEmitter,
  ConfigurationTarget: { Global: 1 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  TreeItemCheckboxState: { Unchecked: 0, Checked: 1 },
  ThemeColor: Object,
  ThemeIcon: Object,
  l10n: { t: (text: string) => text },
  commands: { executeCommand: () => Promise.resolve() },
  window: {
    showInformationMessage: show,
    showWarningMessage: show,
    showErrorMessage: show,
    setStatusBarMessage: (text: string) => show(text),
  },
  workspace: {
    textDocuments: [],
    onDidChangeConfiguration: never,
    getWorkspaceFolder: () => undefined,
    fs: {
      readFile: async () => {
        await turn();
        return new TextEncoder().encode(kept.file);
      },
      writeFile: async (_uri: unknown, bytes: Uint8Array) => {
        await turn();
        kept.file = new TextDecoder().decode(bytes);
      },
    },
    getConfiguration: () => ({
      inspect: () => ({ globalValue: kept.servers }),
      update: async (_key: string, value: Record<string, unknown> | undefined) => {
        await turn();
        kept.servers = value;
      },
    }),
  },
};

const load = () =>
  withStubbedEditor(stub, async () => ({
    ...(await import('../../../src/ui/config/edit/fileUndo.ts')),
    ...(await import('../../../src/ui/config/edit/ownSetting.ts')),
    ...(await import('../../../src/ui/permissions/permissionsTree.ts')),
    ...(await import('../../../src/ui/servers/serverActions.ts')),
    ...(await import('../../../src/ui/servers/removeServerCommand.ts')),
    ...(await import('../../../src/ui/servers/tree/serversTreeData.ts')),
    ...(await import('../../../src/ui/servers/tree/dropServers.ts')),
  }));

describe('ui/serverEdits', () => {
  let ui: Awaited<ReturnType<typeof load>>;

  before(async () => {
    ui = await load();
  });

  it('keeps both of two changes of a file that begin at once', async () => {
    kept.file = '';
    const add = (letter: string): Promise<unknown> =>
      ui.editWithUndo(
        FILE as never,
        (text) => ({ text: text + letter }),
        () => undefined,
      );
    await Promise.all([add('a'), add('b')]);
    assert.equal(kept.file, 'ab');
  });

  it('keeps both of two changes of the setting that begin at once', async () => {
    kept.servers = undefined;
    const add = (name: string): Promise<unknown> =>
      ui.editServersSetting(
        (servers) => ({ ...servers, [name]: {} }),
        (now) => now,
      );
    await Promise.all([add('a'), add('b')]);
    assert.deepEqual(kept.servers, { a: {}, b: {} });
  });

  it('says that a permission could not be given back, and lets it be tried again', async () => {
    const ports = {
      host: { grants: { onDidChange: never }, onDidChange: never } as unknown as Host,
      settings: { onDidChange: never },
      consents: { onDidChange: never },
    };
    const tree = new ui.PermissionsTree(ports as never, { visible: false, onDidChangeVisibility: never });
    let tries = 0;
    const restore = async (): Promise<void> => {
      if (++tries === 1) throw new Error('The disk is full');
    };
    const row: Partial<PermissionRow> = { label: 'read_page', revoke: async () => restore };
    await tree.revoke(row as PermissionRow);
    await tree.undoRevoke();
    assert.match(shown.at(-1) ?? '', /The disk is full/);
    await tree.undoRevoke();
    assert.equal(tries, 2);
    await tree.undoRevoke();
    assert.equal(tries, 2);
    tree.dispose();
  });

  describe('of servers', () => {
    const removed: string[] = [];
    const added: string[] = [];
    const tools: Record<string, readonly never[]> = {};
    const viewOf = (name: string, source: ConfigSource): ServerView => {
      const range = { sourceId: source.id, line: 1, column: 1, endLine: 1, endColumn: 1, offset: 0, length: 0 };
      const transport = { type: 'stdio', command: name, args: [], env: {} } as const;
      const entry = { name, scope: source.scope, source, range, transport, disabled: false };
      const definition = { id: name, name, entry, fingerprint: '', status: { kind: 'ready' } } as const;
      return { definition, state: { kind: 'disconnected' }, tools: [] };
    };
    const cloud = viewOf('cloud', { id: 'cloud:x', scope: 'cloud', label: 'the cloud' } as ConfigSource);
    const session = viewOf('own', { id: 'dynamic:session', scope: 'dynamic', label: 'this session' } as ConfigSource);
    const other = viewOf('other', cloud.definition.entry.source);
    const views = [cloud, session, other];
    const none: readonly never[] = [];
    const host = {
      views,
      view: (id: string) => views.find(({ definition }) => definition.id === id),
      catalog: {
        tools: [],
        toolsOf: (id: string) => (tools[id] ??= []),
        problemsOf: () => none,
        disabledToolsOf: () => [],
      },
      config: { reload: () => Promise.resolve(), onDidChange: never, snapshot: { sources: [], results: [] } },
      servers: {
        definitions: views.map(({ definition }) => definition),
        get: (id: string) => views.find(({ definition }) => definition.id === id)?.definition,
        removeAdded: (id: string) => removed.push(id),
        addForSession: (name: string) => added.push(name),
      },
      signIns: { onDidChange: never, view: () => undefined },
      loaded: { onDidChange: never, joined: [] },
      calls: { history: { onDidAdd: never } },
      pool: { get: () => undefined },
      feed: { openChangesOf: () => [] },
      preset: { active: undefined },
      onDidChange: never,
    } as unknown as Host;
    const remove = (id: string, isByKey = false): Promise<void> =>
      ui.runServerAction(host, {} as never, 'mcpSwitchboard.removeServer', id, [], isByKey);

    it('doesn’t remove a server that isn’t the user’s, nor says so', async () => {
      shown.length = 0;
      await remove('cloud');
      assert.deepEqual(shown, ['No servers to remove.']);
      await assert.rejects(ui.removeFromSource(host, [cloud.definition.entry]), /isn’t edited here/);
      assert.deepEqual(removed, []);
    });

    it('doesn’t move servers that aren’t the user’s', async () => {
      const ports = { host, options: { localFile: '' }, data: { arrangement: { sort: 'name' } } } as never;
      await assert.rejects(ui.moveServer(ports, 'cloud', 1), /order of servers of the cloud can’t be changed/);
      await assert.rejects(
        ui.dropServers(ports, ['other'], { kind: 'server', serverId: 'cloud' }),
        /order of servers of the cloud can’t be changed/,
      );
    });

    it('asks before a key removes', async () => {
      shown.length = 0;
      await remove('own', true);
      assert.deepEqual([shown, removed], [['Remove {0}?'], []]);
      await remove('own');
      assert.deepEqual(removed, ['own']);
    });

    it('draws what changed before a row was opened, and shows what a filter hides', async () => {
      const drawn: unknown[] = [];
      const timers = new Set<() => void>();
      const store = { get: () => ({ filter: 'own' }), set: () => Promise.resolve() };
      const data = new ui.ServersTreeData(
        host,
        () => ({}) as never,
        store,
        (nodes) => drawn.push(nodes),
        () => undefined,
        { now: () => 0, schedule: (_delayMs, end) => (timers.add(end), { dispose: () => timers.delete(end) }) },
      );
      tools['cloud'] = [];
      await data.resolve({}, { kind: 'server', serverId: 'gone' });
      const [first] = timers;
      await data.resolve({}, { kind: 'server', serverId: 'left' });
      assert.deepEqual(drawn, []);
      // The editor asks for a tooltip again when its time is over, whichever others are read meanwhile.
      assert.ok(first && timers.has(first));
      for (const end of timers) end();
      assert.deepEqual(drawn.splice(0), [
        [{ kind: 'server', serverId: 'gone' }],
        [{ kind: 'server', serverId: 'left' }],
      ]);
      data.setOpen({ kind: 'category', serverId: 'own', what: 'tools' }, true);
      assert.deepEqual(drawn, [[{ kind: 'server', serverId: 'cloud' }]]);
      await data.uncover('own');
      assert.equal(data.arrangement.filter, 'own');
      await data.uncover('cloud');
      assert.equal(data.arrangement.filter, '');
      data.dispose();
    });
  });
});
