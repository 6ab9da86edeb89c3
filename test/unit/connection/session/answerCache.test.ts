import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Session } from '../../../../src/connection/connectionTypes.ts';
import { AnswerCache } from '../../../../src/connection/session/answerCache.ts';
import { eventually } from '../../../support/eventually.ts';
import { HoldingServer } from '../../../support/keptAnswers.ts';
import { PoolHarness } from '../harness.ts';
import { ManualClock } from '../manualClock.ts';

const READ = 'resources/read';
const UPDATED = 'notifications/resources/updated';

describe('answers that hold for a time', function () {
  this.timeout(20_000);
  let harness: PoolHarness;
  let holding: HoldingServer;
  let session: Session;

  before(async () => {
    harness = new PoolHarness();
    holding = new HoldingServer(600_000);
    const connection = await harness.connect({ type: 'sdk', server: holding.server });
    assert.ok(connection.session);
    ({ session } = connection);
    assert.equal(session.info.protocolVersion, '2026-07-28');
  });

  after(() => harness.end());

  const read = async (uri: string): Promise<string> => {
    const { ttlMs: _left, ...answer } = await session.request(READ, { uri }, 5_000);
    return JSON.stringify(answer);
  };

  it('are asked for once: resources, their lists, and those of prompts', async () => {
    const first = await read('note://a');
    assert.equal(await read('note://a'), first);
    assert.notEqual(await read('note://b'), first);
    assert.deepEqual([holding.count(`${READ} note://a`), holding.count(`${READ} note://b`)], [1, 1]);
    for (const list of ['resources/list', 'resources/templates/list', 'prompts/list']) {
      await session.request(list, {}, 5_000);
      await session.request(list, {}, 5_000);
      assert.equal(holding.count(list), 1, list);
    }
  });

  it('are asked for again where the server says that they are others, and no others are', async () => {
    const subscription = await session.subscribe('note://a');
    holding.notify.resourceUpdated('note://a');
    await eventually('it is read again', async () => {
      await read('note://a');
      return holding.count(`${READ} note://a`) === 2;
    });
    await read('note://b');
    assert.equal(holding.count(`${READ} note://b`), 1);
    holding.notify.promptsChanged();
    await eventually('prompts are listed again', async () => {
      await session.request('prompts/list', {}, 5_000);
      return holding.count('prompts/list') === 2;
    });
    assert.equal(holding.count('resources/list'), 1);
    subscription.dispose();
  });

  it('are asked for again where the user wants to see what there is, and where a request says something of its own', async () => {
    const before = holding.count(`${READ} note://b`);
    session.forgetAnswers();
    await read('note://b');
    assert.equal(holding.count(`${READ} note://b`), before + 1);
    for (let time = 0; time < 2; time += 1)
      await session.request(READ, { uri: 'note://b', _meta: { 'example.com/lang': 'de' } }, 5_000);
    assert.equal(holding.count(`${READ} note://b`), before + 3);
    await session.request(READ, { uri: 'note://b', _meta: { traceparent: '00-1-2-01' } }, 5_000);
    assert.equal(holding.count(`${READ} note://b`), before + 3, 'a trace asks for nothing else');
  });

  it('are another connection’s own, so that no account gets those of another', async () => {
    const other = await harness.connect({ type: 'sdk', server: holding.server }, 'other');
    const before = holding.count('resources/list');
    await other.session?.request('resources/list', {}, 5_000);
    assert.equal(holding.count('resources/list'), before + 1);
  });
});

describe('the memory of answers', () => {
  const clock = new ManualClock();
  let asked = 0;
  const answer =
    (ttlMs: unknown, text = '') =>
    async (): Promise<JsonObject> => ({
      n: (asked += 1),
      text,
      ...(ttlMs === undefined ? {} : { ttlMs: ttlMs as number }),
    });
  const get = async (cache: AnswerCache, uri: string, ask: () => Promise<JsonObject>): Promise<unknown> =>
    (await cache.answer(READ, { uri }, ask))['n'];

  beforeEach(() => (asked = 0));

  it('holds for as long as was said, an hour at most, and not at all for nothing', async () => {
    const cache = new AnswerCache(clock);
    for (const ttlMs of [undefined, 0, -1, 'soon', Number.NaN]) {
      await get(cache, 'a', answer(ttlMs));
      await get(cache, 'a', answer(ttlMs));
    }
    assert.equal(asked, 10);
    await get(cache, 'b', answer(1_000));
    clock.advance(999);
    assert.equal(await get(cache, 'b', answer(1_000)), 11);
    clock.advance(1);
    assert.equal(await get(cache, 'b', answer(1e12)), 12);
    clock.advance(60 * 60_000);
    assert.equal(await get(cache, 'b', answer(1e12)), 13);
  });

  it('says of an answer for how long it still holds', async () => {
    const cache = new AnswerCache(clock);
    const left = async (): Promise<unknown> => (await cache.answer(READ, { uri: 'a' }, answer(1_000)))['ttlMs'];
    assert.equal(await left(), 1_000);
    clock.advance(400);
    assert.equal(await left(), 600);
    assert.equal(asked, 1);
  });

  it('keeps nothing that was asked for before a change, and drops what a changed resource is a part of', async () => {
    const cache = new AnswerCache(clock);
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    const early = get(cache, 'dir://a', () => held.then(answer(1_000)));
    cache.heard({ method: UPDATED, params: { uri: 'dir://a/file' } });
    open();
    await early;
    assert.equal(await get(cache, 'dir://a', answer(1_000)), 2);
    cache.heard({ method: UPDATED, params: { uri: 'dir://b' } });
    assert.equal(await get(cache, 'dir://a', answer(1_000)), 2);
    cache.heard({ method: UPDATED, params: { uri: 'dir://a/file' } });
    assert.equal(await get(cache, 'dir://a', answer(1_000)), 3);
    cache.heard({ method: 'notifications/resources/list_changed' });
    assert.equal(await get(cache, 'dir://a', answer(1_000)), 4);
  });

  it('is of requests that only ask', async () => {
    const cache = new AnswerCache(clock);
    for (const method of ['prompts/get', 'completion/complete', 'tasks/get', '__proto__'])
      for (let time = 0; time < 2; time += 1) await cache.answer(method, {}, answer(1_000));
    assert.equal(asked, 8);
  });

  it('has room for 8 MB: the oldest answers go first, and a huge one isn’t kept', async () => {
    const cache = new AnswerCache(clock);
    const long = 'x'.repeat(1_500_000);
    for (let number = 0; number < 7; number += 1) await get(cache, `${number}`, answer(1_000, long));
    assert.equal(await get(cache, '6', answer(1_000, long)), 7);
    assert.equal(await get(cache, '0', answer(1_000, long)), 8);
    await get(cache, 'huge', answer(1_000, 'x'.repeat(3_000_000)));
    await get(cache, 'huge', answer(1_000, 'x'.repeat(3_000_000)));
    assert.equal(asked, 10);
  });

  it('has the same room after an answer that was asked for twice at a time', async () => {
    const cache = new AnswerCache(clock);
    const long = 'x'.repeat(1_500_000);
    for (let time = 0; time < 5; time += 1)
      await Promise.all([1, 2, 3].map(() => cache.answer(READ, { uri: 'a', time }, answer(1_000, long))));
    asked = 0;
    for (let time = 0; time < 5; time += 1) await cache.answer(READ, { uri: 'a', time }, answer(1_000, long));
    assert.equal(asked, 0);
  });
});
