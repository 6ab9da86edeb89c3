// npm run -s bench -- ring [--calls N]
//
// What keeping the last minutes in memory costs of a call: one host with an echo server, whose recorder keeps and keeps not, in turn; a block
// is long enough that what is kept is full for most of it. And what is recorded of a call, told to two recorders alone (`addedUs`: processor
// time, with what collecting garbage takes), which is the same on a busy machine. Medians, and those of several processes. `--once`: in this one.
import { openEchoHost } from './connection/alternateHosts.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { recordingCostUs } from './connection/recordingCost.ts';
import { median, option, report } from './connection/report.ts';

const GOALS = { ringP50Percent: '<= 2', ringCpuPercent: '<= 2', addedPercent: '<= 2' } as const;
if (!isOnce) {
  report('ring', mediansOf(import.meta.filename, 7), GOALS);
  process.exit(0);
}
const BLOCKS = 6;
const calls = option('calls', 6000);
const ring = { minutes: 10, megabytes: 16 };
const { host, call } = await openEchoHost({ ring });
const recorder = await host.host.recorder();
let heldKb = 0;
let events = recorder.recent();
const costs = {
  with: { P50: [] as number[], Cpu: [] as number[] },
  without: { P50: [] as number[], Cpu: [] as number[] },
};
for (let block = -1; block < BLOCKS; block++)
  for (const side of block % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    ring.megabytes = side === 'with' ? 16 : 0;
    recorder.limitsChanged();
    const times: number[] = [];
    const begun = process.cpuUsage();
    for (let index = 0; index < calls; index++) {
      const start = performance.now();
      await call(`text ${index % 200}`);
      times.push((performance.now() - start) * 1000);
    }
    const { user, system } = process.cpuUsage(begun);
    if (side === 'with') {
      heldKb = recorder.heldBytes / 1024;
      events = recorder.recent().slice(0, 20);
    }
    // The first warm up.
    if (block < 0) continue;
    costs[side].P50.push(median(times));
    costs[side].Cpu.push((user + system) / calls);
  }
await host.stop();

const [withP50Us, withCpuUs] = [median(costs.with.P50), median(costs.with.Cpu)];
const [withoutP50Us, withoutCpuUs] = [median(costs.without.P50), median(costs.without.Cpu)];
// From one request to the next.
const [first = 0, second = 0] = events.flatMap(({ what }, at) => ('call' in what ? [at] : []));
const addedUs = recordingCostUs(events.slice(first, second).map(({ what }) => what));
const figures = {
  ...{ heldKb, addedUs, withP50Us, withCpuUs, withoutP50Us, withoutCpuUs },
  addedPercent: (addedUs / withoutCpuUs) * 100,
  ringP50Percent: (withP50Us / withoutP50Us - 1) * 100,
  ringCpuPercent: (withCpuUs / withoutCpuUs - 1) * 100,
};
report('ring', figures, GOALS);
process.exit(0);
