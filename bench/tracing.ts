// npm run -s bench -- tracing [--calls N]
//
// What tracing costs of a call: without an address for traces, where a call only asks whether there is one; with an address where nobody
// listens; and with a receiver, which reads the spans in this process. Three hosts with an echo server each; blocks of calls alternate, and so
// does which is first. Medians, and those of several processes. `--once`: in this one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/log.ts';
import type { HostSettings } from '../src/host/hostPorts.ts';
import { openTracing } from '../src/host/openTracing.ts';
import { TestHost } from '../test/support/testHost.ts';
import { TraceReceiver } from '../test/support/traceReceiver.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { median, option, report } from './connection/report.ts';

const GOALS = { offPercent: '<= 1' } as const;
if (!isOnce) {
  report('tracing', mediansOf(import.meta.filename, 7), GOALS);
  process.exit(0);
}
const calls = option('calls', 3000);
const BLOCK = 200;
const command = process.execPath;
const args = [fileURLToPath(new URL('./connection/echoServer.ts', import.meta.url))];
const { signal } = new AbortController();
const settings: HostSettings = {
  ...{ localConcurrency: 3, remoteConcurrency: 20, handshakeTimeoutMs: 1, discoveryTimeoutMs: 1, callTimeoutMs: 1 },
};

interface Side {
  readonly host: TestHost;
  call(text: string): Promise<unknown>;
}

async function open(tracing?: string): Promise<Side> {
  const host = new TestHost({ settings: { tracing } });
  writeFileSync(join(host.folder, '.mcp.json'), JSON.stringify({ mcpServers: { echo: { command, args } } }));
  await host.host.start();
  await host.approveAll();
  const [tool] = host.host.catalog.tools;
  if (!tool) throw new Error('the echo server did not connect');
  return { host, call: (text) => host.host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal }) };
}

const gone = new TraceReceiver();
const nobody = await gone.open();
await gone.close();
const receiver = new TraceReceiver();
const sides: Record<string, Side> = {
  off: await open(),
  gone: await open(nobody),
  sent: await open(await receiver.open()),
};
const times: Record<string, number[]> = {};
const cpu: Record<string, number[]> = {};
for (let done = -BLOCK * 4; done < calls; done += BLOCK) {
  const order = Object.entries(sides);
  for (const [name, side] of (done / BLOCK) % 2 === 0 ? order : order.toReversed()) {
    const begun = process.cpuUsage();
    for (let index = 0; index < BLOCK; index++) {
      const start = performance.now();
      await side.call(`text ${index}`);
      // The first blocks warm up.
      if (done >= 0) (times[name] ??= []).push((performance.now() - start) * 1000);
    }
    const { user, system } = process.cpuUsage(begun);
    if (done >= 0) (cpu[name] ??= []).push((user + system) / BLOCK);
  }
}
for (const { host } of Object.values(sides)) await host.stop();
const figures: Record<string, number> = { spans: receiver.spans.length };
await receiver.close();

const off = openTracing({
  settings: () => settings,
  ...{ environment: {}, clientInfo: { name: 'bench', version: '0' }, fetch, clock: systemClock, log: silentLogger },
});
const CHECKS = 1_000_000;
const begun = performance.now();
let traced = 0;
for (let index = 0; index < CHECKS; index++) if (off.tracer()) traced += 1;
figures['offNs'] = ((performance.now() - begun) * 1e6) / CHECKS + traced;

const base = { P50: median(times['off'] ?? []), Cpu: median(cpu['off'] ?? []) };
figures['offPercent'] = (figures['offNs'] / 1000 / base.P50) * 100;
figures['callP50Us'] = base.P50;
figures['callCpuUs'] = base.Cpu;
for (const name of ['gone', 'sent']) {
  figures[`${name}AddedP50Us`] = median(times[name] ?? []) - base.P50;
  figures[`${name}AddedCpuUs`] = median(cpu[name] ?? []) - base.Cpu;
}
report('tracing', figures, GOALS);
process.exit(0);
