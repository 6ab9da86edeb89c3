// npm run -s bench -- ring [--calls N]
//
// What keeping the last minutes in memory costs of a call: two hosts with an echo server each, one with the ring of the recorder and one
// without; blocks of calls alternate, and so does which side is first. Medians, and those of several processes. `--once`: in this one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestHost } from '../test/support/testHost.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { median, option, report } from './connection/report.ts';

const GOALS = { ringP50Percent: '<= 2', ringCpuPercent: '<= 2' } as const;
if (!isOnce) {
  report('ring', mediansOf(import.meta.filename, 9), GOALS);
  process.exit(0);
}
const calls = option('calls', 4000);
const BLOCK = 200;
const command = process.execPath;
const args = [fileURLToPath(new URL('./connection/echoServer.ts', import.meta.url))];
const { signal } = new AbortController();

interface Side {
  readonly host: TestHost;
  call(text: string): Promise<unknown>;
}

async function open(ring: { readonly minutes: number; readonly megabytes: number }): Promise<Side> {
  const host = new TestHost({ settings: { ring } });
  writeFileSync(join(host.folder, '.mcp.json'), JSON.stringify({ mcpServers: { echo: { command, args } } }));
  await host.host.start();
  await host.approveAll();
  const [tool] = host.host.catalog.tools;
  if (!tool) throw new Error('the echo server did not connect');
  return { host, call: (text) => host.host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal }) };
}

const sides = { with: await open({ minutes: 10, megabytes: 16 }), without: await open({ minutes: 0, megabytes: 0 }) };
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
const recorder = await sides.with.host.host.recorder();
const heldKb = recorder.heldBytes / 1024;
for (const { host } of Object.values(sides)) await host.stop();

const figures: Record<string, number> = { heldKb };
for (const name of ['with', 'without']) {
  figures[`${name}P50Us`] = median(times[name] ?? []);
  figures[`${name}CpuUs`] = median(cpu[name] ?? []);
}
for (const kind of ['P50', 'Cpu'])
  figures[`ring${kind}Percent`] =
    ((figures[`with${kind}Us`] ?? Number.NaN) / (figures[`without${kind}Us`] ?? Number.NaN) - 1) * 100;
report('ring', figures, GOALS);
process.exit(0);
