// npm run -s bench -- ring [--calls N]
//
// What keeping the last minutes in memory costs of a call: one host with an echo server and a full ring, which is told of the calls in some
// blocks and not in others, since two hosts differ by more for reasons of their own. Beside it the least that keeps messages, written by hand,
// and the side without once more, which shows how far the figures can be trusted. The processor time is that of all threads: what is kept is
// moved and looked at by those that collect garbage. Of the blocks the lower quartile, since whatever else runs only adds; of several
// processes the median. `--once`: in this one.
import { Recorder, type LinkTap } from '../src/connection/recording/recorder.ts';
import { openEchoHost } from './connection/alternateHosts.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { LeastRing } from './connection/leastRing.ts';
import { median, option, quantile, report } from './connection/report.ts';

const GOALS = { ringP50Percent: '<= 2', ringCpuPercent: '<= 2' } as const;
if (!isOnce) {
  report('ring', mediansOf(import.meta.filename, 7), GOALS);
  process.exit(0);
}
const ROUNDS = 20;
/** So long code is still compiled meanwhile. */
const WARM_UP_ROUNDS = 4;
/** Some collections of young garbage in each block. */
const calls = option('calls', 2000);
const SETTLING_CALLS = 50;
const ring = { minutes: 10, megabytes: 16 };
const FULL = 0.99 * ring.megabytes * 2 ** 20;
const LINE = 'x'.repeat(20_000);
const SIDES = ['without', 'with', 'least', 'again'] as const;
type Side = (typeof SIDES)[number];
let side: Side = 'with';

const least = new LeastRing(ring.megabytes * 2 ** 20);
const own = <Name extends 'openLink' | 'note' | 'sending'>(name: Name): Recorder[Name] => Recorder.prototype[name];
const [openLink, note, sending] = [own('openLink'), own('note'), own('sending')];
/** Tells the ring of what passes, the other one, or none. */
Recorder.prototype.openLink = function (...args): LinkTap {
  const tap = openLink.apply(this, args);
  return {
    ...tap,
    message: (direction, message, http, text) => {
      if (side === 'with') tap.message(direction, message, http, text);
      else if (side === 'least' && text !== undefined) least.keep(direction, text);
    },
  };
};
Recorder.prototype.note = function (...args): void {
  if (side === 'with') note.apply(this, args);
};
Recorder.prototype.sending = function (...args): void {
  if (side === 'with') sending.apply(this, args);
};

const { host, call } = await openEchoHost({ ring });
const recorder = await host.host.recorder();
while (recorder.heldBytes < FULL) recorder.note('none', { kind: 'stderr', line: LINE });
const costs = Object.fromEntries(SIDES.map((name) => [name, { P50: [] as number[], Cpu: [] as number[] }])) as Record<
  Side,
  { readonly P50: number[]; readonly Cpu: number[] }
>;
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
  for (const index of SIDES.keys()) {
    // Each is first as often as the others.
    side = SIDES[(index + round + WARM_UP_ROUNDS) % SIDES.length] ?? 'without';
    for (let settling = 0; settling < SETTLING_CALLS; settling++) await call(`text ${settling}`);
    const times: number[] = [];
    const begun = process.cpuUsage();
    for (let count = 0; count < calls; count++) {
      const start = performance.now();
      await call(`text ${count % 200}`);
      times.push((performance.now() - start) * 1000);
    }
    const { user, system } = process.cpuUsage(begun);
    if (round < 0) continue;
    costs[side].P50.push(median(times));
    costs[side].Cpu.push((user + system) / calls);
  }
const heldKb = recorder.heldBytes / 1024;
await host.stop();

const figure = (name: Side, which: 'P50' | 'Cpu'): number => quantile(costs[name][which], 0.25);
const percent = (name: Side, which: 'P50' | 'Cpu'): number =>
  (figure(name, which) / figure('without', which) - 1) * 100;
const figures = {
  heldKb,
  withoutP50Us: figure('without', 'P50'),
  withoutCpuUs: figure('without', 'Cpu'),
  ringCpuUs: figure('with', 'Cpu') - figure('without', 'Cpu'),
  leastCpuUs: figure('least', 'Cpu') - figure('without', 'Cpu'),
  ringP50Percent: percent('with', 'P50'),
  ringCpuPercent: percent('with', 'Cpu'),
  leastP50Percent: percent('least', 'P50'),
  leastCpuPercent: percent('least', 'Cpu'),
  noiseCpuPercent: percent('again', 'Cpu'),
};
report('ring', figures, GOALS);
process.exit(0);
