import assert, { deepEqual, equal, notDeepEqual } from 'node:assert/strict';
import type { Clock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { exactNumber } from '../../../src/base/json/exactNumber.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { CatalogCache } from '../../../src/catalog/catalogCache.ts';
import { pinTool } from '../../../src/catalog/pinChanges.ts';
import { carriedTool, cleanToolList } from '../../../src/connection/cleaning/cleanTools.ts';
import type { McpTool } from '../../../src/connection/connectionTypes.ts';
import { mcpTool } from './tools.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('catalog cache', () => {
  const time = { now: 0 };
  const clock: Clock = { now: () => time.now, schedule: () => toDisposable(() => undefined) };
  const server = {
    fingerprint: 'f',
    serverVersion: '1.0.0',
    protocolVersion: '2025-11-25',
    era: 'legacy',
    tools: [mcpTool('x', 'd')],
  } as const;
  let store: MemoryStore;
  let cache: CatalogCache;
  beforeEach(() => {
    time.now = 1000;
    store = new MemoryStore();
    cache = new CatalogCache(store, clock);
  });

  it('gives back what was saved, with its time', async () => {
    const annotations = { title: 't', readOnlyHint: true };
    const full = {
      ...mcpTool('x', 'd'),
      annotations,
      title: 't',
      alwaysLoad: true,
      outputSchema: {},
      icons: [],
      meta: {},
    } as const;
    await cache.save('b', { ...server, tools: [full] });
    deepEqual(cache.load('b', 'f')?.tools, [full]);
    await cache.drop('b');
    await cache.save('a', server);
    deepEqual(cache.load('a', 'f'), { ...server, savedAt: 1000 });
    equal(cache.load('b', 'f'), undefined);
  });

  it('a tool whose numbers a double hasn’t is the same for its pin after it was stored', async () => {
    const schemaOf = (digits: string): JsonObject => ({
      properties: { id: { default: exactNumber(digits) as never } },
    });
    const toolOf = (digits: string, outputDigits = digits): McpTool => {
      const [listed] = cleanToolList({
        tools: [{ name: 'x', inputSchema: schemaOf(digits), outputSchema: schemaOf(outputDigits) }],
      }).result['tools'] as [{ name: string; inputSchema: unknown; _meta: unknown }];
      return carriedTool(listed);
    };
    const tool = toolOf('9007199254740993');
    await cache.save('a', { ...server, tools: [tool] });
    const [kept] = cache.load('a', 'f')?.tools ?? [];
    assert(kept);
    deepEqual(pinTool(kept), pinTool(tool));
    assert(pinTool(kept).inputSchema.includes('9007199254740993'), 'a review shows the digits');
    for (const other of [toolOf('9007199254740992'), toolOf('9007199254740993', '9007199254740995')])
      notDeepEqual(pinTool(kept), pinTool(other));
  });

  it('forgets what another configuration, another shape, or a long time ago left', async () => {
    await cache.save('a', server);
    equal(cache.load('a', 'other'), undefined);
    time.now += 31 * DAY_MS;
    equal(cache.load('a', 'f'), undefined);
    for (const broken of [
      7,
      {},
      { fingerprint: 'f', tools: 'x' },
      ...[
        {},
        { description: 7 },
        { title: null },
        { annotations: { title: 7 } },
        { annotations: { readOnlyHint: 'yes' } },
        { annotations: [] },
        { inputSchema: [] },
        { outputSchema: 'x' },
        { icons: {} },
        { alwaysLoad: 'yes' },
      ].map((field) => ({
        ...server,
        savedAt: 1,
        tools: [Object.keys(field).length === 0 ? {} : { ...mcpTool('x', 'd'), ...field }],
      })),
      { ...server, savedAt: 1, instructions: 7 },
    ]) {
      await store.set('catalog/a', broken);
      equal(cache.load('a', 'f'), undefined);
    }
  });

  it('drops a server', async () => {
    await cache.save('a', server);
    await cache.drop('a');
    equal(cache.load('a', 'f'), undefined);
  });
});
