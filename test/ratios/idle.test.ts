import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock, WAKE_MS, type Clock } from '../../src/base/clock.ts';
import { legacyHttp } from '../fixtures/servers/http.ts';
import { eventually } from '../support/eventually.ts';
import { TestHost } from '../support/testHost.ts';

/** The real clock, which knows when it will wake the process. */
function watchedClock(): { readonly clock: Clock; readonly due: () => readonly number[] } {
  const timers = new Map<object, number>();
  const clock: Clock = {
    now: () => systemClock.now(),
    schedule(delayMs, callback) {
      const key = {};
      timers.set(key, systemClock.now() + delayMs);
      const timer = systemClock.schedule(delayMs, () => {
        timers.delete(key);
        callback();
      });
      return {
        dispose: () => {
          timers.delete(key);
          timer.dispose();
        },
      };
    },
  };
  return { clock, due: () => [...timers.values()] };
}

describe('36 servers of which nobody asks anything', function () {
  this.timeout(120_000);

  it('wake the process no more than once in 10 s', async () => {
    const { clock, due } = watchedClock();
    const { fixture } = await legacyHttp();
    const rig = new TestHost({ settings: { localConcurrency: 6 }, ports: { clock } });
    try {
      const local = {
        command: process.execPath,
        args: [fileURLToPath(new URL('../fixtures/servers/long.ts', import.meta.url))],
      };
      const servers = Array.from({ length: 36 }, (_, index) => [
        `server-${index}`,
        index < 6 ? local : { type: 'http', url: fixture.url },
      ]);
      writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
      await rig.host.start();
      await rig.approveAll();
      const states = rig.host.pool.all.map(({ state }) => state.kind);
      assert.deepEqual(new Set(states), new Set(['connected']));
      // One timer for each remote server and one for the pool; what belongs to connecting is over before that. On a machine with other
      // work, some time goes by between what was reckoned and when it is noted.
      const off = (at: number): number => Math.abs(at - Math.round(at / WAKE_MS) * WAKE_MS);
      await eventually('nothing else is due', () => due().every((at) => off(at) < 250), 60_000);
      assert.equal(due().length, 31);
    } finally {
      await rig.stop();
      await fixture.close();
    }
  });
});
