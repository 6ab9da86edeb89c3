import assert from 'node:assert/strict';
import { IdleAnnouncements } from '../../../src/connection/session/notifications/idleAnnouncements.ts';
import { ReopenPauses } from '../../../src/connection/session/notifications/streamReopenPauses.ts';
import { ManualClock } from './manualClock.ts';

describe('what never rests', () => {
  it('a list that is announced again and again without a change is fetched less and less, and it is said once', () => {
    const clock = new ManualClock();
    const said: string[] = [];
    const idle = new IdleAnnouncements(clock, (list) => said.push(list));
    let fetched = 0;
    let content = 'a';
    const announce = (): void =>
      idle.announced('tools/list', () => {
        fetched += 1;
        idle.listed('tools/list', content);
      });
    idle.listed('tools/list', 'a');
    for (let second = 0; second < 600; second += 1) {
      announce();
      clock.advance(1000);
    }
    assert.ok(fetched < 15, `${fetched} times`);
    assert.deepEqual(said, ['tools/list']);
    content = 'b';
    announce();
    clock.advance(5 * 60_000);
    const before = fetched;
    announce();
    assert.equal(fetched, before + 1, 'a change begins anew');
    idle.dispose();
  });

  for (const [report, contents] of [
    ['browseros-ai/BrowserOS#1005: announced three times a second, without a change', ['a']],
    ['microsoft/aspire#14494: tools that come and go with each list', ['a', 'b']],
    ['the same with three containers', ['a', 'b', 'c']],
  ] as const)
    it(`${report}: is fetched less and less`, () => {
      const clock = new ManualClock();
      const said: string[] = [];
      const idle = new IdleAnnouncements(clock, (list) => said.push(list));
      let fetched = 0;
      const fetch = (): void => idle.listed('tools/list', contents[fetched++ % contents.length] ?? '');
      fetch();
      for (let third = 0; third < 3 * 1800; third += 1) {
        idle.announced('tools/list', fetch);
        clock.advance(333);
      }
      assert.ok(fetched < 25, `${fetched} times in half an hour`);
      assert.deepEqual(said, ['tools/list']);
      idle.dispose();
    });

  it('tools that are others each time that they are listed, as with the time in a description, are fetched once a minute', () => {
    const clock = new ManualClock();
    const said: string[] = [];
    const idle = new IdleAnnouncements(clock, (list) => said.push(list));
    let fetched = 0;
    const fetch = (): void => idle.listed('tools/list', String(fetched++));
    fetch();
    for (let second = 0; second < 3600; second += 1) {
      idle.announced('tools/list', fetch);
      clock.advance(1000);
    }
    assert.ok(fetched > 60 && fetched < 110, `${fetched} times in an hour`);
    assert.deepEqual(said, ['tools/list']);
    clock.advance(120_000);
    const before = fetched;
    for (let count = 1; count <= 20; count += 1) {
      idle.announced('tools/list', fetch);
      assert.equal(fetched, before + count, 'after a rest, parts of a server that come one by one are seen at once');
    }
    idle.dispose();
  });

  for (const [howOften, everyMs] of [
    ['each minute', 60_000],
    ['each hour', 3_600_000],
  ] as const)
    it(`a list that is announced ${howOften} without a change is fetched at once, so that a change is seen at once`, () => {
      const clock = new ManualClock();
      const idle = new IdleAnnouncements(clock, () => assert.fail('nothing is slowed down'));
      let seen = 'a';
      let content = 'a';
      const announce = (): void =>
        idle.announced('tools/list', () => {
          seen = content;
          // The answer takes a while.
          clock.advance(2000);
          idle.listed('tools/list', content);
        });
      idle.listed('tools/list', content);
      for (let count = 0; count < 12; count += 1) {
        clock.advance(everyMs - 2000);
        announce();
      }
      clock.advance(everyMs - 2000);
      content = 'b';
      announce();
      assert.equal(seen, 'b');
      idle.dispose();
    });

  it('a server that was slowed down and rests begins anew', () => {
    const clock = new ManualClock();
    const idle = new IdleAnnouncements(clock, () => undefined);
    let fetched = 0;
    const fetch = (): void => {
      fetched += 1;
      idle.listed('tools/list', 'a');
    };
    fetch();
    for (let second = 0; second < 60; second += 1) {
      idle.announced('tools/list', fetch);
      clock.advance(1000);
    }
    clock.advance(10 * 60_000);
    const before = fetched;
    idle.announced('tools/list', fetch);
    assert.equal(fetched, before + 1);
    idle.dispose();
  });

  it('tools that somebody switches on and off are fetched at once, however often', () => {
    const clock = new ManualClock();
    const idle = new IdleAnnouncements(clock, () => assert.fail('nothing is slowed down'));
    let fetched = 0;
    const fetch = (): void => idle.listed('tools/list', fetched++ % 2 === 0 ? 'on' : 'off');
    fetch();
    for (let count = 1; count <= 50; count += 1) {
      clock.advance(10_000);
      idle.announced('tools/list', fetch);
      assert.equal(fetched, count + 1);
    }
    idle.dispose();
  });

  it('a stream that ends again and again is opened with longer pauses, and in the end stays closed', () => {
    const clock = new ManualClock();
    const pauses = new ReopenPauses(clock);
    const all: (number | undefined)[] = [];
    for (let pause = pauses.next(); pause !== undefined; pause = pauses.next()) {
      all.push(pause);
      clock.advance(pause);
      pauses.opened();
    }
    assert.deepEqual(all, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it('a stream that lasted begins anew', () => {
    const clock = new ManualClock();
    const pauses = new ReopenPauses(clock);
    for (let count = 0; count < 30; count += 1) {
      clock.advance(60_000);
      assert.equal(pauses.next(), 1000);
      pauses.opened();
    }
  });
});
