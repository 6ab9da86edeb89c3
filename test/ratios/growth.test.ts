import assert from 'node:assert/strict';
import { createServer } from '../../bench/scale/manyTools.ts';
import { MemoryStore } from '../../src/base/keyValueStore.ts';
import { TestHost } from '../support/testHost.ts';

const TOOLS = 20;

/** How often the core asked for something of its surroundings, while so many servers came up at once. */
async function counted(servers: number): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  class Store extends MemoryStore {
    override get(key: string): unknown {
      count(`store.get ${key.split('/')[0]}`);
      return super.get(key);
    }

    override set(key: string, value: unknown): Promise<void> {
      count(`store.set ${key.split('/')[0]}`);
      return super.set(key, value);
    }
  }
  const settings = {
    localConcurrency: 20,
    remoteConcurrency: 20,
    handshakeTimeoutMs: 60_000,
    discoveryTimeoutMs: 60_000,
    callTimeoutMs: 60_000,
  };
  const rig = new TestHost({
    store: new Store(),
    ports: {
      settings: () => {
        count('settings');
        return settings;
      },
      workspaceFolders: () => {
        count('workspaceFolders');
        return [];
      },
    },
  });
  try {
    await rig.host.start();
    rig.host.onDidChange(() => count('change'));
    rig.host.catalog.onDidChange(() => count('catalog change'));
    rig.host.pool.onDidChangeState(() => count('state change'));
    const ids = Array.from({ length: servers }, (_, place) =>
      rig.host.servers.addForExtension(
        { id: 'test.growth', label: 'Growth' },
        `server-${place}`,
        { type: 'sdk', extension: 'test.growth', server: `server-${place}` },
        async () => createServer(place, TOOLS).inProcess,
      ),
    );
    await rig.host.servers.approve(ids);
    await rig.until(() => rig.host.catalog.tools.length === servers * TOOLS, 60_000);
  } finally {
    await rig.stop();
  }
  return counts;
}

describe('what servers that come up ask for', () => {
  it('grows as their number does', async () => {
    const [some, twice] = [await counted(40), await counted(80)];
    const grown = [...twice].map(([what, count]) => ({ what, count, before: some.get(what) ?? 0 }));
    const tooMuch = grown.filter(({ count, before }) => count > 2.2 * before + 10);
    assert.deepEqual(tooMuch, []);
    assert.ok(grown.length > 5, `${grown.length} counts`);
  });
});
