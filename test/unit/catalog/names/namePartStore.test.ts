import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { ServerPartStore } from '../../../../src/catalog/names/namePartStore.ts';
import type { Scope } from '../../../../src/config/configTypes.ts';
import type { ServerDefinition, ServerStatus } from '../../../../src/servers/serverTypes.ts';

interface Given {
  readonly scope?: Scope;
  readonly folder?: string;
  readonly status?: ServerStatus['kind'];
  readonly shown?: string;
}

/** A definition, as far as names depend on it. */
function defined(
  name: string,
  { scope = 'user', folder = '', status = 'ready', shown = name }: Given = {},
): ServerDefinition {
  const source = { id: folder, scope, label: scope };
  return {
    id: `${scope}:${folder}#${name}`,
    name: shown,
    entry: { name, scope, source, disabled: false },
    fingerprint: '',
    status: { kind: status },
  } as unknown as ServerDefinition;
}

/** A workspace that is opened again and again; each time with other servers. */
class Workspace {
  readonly store = new MemoryStore();
  book = new ServerPartStore(this.store);

  /** The parts of these servers, which are all that there are. */
  with(...servers: ServerDefinition[]): (string | undefined)[] {
    this.book.settle(servers);
    return servers.map(({ id }) => this.book.known(id));
  }

  reopen(): this {
    this.book = new ServerPartStore(this.store);
    return this;
  }
}

describe('server parts, kept for the workspace', () => {
  const mixed = defined('GitHub');
  const affixed = defined('github-mcp');
  const long = defined('github-mcp-server');
  const plain = defined('github');

  it('go to the server of exactly this name where several want one at once, whatever their order', () => {
    for (const order of [
      [mixed, affixed, plain],
      [plain, affixed, mixed],
      [affixed, mixed, plain],
    ]) {
      const parts = new Workspace();
      parts.with(...order);
      equal(parts.book.known(plain.id), 'github');
      equal(parts.book.known(affixed.id), 'github-mcp');
      match(parts.book.known(mixed.id) ?? '', /^github-[a-z0-9]{4}$/);
    }
  });

  it('stay with the server that has them when one is added, now and after a restart', () => {
    const workspace = new Workspace();
    deepEqual(workspace.with(mixed), ['github']);
    const [first, second] = workspace.with(mixed, plain);
    equal(first, 'github');
    match(second ?? '', /^github-[a-z0-9]{4}$/);
    deepEqual(workspace.reopen().with(plain, mixed), [second, 'github']);
    deepEqual(workspace.reopen().with(long, plain, mixed).slice(1), [second, 'github']);
  });

  it('are there again for a server that was removed and is added again, with others added and removed meanwhile', () => {
    const workspace = new Workspace();
    workspace.with(mixed, affixed);
    const before = workspace.with(mixed, affixed);
    workspace.with(affixed);
    deepEqual(workspace.reopen().with(affixed, mixed), [before[1], before[0]]);
    workspace.with();
    deepEqual(workspace.reopen().with(mixed, affixed), before);
  });

  it('of a server that is gone are free for one that needs them, and the one that is there keeps it', () => {
    const workspace = new Workspace();
    workspace.with(affixed);
    deepEqual(workspace.with(mixed), ['github'], 'it replaced the other');
    deepEqual(workspace.reopen().with(affixed, mixed), ['github-mcp', 'github']);
  });

  it('go with the name to another scope or file', () => {
    const workspace = new Workspace();
    workspace.with(mixed);
    deepEqual(workspace.with(defined('GitHub', { scope: 'project', folder: '/a' })), ['github']);
    const hidden = defined('GitHub', { status: 'shadowed' });
    deepEqual(workspace.with(defined('GitHub', { scope: 'local' }), hidden), ['github', undefined]);
    deepEqual(workspace.with(mixed), ['github']);
  });

  it('are kept for a server that is off, and not given to one that may not run', () => {
    const workspace = new Workspace();
    workspace.with(mixed);
    const off = defined('GitHub', { status: 'disabled' });
    const [first, second] = workspace.with(off, plain);
    equal(first, 'github');
    notEqual(second, 'github');
    const waiting = defined('notes', { scope: 'project', folder: '/a', status: 'needs-approval' });
    deepEqual(workspace.with(waiting, defined('notes-mcp')), [undefined, 'notes']);
  });

  it('go to the user’s own server before one of a repository, also where that one has exactly the name', () => {
    const theirs = defined('github', { scope: 'project', folder: '/a' });
    const workspace = new Workspace();
    const [first, second] = workspace.with(theirs, affixed);
    equal(second, 'github');
    match(first ?? '', /^github-[a-z0-9]{4}$/);
  });

  it('tell the servers of two folders apart, also of two folders of one name', () => {
    const workspace = new Workspace();
    const one = defined('notes', { scope: 'project', folder: '/a/app', shown: 'notes (/a/app)' });
    const two = defined('notes', { scope: 'project', folder: '/b/app', shown: 'notes (/b/app)' });
    const [first, second] = workspace.with(one, two);
    equal(first, 'notes');
    notEqual(second, first);
    deepEqual(workspace.reopen().with(two, one), [second, first]);
    const alone = defined('notes', { scope: 'project', folder: '/a/app' });
    deepEqual(workspace.with(alone), ['notes']);
  });

  it('of 200 servers of one long name differ, and those that are gone don’t pile up', () => {
    const workspace = new Workspace();
    const many = Array.from({ length: 600 }, (_, index) => defined(`${'n'.repeat(200)}${index}`));
    const parts = workspace.with(...many);
    equal(new Set(parts).size, many.length);
    workspace.with(plain);
    equal((workspace.store.get('names.servers') as unknown[]).length, 201);
  });

  it('that aren’t parts, or twice there, are no parts of anything', async () => {
    const store = new MemoryStore();
    const { id } = mixed;
    await store.set('names.servers', [
      ...['GitHub', 'a__b', 'a_', '', 'x'.repeat(12)].map((part) => ({ part, id, name: 'GitHub' })),
      { part: 'git', id: plain.id, name: 'github' },
      { part: 'git', id: affixed.id, name: 'github-mcp' },
      null,
      'github',
    ]);
    const book = new ServerPartStore(store);
    book.settle([mixed, plain, affixed]);
    equal(new Set([mixed, plain, affixed].map(({ id: each }) => book.known(each))).size, 3);
    equal(book.known(plain.id), 'github');
    match(book.known(id) ?? '', /^github-[a-z0-9]{4}$/);
  });
});
