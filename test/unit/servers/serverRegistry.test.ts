import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { ConfigLoader } from '../../../src/config/configLoader.ts';
import type { ServerPolicy } from '../../../src/servers/trust/serverPolicy.ts';
import { ServerRegistry } from '../../../src/servers/serverRegistry.ts';
import type { ServersChange } from '../../../src/servers/serverTypes.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { sourceOf } from '../config/sources.ts';
import { lineOf } from './support.ts';

describe('servers/registry', () => {
  let root: string;
  let file: string;
  let config: ConfigLoader;
  let store: MemoryStore;
  let registry: ServerRegistry;
  let changes: ServersChange[];
  let policies: ServerPolicy[];
  const editor = { trusted: true, hosts: false, has: false, changed: new Emitter<void>() };

  const open = async (): Promise<void> => {
    const folder = { name: 'app', path: root };
    config = new ConfigLoader(
      new NodeConfigPorts([sourceOf({ scope: 'project', file, folder })]),
      systemClock,
      silentLogger,
    );
    await config.start();
    registry = new ServerRegistry({
      config,
      store,
      clock: systemClock,
      editor: {
        workspaceTrusted: () => editor.trusted,
        editorHosts: (_entry, isChosen) => editor.hosts || (isChosen && editor.has),
        onDidChange: editor.changed.event,
      },
      policies: () => policies,
    });
    changes = [];
    registry.onDidChange((change) => changes.push(change));
  };
  const close = (): void => {
    registry.dispose();
    config.dispose();
  };
  const write = (servers: Record<string, unknown>): void => writeFileSync(file, JSON.stringify(servers, undefined, 2));
  const lines = (): string[] => registry.definitions.map(lineOf);
  const idOf = (name: string): string =>
    registry.definitions.find((definition) => definition.name === name)?.id ?? assert.fail(name);
  const edit = async (servers: Record<string, unknown>): Promise<ServersChange> => {
    changes.length = 0;
    write(servers);
    await new Promise<void>((resolve) => {
      const subscription = registry.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
    return changes[0] ?? assert.fail('no change');
  };
  const namesOf = ({ added, changed, removed, moved }: ServersChange): string[] =>
    [added, changed, removed, moved].map((list) => list.map(({ name }) => name).join());

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'switchboard-registry-'));
    file = path.join(root, '.mcp.json');
    store = new MemoryStore();
    policies = [];
    Object.assign(editor, { trusted: true, hosts: false, has: false });
    write({ a: { command: 'a' }, b: { command: 'b' } });
    await open();
  });
  afterEach(() => {
    close();
    rmSync(root, { recursive: true });
  });

  it('asks, remembers the answer over a restart, and asks again when it is revoked', async () => {
    assert.deepEqual(lines(), ['project a: needs-approval new', 'project b: needs-approval new']);
    await registry.approve([idOf('a'), 'nobody']);
    await registry.reject([idOf('b')]);
    assert.deepEqual(changes.map(namesOf), [
      ['', 'a', '', ''],
      ['', 'b', '', ''],
    ]);
    close();
    await open();
    assert.deepEqual(lines(), ['project a: ready', 'project b: blocked rejected']);
    await registry.revokeApproval(idOf('a'));
    assert.deepEqual(lines()[0], 'project a: needs-approval new');
  });

  it('keeps what was approved, to compare it with after an edit', async () => {
    const id = idOf('a');
    await registry.approve([id]);
    await edit({ a: { command: 'a', args: ['--evil'] }, b: { command: 'b' } });
    assert.deepEqual(
      registry.approvals.map(({ id, verdict, launch, definition }) => [id, verdict, launch, definition?.status.kind]),
      [[id, 'approved', ['Runs: a'], 'needs-approval']],
    );
  });

  it('approves only what the user has seen', async () => {
    const [a, b] = [idOf('a'), idOf('b')];
    const seen = new Map(registry.definitions.map(({ id, fingerprint }) => [id, fingerprint]));
    await edit({ a: { command: 'evil' }, b: { command: 'b' } });
    await registry.approve([a, b], seen);
    assert.deepEqual(lines(), ['project a: needs-approval new', 'project b: ready']);
  });

  it('an edit of one server touches that one alone', async () => {
    await registry.approve([idOf('a'), idOf('b')]);
    const before = registry.get(idOf('a'));
    const change = await edit({ a: { command: 'a' }, b: { command: 'other' }, c: { command: 'c' } });
    assert.deepEqual(namesOf(change), ['c', 'b', '', '']);
    assert.deepEqual(lines(), [
      'project a: ready',
      'project b: needs-approval changed',
      'project c: needs-approval new',
    ]);
    assert.equal(registry.get(idOf('a')), before);
    assert.deepEqual(namesOf(await edit({ a: { command: 'a' } })), ['', '', 'b,c', '']);
  });

  it('a server that stands elsewhere in the file has moved, not changed', async () => {
    await registry.approve([idOf('b')]);
    const change = await edit({ c: { command: 'c' }, a: { command: 'a' }, b: { command: 'b' } });
    assert.deepEqual(namesOf(change), ['c', '', '', 'a,b']);
    assert.equal(registry.get(idOf('b'))?.entry.range.line, 8);
    assert.equal(registry.get(idOf('b'))?.status.kind, 'ready');
  });

  it('a broken entry shows with its problem and costs nothing else', async () => {
    const change = await edit({ a: { command: 'a' }, b: { command: 1 } });
    assert.deepEqual(namesOf(change), ['', 'b', '', '']);
    assert.deepEqual(lines(), ['project a: needs-approval new', 'project b: problem invalid-command']);
  });

  it('is disabled and enabled by the user, and that lasts', async () => {
    await registry.setDisabled(idOf('a'), true);
    close();
    await open();
    assert.equal(lines()[0], 'project a: disabled by user');
    await registry.setDisabled(idOf('a'), false);
    assert.equal(lines()[0], 'project a: needs-approval new');
  });

  it('follows trust and who hosts', async () => {
    editor.trusted = false;
    editor.changed.fire();
    assert.equal(lines()[0], 'project a: blocked untrusted-workspace');
    Object.assign(editor, { trusted: true, hosts: true });
    editor.changed.fire();
    assert.equal(lines()[0], 'project a: disabled by editor');
    assert.equal(registry.hosting, 'undecided');
    await registry.setHosting('switchboard');
    assert.equal(registry.hosting, 'switchboard');
    assert.equal(lines()[0], 'project a: needs-approval new');
  });

  it('an editor that starts nothing by itself hosts what it has only where the user chose it', async () => {
    editor.has = true;
    editor.changed.fire();
    assert.equal(lines()[0], 'project a: needs-approval new');
    await registry.setHosting('editor');
    assert.equal(lines()[0], 'project a: disabled by editor');
    await registry.setHosting('switchboard');
    assert.equal(lines()[0], 'project a: needs-approval new');
  });

  it('follows the lists, also for what a variable stands for', async () => {
    policies = [{ label: 'test', isOrganisation: false, denied: [{ kind: 'command', words: ['evil', '**'] }] }];
    registry.refresh();
    assert.equal(lines()[0], 'project a: blocked policy', 'while nobody has judged');
    await registry.judged();
    assert.equal(lines()[0], 'project a: needs-approval new');
    const spec = { type: 'stdio', command: '/bin/evil', args: ['x'], env: {} } as const;
    assert.equal((await registry.denialOf(idOf('a'), spec))?.rule, 'command evil **');
    assert.equal(await registry.denialOf(idOf('a'), { ...spec, command: 'good' }), undefined);
    policies = [{ label: 'test', isOrganisation: false, denied: [{ kind: 'name', pattern: 'a' }] }];
    registry.refresh();
    assert.equal(lines()[0], 'project a: blocked policy');
  });

  it('adds a server for this session only', async () => {
    const id = registry.addForSession('s', { type: 'stdio', command: 's', args: [], env: {} });
    assert.equal(lines().at(-1), 'dynamic s: ready');
    assert.deepEqual(changes.map(namesOf), [['s', '', '', '']]);
    registry.addForSession('s', { type: 'stdio', command: 't', args: [], env: {} });
    assert.equal(lines().at(-1), 'dynamic s: ready');
    registry.removeAdded(id);
    registry.removeAdded(id);
    assert.deepEqual(changes.map(namesOf).slice(1), [
      ['', 's', '', ''],
      ['', '', 's', ''],
    ]);
    registry.addForSession('s', { type: 'stdio', command: 's', args: [], env: {} });
    close();
    await open();
    assert.equal(lines().length, 2);
  });

  it('adds a server of an extension, which waits for an approval that lasts', async () => {
    const extension = { id: 'a.b', label: 'a.b' };
    const spec = { type: 'sdk', extension: 'a.b', server: 's' } as const;
    const create = async (): Promise<never> => Promise.reject(new Error('not asked for'));
    const id = registry.addForExtension(extension, 's', spec, create);
    assert.equal(lines().at(-1), 'dynamic s: needs-approval new');
    assert.equal(registry.get(id)?.entry.source.label, 'Extension a.b');
    assert.equal(registry.factoryOf(id), create);
    assert.throws(() => registry.addForExtension(extension, 's', spec), /a\.b has registered a server “s” already/);
    const other = registry.addForExtension({ id: 'c.d', label: 'c.d' }, 't', {
      ...spec,
      extension: 'c.d',
      server: 't',
    });
    assert.notEqual(registry.get(other)?.fingerprint, registry.get(id)?.fingerprint);
    await registry.approve([id]);
    assert.equal(registry.get(id)?.status.kind, 'ready');
    assert.equal(registry.get(other)?.status.kind, 'needs-approval');
    registry.removeAdded(id);
    assert.equal(registry.get(id), undefined);
    assert.equal(registry.factoryOf(id), undefined);
    registry.addForExtension(extension, 's', spec, create);
    assert.equal(registry.get(id)?.status.kind, 'ready');
    policies = [{ label: 'test', isOrganisation: true, allowed: [{ kind: 'name', pattern: 't' }], denied: [] }];
    registry.refresh();
    assert.equal(registry.get(id)?.status.kind, 'blocked');
  });

  it('a store that holds nonsense counts as empty', async () => {
    await store.set('servers.approvals', { [idOf('a')]: { verdict: 'approved' }, x: 1 });
    await store.set('servers.disabled', 'all');
    await store.set('servers.hosting', 7);
    registry.refresh();
    assert.equal(lines()[0], 'project a: needs-approval new');
    assert.equal(registry.hosting, 'undecided');
  });
});
