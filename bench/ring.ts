// npm run -s bench -- ring [--calls N]
//
// What keeping the last minutes in memory costs of a call: two hosts with an echo server each, one with the ring of the recorder and one
// without; blocks of calls alternate, and so does which side is first. Medians, and those of several processes. `--once`: in this one.
import { alternateHosts, openEchoHost } from './connection/alternateHosts.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { option, report } from './connection/report.ts';

const GOALS = { ringP50Percent: '<= 2', ringCpuPercent: '<= 2' } as const;
if (!isOnce) {
  report('ring', mediansOf(import.meta.filename, 9), GOALS);
  process.exit(0);
}
const calls = option('calls', 4000);
const hosts = {
  with: await openEchoHost({ ring: { minutes: 10, megabytes: 16 } }),
  without: await openEchoHost({ ring: { minutes: 0, megabytes: 0 } }),
};
const costs = await alternateHosts(hosts, calls);
const recorder = await hosts.with.host.host.recorder();
const heldKb = recorder.heldBytes / 1024;
for (const { host } of Object.values(hosts)) await host.stop();

const { with: ringed, without } = costs;
const figures = {
  heldKb,
  withP50Us: ringed.P50,
  withCpuUs: ringed.Cpu,
  withoutP50Us: without.P50,
  withoutCpuUs: without.Cpu,
  ringP50Percent: (ringed.P50 / without.P50 - 1) * 100,
  ringCpuPercent: (ringed.Cpu / without.Cpu - 1) * 100,
};
report('ring', figures, GOALS);
process.exit(0);
