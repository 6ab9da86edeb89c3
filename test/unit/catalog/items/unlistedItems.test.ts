import { strict as assert } from 'node:assert';
import { systemClock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { PinnedItems, type PinnedKind } from '../../../../src/catalog/items/pinnedItems.ts';
import { PinStore } from '../../../../src/catalog/toolPins.ts';
import type { ServerNotification, Session } from '../../../../src/connection/connectionTypes.ts';

const KIND: PinnedKind = {
  noun: 'skill',
  notification: 'notifications/resources/list_changed',
  list: async () => Promise.resolve({ items: [], leftOut: [], freshForMs: 60_000 }),
  nameOf: ({ uri }) => String(uri),
  asTool: ({ uri }) => ({ name: String(uri), inputSchema: {}, annotations: {} }),
};

describe('items that a server has and doesn’t list', () => {
  let items: PinnedItems;
  let notifications: Emitter<ServerNotification>;
  let session: Session;
  const names = (): readonly unknown[] => items.lastListed('server').map(({ uri }) => uri);

  beforeEach(() => {
    notifications = new Emitter();
    session = { onNotification: notifications.event } as unknown as Session;
    const pins = new PinStore(new MemoryStore(), 'skill');
    items = new PinnedItems(
      { clock: systemClock, pins, fingerprintOf: () => 'fingerprint', pinning: () => 'warn' },
      KIND,
    );
  });
  afterEach(() => notifications.dispose());

  it('are known up to a number, the last that were given', async () => {
    for (let index = 0; index < 250; index++) await items.add('server', session, { uri: `skill://${index}` });
    await items.add('server', session, { uri: 'skill://60' });
    assert.equal(names().length, 200);
    assert.deepEqual([names()[0], names().at(-1)], ['skill://50', 'skill://60']);
  });

  it('are known until the server says that its items changed, or somebody wants to know anew', async () => {
    for (const end of [
      () => notifications.fire({ method: KIND.notification, params: {} }),
      () => items.forget(session),
    ]) {
      await items.add('server', session, { uri: 'skill://a' });
      assert.deepEqual(names(), ['skill://a']);
      end();
      await items.known('server', session);
      assert.deepEqual(names(), []);
    }
  });
});
