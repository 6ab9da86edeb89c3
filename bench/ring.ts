// npm run -s bench -- ring [--calls N]
//
// What keeping the last minutes in memory costs of a call: one host with an echo server, whose recorder keeps and keeps not, in turn, since
// two hosts differ by more for reasons of their own. The processor time is that of all threads: what is kept is moved and looked at by those
// that collect garbage. Medians, and those of several processes. `--once`: in this one.
import { openEchoHost } from './connection/alternateHosts.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { median, option, report } from './connection/report.ts';

const GOALS = { ringP50Percent: '<= 2', ringCpuPercent: '<= 2' } as const;
if (!isOnce) {
  report('ring', mediansOf(import.meta.filename, 7), GOALS);
  process.exit(0);
}
const BLOCKS = 7;
/** So long code is still compiled meanwhile. */
const WARM_UP_BLOCKS = 4;
const calls = option('calls', 5000);
const FULL = 15.9 * 2 ** 20;
const LINE = 'x'.repeat(20_000);
const SETTLING_CALLS = 500;
const ring = { minutes: 10, megabytes: 16 };
const { host, call } = await openEchoHost({ ring });
const recorder = await host.host.recorder();
let heldKb = 0;
const costs = {
  with: { P50: [] as number[], Cpu: [] as number[] },
  without: { P50: [] as number[], Cpu: [] as number[] },
};
for (let block = -WARM_UP_BLOCKS; block < BLOCKS; block++)
  for (const side of block % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    // Full, as it is most of the time; what that leaves behind, both sides have.
    ring.megabytes = 16;
    recorder.limitsChanged();
    while (recorder.heldBytes < FULL) recorder.note('none', { kind: 'stderr', line: LINE });
    if (side === 'without') ring.megabytes = 0;
    recorder.limitsChanged();
    for (let index = 0; index < SETTLING_CALLS; index++) await call(`text ${index % 200}`);
    const times: number[] = [];
    const begun = process.cpuUsage();
    for (let index = 0; index < calls; index++) {
      const start = performance.now();
      await call(`text ${index % 200}`);
      times.push((performance.now() - start) * 1000);
    }
    const { user, system } = process.cpuUsage(begun);
    if (side === 'with') heldKb = recorder.heldBytes / 1024;
    if (block < 0) continue;
    costs[side].P50.push(median(times));
    costs[side].Cpu.push((user + system) / calls);
  }
await host.stop();

const [withP50Us, withCpuUs] = [median(costs.with.P50), median(costs.with.Cpu)];
const [withoutP50Us, withoutCpuUs] = [median(costs.without.P50), median(costs.without.Cpu)];
const figures = {
  ...{ heldKb, withP50Us, withCpuUs, withoutP50Us, withoutCpuUs },
  ringP50Percent: (withP50Us / withoutP50Us - 1) * 100,
  ringCpuPercent: (withCpuUs / withoutCpuUs - 1) * 100,
};
report('ring', figures, GOALS);
process.exit(0);
