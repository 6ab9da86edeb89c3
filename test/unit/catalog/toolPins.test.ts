import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { comparePins, isUnreadableChange, pinAll, pinTool } from '../../../src/catalog/pinChanges.ts';
import { PinStore, pinVerdict } from '../../../src/catalog/toolPins.ts';
import { INSTRUCTIONS } from '../../../src/catalog/pinningModes.ts';
import { VersionedStore } from '../../../src/base/versionedState.ts';
import { type KeyValueStore, MemoryStore } from '../../../src/base/keyValueStore.ts';
import type { McpTool } from '../../../src/connection/connectionTypes.ts';
import { mcpTool } from './tools.ts';

/** Whether a pin has no texts of its own. */
function isMade(pin: object): boolean {
  return Object.getOwnPropertyDescriptor(pin, 'inputSchema')?.get !== undefined;
}

describe('pins', () => {
  it('depend on name, title, description and schema, and on nothing else', () => {
    const tool = mcpTool('t', 'd', { a: 'x' });
    const { hash } = pinTool(tool);
    equal(pinTool({ ...tool, annotations: { readOnlyHint: true }, outputSchema: {} }).hash, hash);
    equal(
      pinTool({ ...tool, inputSchema: { properties: tool.inputSchema['properties'] ?? {}, type: 'object' } }).hash,
      hash,
    );
    for (const other of [{ name: 'u' }, { title: 'T' }, { description: 'e' }, { inputSchema: {} }]) {
      notEqual(pinTool({ ...tool, ...other }).hash, hash);
    }
  });

  it('tell what was added, removed, changed and renamed', () => {
    const before = pinAll([
      mcpTool('same', 's'),
      mcpTool('gone', 'g'),
      mcpTool('old_name', 'r'),
      mcpTool('edited', 'one'),
    ]);
    const after = pinAll([
      mcpTool('same', 's'),
      mcpTool('fresh', 'f'),
      mcpTool('new_name', 'r'),
      mcpTool('edited', 'two'),
    ]);
    deepEqual(
      comparePins(before, after).map((change) => [change.kind, change.name, 'before' in change ? change.before : '']),
      [
        ['changed', 'edited', ''],
        ['added', 'fresh', ''],
        ['removed', 'gone', ''],
        ['renamed', 'new_name', 'old_name'],
      ],
    );
  });

  it("don't guess a rename where two tools have one body", () => {
    const kinds = comparePins(pinAll([mcpTool('a', 'x'), mcpTool('b', 'x')]), pinAll([mcpTool('c', 'x')])).map(
      ({ kind }) => kind,
    );
    deepEqual(kinds, ['removed', 'removed', 'changed'], 'a change of one of them, and no addition');
  });

  it('make their texts when they are read, and are written and compared whole', () => {
    const pin = pinTool({ ...mcpTool('a', 'd', { x: 'X' }), title: 'T', annotations: { readOnlyHint: true } });
    const written = JSON.parse(JSON.stringify(pin)) as typeof pin;
    deepEqual(Object.keys(written).toSorted(), [
      ...['annotations', 'bodyHash', 'description', 'hash', 'inputSchema', 'output', 'title'],
    ]);
    deepEqual(pin, written);
    deepEqual([written.title, written.description, written.annotations], ['T', 'd', '{"readOnlyHint":true}']);
    deepEqual(JSON.parse(written.inputSchema), mcpTool('a', 'd', { x: 'X' }).inputSchema);
    equal(isMade(pin), true);
  });

  it('sort a schema once in a turn, however often they are read', () => {
    let looks = 0;
    const ownKeys = (target: object): (string | symbol)[] => {
      looks += 1;
      return Reflect.ownKeys(target);
    };
    const tool = mcpTool('a');
    const inputSchema = new Proxy<McpTool['inputSchema']>({ ...tool.inputSchema }, { ownKeys });
    const pin = pinTool({ ...tool, inputSchema });
    const once = looks;
    deepEqual([pin.bodyHash, pin.inputSchema, JSON.parse(JSON.stringify(pin))], [pin.bodyHash, pin.inputSchema, pin]);
    deepEqual([once > 0, looks], [true, once]);
  });

  it('from the store hold no texts once the server has listed the same tools', () => {
    const store = new MemoryStore();
    const tools = [mcpTool('same', 's'), mcpTool('gone', 'g')];
    const pinOf = (name: string): object =>
      (store.get('pins/server') as { readonly pins: Record<string, object> }).pins[name] ?? {};
    new PinStore(store).examine('server', 'f', tools, 'warn');
    const written = structuredClone(pinOf('same'));
    equal(isMade(pinOf('same')), false, 'read from the store');
    equal(new PinStore(store).examine('server', 'f', tools.slice(0, 1), 'warn').size, 0);
    deepEqual([isMade(pinOf('same')), isMade(pinOf('gone'))], [true, false]);
    deepEqual(pinOf('same'), written);
    const [open] = new PinStore(store).examine('server', 'f', [mcpTool('same', 'other')], 'block').values();
    deepEqual(open?.change.kind === 'changed' && open.change.pinned.description, 's');
  });

  describe('that can’t be read', () => {
    const fails = (): never => {
      throw new Error('no');
    };
    const stored = (value: unknown): MemoryStore => {
      const store = new MemoryStore();
      void store.set('pins/server', value);
      return store;
    };
    const silent = { log: () => undefined };
    const causes: Readonly<Record<string, () => KeyValueStore>> = {
      'since a later version saved them': () => new VersionedStore(stored({ version: 2, value: 1 }), silent, {}),
      'since an upgrade failed': () => new VersionedStore(stored({}), silent, { 'pins/': [fails] }),
      'since the store can’t': () => Object.assign(new MemoryStore(), { isUnreadable: fakedFor('pins/server') }),
      'since they have another form': () => stored({ fingerprint: 'f', pins: { a: { hash: 1 } } }),
      'since they are no pins': () => stored(null),
    };
    /** Until the store has a value. */
    function fakedFor(unreadable: string): (this: MemoryStore, key: string) => boolean {
      return function (key) {
        return key === unreadable && this.get(key) === undefined;
      };
    }
    const tools = [mcpTool('a', 'x'), mcpTool('b', 'y')];
    const said = (description: string): McpTool => ({ ...mcpTool(INSTRUCTIONS, description), inputSchema: {} });
    const look = (store: KeyValueStore, list: readonly McpTool[], mode: 'off' | 'warn' | 'block'): string[] =>
      [...new PinStore(store).examine('server', 'f', list, mode).values()].map(
        ({ change, verdict }) => `${change.name} ${verdict} ${isUnreadableChange(change)}`,
      );

    for (const [cause, open] of Object.entries(causes))
      it(`${cause}: each tool waits for a look of its own, also in the next window`, () => {
        const store = open();
        equal(new PinStore(store).has('server', 'f', 'z'), true, 'nobody can tell');
        deepEqual(look(store, [...tools, said('')], 'warn'), ['a warn true', 'b warn true']);
        deepEqual(look(store, [...tools, said('')], 'block'), ['a block true', 'b block true']);
        new PinStore(store).accept('server', 'f', tools.slice(0, 1));
        deepEqual(look(store, [...tools, said('')], 'block'), ['b block true']);
        deepEqual(look(store, [...tools, said('obey')], 'block'), ['b block true', `${INSTRUCTIONS} block false`]);
        deepEqual(look(open(), [said('obey')], 'block'), [`${INSTRUCTIONS} block true`]);
        deepEqual(look(open(), tools, 'off'), []);
      });

    it('whatever the server lists later, and under whatever name, waits for a look, too', () => {
      for (const mode of ['warn', 'block'] as const) {
        const store = stored(null);
        deepEqual(look(store, [], mode), []);
        deepEqual(look(store, tools, mode), [`a ${mode} true`, `b ${mode} true`]);
        new PinStore(store).accept('server', 'f', tools);
        deepEqual(look(store, [...tools, mcpTool('c', 'y')], mode), [`c ${mode} true`]);
        new PinStore(store).acknowledge('server', 'f', 'a');
        deepEqual(look(store, [mcpTool('a', 'x'), mcpTool('d', 'y')], mode), [`d ${mode} true`]);
        // Approved anew, the first list is what is approved.
        deepEqual([...new PinStore(store).examine('server', 'another', tools, mode).keys()], []);
        deepEqual(
          [...new PinStore(store).examine('server', 'another', [...tools, mcpTool('e', 'z')], 'warn').keys()],
          [],
        );
      }
    });

    it('nor compared, since the server was approved anew: they need no look', () => {
      for (const pins of [{}, { a: 1 }, 'none'])
        deepEqual(look(stored({ fingerprint: 'other', pins }), tools, 'block'), []);
    });
  });

  it('are judged by the setting', () => {
    const [changed] = comparePins(pinAll([mcpTool('a', 'x')]), pinAll([mcpTool('a', 'y')]));
    const verdicts = (['off', 'warn', 'block'] as const).map((mode) => pinVerdict(mode, changed));
    deepEqual(verdicts, ['ok', 'warn', 'block']);
    equal(pinVerdict('block', undefined), 'ok');
    equal(pinVerdict('block', { kind: 'added', name: 'a', current: pinTool(mcpTool('a', 'x')) }), 'warn');
  });
});
