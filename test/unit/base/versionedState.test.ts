import assert from 'node:assert/strict';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { isNewer, type Upgrades, VersionedStore } from '../../../src/base/versionedState.ts';

const UPGRADES: Upgrades = {
  list: [(value) => [value], (value) => ({ all: value })],
  'each/': [(value) => `${String(value)}!`],
};

function open(values: Readonly<Record<string, unknown>>): {
  readonly store: VersionedStore;
  readonly below: MemoryStore;
  readonly warnings: string[];
} {
  const below = new MemoryStore();
  for (const [key, value] of Object.entries(values)) void below.set(key, value);
  const warnings: string[] = [];
  const log = { log: (_level: string, message: string) => void warnings.push(message) };
  return { store: new VersionedStore(below, log, UPGRADES), below, warnings };
}

describe('a store whose values have versions', () => {
  it('writes the version, and gives the value', async () => {
    const { store, below } = open({});
    await store.set('list', { all: [1] });
    await store.set('each/a', 'x');
    await store.set('other', 7);
    assert.deepEqual(
      ['list', 'each/a', 'other', 'none'].map((key) => [below.get(key), store.get(key)]),
      [
        [{ version: 3, value: { all: [1] } }, { all: [1] }],
        [{ version: 2, value: 'x' }, 'x'],
        [{ version: 1, value: 7 }, 7],
        [undefined, undefined],
      ],
    );
    await store.set('other', undefined);
    assert.equal(below.get('other'), undefined);
  });

  it('upgrades what earlier versions wrote, from each of them, and writes it with the next change', async () => {
    const bare = open({ list: 1, 'each/a': 'x', lists: 1 });
    assert.deepEqual(bare.store.get('list'), { all: [1] });
    assert.equal(bare.store.get('each/a'), 'x!');
    assert.equal(bare.store.get('lists'), 1, 'another key that begins like it');
    const second = open({ list: { version: 2, value: [1, 2] } });
    assert.deepEqual(second.store.get('list'), { all: [1, 2] });
    assert.deepEqual(second.below.get('list'), { version: 2, value: [1, 2] });
    await second.store.set('list', second.store.get('list'));
    assert.deepEqual(second.below.get('list'), { version: 3, value: { all: [1, 2] } });
  });

  it('leaves alone what a later version wrote, says so once, and goes on with its own for as long as it lasts', async () => {
    const later = { version: 4, value: 'unknown' };
    const { store, below, warnings } = open({ list: later });
    assert.equal(store.get('list'), undefined);
    await store.set('list', { all: [5] });
    assert.deepEqual(store.get('list'), { all: [5] });
    await store.set('list', undefined);
    assert.equal(store.get('list'), undefined);
    assert.deepEqual(below.get('list'), later);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /“list” was saved by a later version/);
  });

  it('takes no value of its own for a version', () => {
    for (const value of [{ version: 1 }, { version: '2', value: 1 }, { version: 9, value: 1, more: true }])
      assert.deepEqual(open({ other: value }).store.get('other'), value);
  });

  it('takes only a whole number from 1 on for a version', () => {
    for (const version of [0, -1, 1.5, '3', null]) {
      const value = { version, value: 1 };
      assert.deepEqual(open({ other: value }).store.get('other'), value);
      assert.deepEqual(
        open({ list: value }).store.get('list'),
        { all: [value] },
        'upgraded from the first, as a whole',
      );
      assert.equal(isNewer(value, 1), false);
    }
    assert.equal(isNewer({ version: 2 }, 1), true);
  });

  it('leaves alone what can’t be upgraded, says so once, and goes on with its own for as long as it lasts', async () => {
    const below = new MemoryStore();
    await below.set('broken', { version: 2, value: { all: 1 } });
    const warnings: string[] = [];
    const log = { log: (_level: string, message: string) => void warnings.push(message) };
    const broken = [
      (value: unknown) => value,
      (value: unknown): never => {
        (value as { all: unknown }).all = 'changed before it failed';
        throw new Error('no list');
      },
    ];
    const store = new VersionedStore(below, log, { broken });
    assert.equal(store.get('broken'), undefined);
    await store.set('broken', 5);
    assert.equal(store.get('broken'), 5);
    await store.set('broken', undefined);
    assert.equal(store.get('broken'), undefined);
    assert.deepEqual(below.get('broken'), { version: 2, value: { all: 1 } });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /“broken” can’t be upgraded \(no list\) and stays as it is/);
    const mended = new VersionedStore(below, log, { broken: [(value) => value, (value) => [value]] });
    assert.deepEqual(mended.get('broken'), [{ all: 1 }]);
  });

  it('tells what can’t be understood from what isn’t there, until this window decides', async () => {
    const fails = (): never => {
      throw new Error('no');
    };
    const below = new MemoryStore();
    await below.set('later', { version: 2, value: 1 });
    await below.set('broken', 1);
    await below.set('fine', 1);
    const store = new VersionedStore(below, { log: () => undefined }, { broken: [fails] });
    const unreadable = (): readonly string[] =>
      ['later', 'broken', 'fine', 'none'].filter((key) => store.isUnreadable(key));
    assert.deepEqual(unreadable(), ['later', 'broken']);
    await store.set('later', 5);
    await store.set('broken', undefined);
    assert.deepEqual(unreadable(), []);
    const ofTheStore = Object.assign(new MemoryStore(), { isUnreadable: (key: string) => key === 'none' });
    assert.equal(new VersionedStore(ofTheStore, { log: () => undefined }, {}).isUnreadable('none'), true);
  });

  it('upgrades a value once, as long as the store gives the same', async () => {
    let times = 0;
    const upgrade = (value: unknown): unknown => ({ all: value, times: ++times });
    const below = new MemoryStore();
    await below.set('list', [1]);
    const store = new VersionedStore(below, { log: () => undefined }, { list: [upgrade] });
    assert.equal(store.get('list'), store.get('list'));
    await below.set('list', [2]);
    assert.deepEqual(
      [store.get('list'), store.get('list')],
      [
        { all: [2], times: 2 },
        { all: [2], times: 2 },
      ],
    );
    assert.deepEqual(below.get('list'), [2]);
  });
});
