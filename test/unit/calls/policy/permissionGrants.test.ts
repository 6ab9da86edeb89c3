import { strict as assert } from 'node:assert';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { Grants, type GrantKey, type GrantRequest } from '../../../../src/calls/policy/permissionGrants.ts';

const key: GrantKey = { serverId: 'project:a#notes', fingerprint: 'f1', tool: 'delete_note', pin: 'p1' };
const request = (change: Partial<GrantKey> = {}): GrantRequest => ({
  key: { ...key, ...change },
  serverName: 'notes',
  at: 1,
});

describe('grants', () => {
  it('a grant for one tool opens no other tool, server or definition', async () => {
    const grants = new Grants(new MemoryStore());
    await grants.grantAlways(request());
    assert.equal(grants.has(key, {}), true);
    assert.equal(grants.has({ ...key, tool: 'delete_all_notes' }, {}), false);
    assert.equal(grants.has({ ...key, serverId: 'project:b#notes' }, {}), false);
    assert.equal(grants.has({ ...key, fingerprint: 'f2' }, {}), false);
    assert.equal(grants.has({ ...key, pin: 'p2' }, {}), false);
  });

  it('a grant is for one caller; one from before callers were kept is for the editor’s own agents', async () => {
    const store = new MemoryStore();
    await new Grants(store).grantAlways(request({ caller: 'extension:a.b' }));
    await store.set('grants', [
      ...(store.get('grants') as object[]),
      { ...key, id: 'old', serverName: 'notes', at: 1 },
    ]);
    const grants = new Grants(store);
    const callers = [undefined, 'extension:a.b', 'extension:c.d', 'outside'];
    const has = callers.map((caller) => grants.has({ ...key, ...(caller === undefined ? {} : { caller }) }, {}));
    assert.deepEqual(has, [true, true, false, false]);
    await grants.grantOpenWorld(key, true);
    await grants.grantOpenWorld({ ...key, caller: 'outside' }, false);
    const later = new Grants(store);
    assert.deepEqual([later.hasOpenWorld(key), later.hasOpenWorld({ ...key, caller: 'outside' })], [true, false]);
  });

  it('session grants end with the session, lasting ones do not', async () => {
    const store = new MemoryStore();
    const first = new Grants(store);
    first.grantForSession(request({ tool: 'add_note' }));
    await Promise.all([
      first.grantAlways(request()),
      first.grantAlways(request()),
      first.grantAlways(request({ tool: 'x' })),
    ]);
    const second = new Grants(store);
    assert.equal(first.has({ ...key, tool: 'add_note' }, {}), true);
    assert.equal(second.has({ ...key, tool: 'add_note' }, {}), false);
    assert.deepEqual(
      second.all.map(({ tool }) => tool),
      ['delete_note', 'x'],
    );
  });

  it('one for these arguments opens no other arguments, and shows them masked', async () => {
    const store = new MemoryStore();
    const grants = new Grants(store);
    await grants.grantAlways({ ...request(), args: { title: 'a', token: 's3cret' } });
    assert.equal(grants.has(key, { token: 's3cret', title: 'a' }), true);
    assert.equal(grants.has(key, { title: 'b', token: 's3cret' }), false);
    assert.equal(grants.has(key, {}), false);
    assert.ok(!JSON.stringify(store.get('grants')).includes('s3cret'));
    assert.match(grants.all[0]?.argsText ?? '', /"title": "a"/);
  });

  it('are taken back one by one', async () => {
    const store = new MemoryStore();
    const grants = new Grants(store);
    await grants.grantAlways(request());
    await grants.grantAlways({ ...request(), args: { title: 'a' } });
    grants.grantForSession(request({ tool: 'other' }));
    const [whole, withArgs, other] = grants.all;
    await grants.revoke(whole?.id ?? '');
    assert.equal(grants.has(key, { title: 'a' }), true);
    assert.equal(grants.has(key, {}), false);
    await grants.revoke(withArgs?.id ?? '');
    assert.equal(grants.has(key, { title: 'a' }), false);
    await grants.revoke(other?.id ?? '');
    assert.deepEqual(grants.all, []);
    assert.deepEqual(new Grants(store).all, []);
  });

  it('keeps what the store holds in another shape from counting', async () => {
    const store = new MemoryStore();
    await store.set('grants', ['all', { serverId: 'project:a#notes' }, null, key]);
    assert.deepEqual(new Grants(store).all, []);
  });

  it('leave for the open world is per server and definition', async () => {
    const grants = new Grants(new MemoryStore());
    const server = { serverId: 'a', fingerprint: 'f1' };
    await grants.grantOpenWorld(server, false);
    assert.equal(grants.hasOpenWorld(server), true);
    assert.equal(grants.hasOpenWorld({ ...server, fingerprint: 'f2' }), false);
    assert.equal(grants.hasOpenWorld({ ...server, serverId: 'b' }), false);
    assert.equal(grants.has({ serverId: 'a', fingerprint: 'f1', tool: 'fetch', pin: 'p' }, {}), false);
  });
});
