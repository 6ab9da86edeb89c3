// One side of the benchmark `scale`, in a process of its own: the core in plain Node, with the gateway where that is asked for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { LeakTracker } from '../../src/base/disposable.ts';
import { silentLogger } from '../../src/base/log.ts';
import { Gateway } from '../../src/bridge/gateway/gateway.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { wording } from '../../test/unit/bridge/gatewayRig.ts';
import { createServer, type ManyTools } from './manyTools.ts';
import { cpuSince, watchSlices } from './processorTime.ts';
import { ROUNDS, type Round, type RoundFigures } from './round.ts';

const CHANGES = 9;

/** Servers of this process come up, and some change their lists afterwards. */
async function comeUp({ servers: count, tools, watched }: Round, withGateway: boolean): Promise<RoundFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-scale-'));
  // What is known of tools is kept in files, as a window keeps it.
  const toolStore = new FileStore(folder, silentLogger);
  const test = new TestHost({ settings: { localConcurrency: 20 }, ports: { toolStore } });
  const { host } = test;
  const settings = (): { readonly exposure: 'auto' } => ({ exposure: 'auto' });
  const gateway = new Gateway({ host, clock: systemClock, version: '0', wording, settings });
  await host.start();
  if (withGateway) await gateway.start();
  const servers: ManyTools[] = [];
  const watch = watched ? watchSlices() : undefined;
  const before = process.cpuUsage();
  const began = performance.now();
  const ids: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const name = `server-${place}`;
    const server = createServer(place, tools);
    const definition = { type: 'sdk', extension: 'bench.scale', server: name } as const;
    servers.push(server);
    ids.push(host.servers.addForExtension({ id: 'bench.scale', label: 'Bench' }, name, definition, async () => server.inProcess)); // prettier-ignore
    // As from so many extensions.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await host.servers.approve(ids);
  await test.until(() => host.catalog.tools.length === count * tools, 120_000);
  const cpuMs = cpuSince(before);
  const wallMs = performance.now() - began;
  const longestSliceMs = watch?.stop() ?? Number.NaN;
  const changeCpuMs: number[] = [];
  for (const server of servers.slice(0, CHANGES)) {
    const start = process.cpuUsage();
    const had = host.catalog.tools;
    await server.change();
    await test.until(() => host.catalog.tools !== had);
    await new Promise((resolve) => setImmediate(resolve));
    changeCpuMs.push(cpuSince(start));
  }
  gateway.dispose();
  await test.stop();
  await toolStore.flush();
  rmSync(folder, { recursive: true, force: true });
  return { cpuMs, wallMs, longestSliceMs, longestWorkMs: watch?.longestWorkMs ?? Number.NaN, changeCpuMs };
}

// The extension under test notes where each disposable was made; here, too, then.
new LeakTracker().install();
const figures: RoundFigures[] = [];
for (const round of ROUNDS) figures.push(await comeUp(round, process.argv[2] === 'gateway'));
console.log(JSON.stringify(figures));
process.exit(0);
