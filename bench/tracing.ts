// npm run -s bench -- tracing [--calls N]
//
// What tracing costs of a call: without an address for traces, where a call only asks whether there is one; with an address where nobody
// listens; and with a receiver, which reads the spans in this process. Three hosts with an echo server each; blocks of calls alternate, and so
// does which is first. Medians, and those of several processes. `--once`: in this one.
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/log.ts';
import type { HostSettings } from '../src/host/hostPorts.ts';
import { openTracing } from '../src/host/wiring/openTracing.ts';
import { TraceReceiver } from '../test/support/traceReceiver.ts';
import { alternateHosts, openEchoHost } from './connection/alternateHosts.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { option, report } from './connection/report.ts';

const GOALS = { offPercent: '<= 1' } as const;
if (!isOnce) {
  report('tracing', mediansOf(import.meta.filename, 7), GOALS);
  process.exit(0);
}
const calls = option('calls', 3000);
const settings: HostSettings = {
  ...{ localConcurrency: 3, remoteConcurrency: 20, handshakeTimeoutMs: 1, discoveryTimeoutMs: 1, callTimeoutMs: 1 },
};

const gone = new TraceReceiver();
const nobody = await gone.open();
await gone.close();
const receiver = new TraceReceiver();
const hosts = {
  off: await openEchoHost({}),
  gone: await openEchoHost({ tracing: nobody }),
  sent: await openEchoHost({ tracing: await receiver.open() }),
};
const costs = await alternateHosts(hosts, calls);
for (const { host } of Object.values(hosts)) await host.stop();
const figures: Record<string, number> = { spans: receiver.spans.length };
await receiver.close();

const off = openTracing(
  {
    settings: () => settings,
    ...{ environment: {}, clientInfo: { name: 'bench', version: '0' }, fetch, clock: systemClock, log: silentLogger },
  },
  await hosts.off.host.host.recorder(),
  () => undefined,
);
const CHECKS = 1_000_000;
const begun = performance.now();
let traced = 0;
for (let index = 0; index < CHECKS; index++) if (off.tracer()) traced += 1;
figures['offNs'] = ((performance.now() - begun) * 1e6) / CHECKS + traced;

figures['offPercent'] = (figures['offNs'] / 1000 / costs.off.P50) * 100;
figures['callP50Us'] = costs.off.P50;
figures['callCpuUs'] = costs.off.Cpu;
for (const name of ['gone', 'sent'] as const) {
  figures[`${name}AddedP50Us`] = costs[name].P50 - costs.off.P50;
  figures[`${name}AddedCpuUs`] = costs[name].Cpu - costs.off.Cpu;
}
report('tracing', figures, GOALS);
process.exit(0);
