import { systemClock } from '../../src/base/clock.ts';
import { Gateway } from '../../src/bridge/gateway/gateway.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { wording } from '../../test/unit/bridge/gatewayRig.ts';
import { createServer, type ManyTools } from './manyTools.ts';
import { cpuSince, watchSlices } from './processorTime.ts';

export interface ScaleFigures {
  readonly startCpuMs: number;
  readonly longestSliceCpuMs: number;
  readonly changeCpuMs: readonly number[];
}

const CHANGES = 9;

/** Servers of this process come up, and some change their lists afterwards. */
export async function comeUp(size: { servers: number; tools: number }, withGateway: boolean): Promise<ScaleFigures> {
  const test = new TestHost({ settings: { localConcurrency: 20 } });
  const { host } = test;
  const gateway = new Gateway({
    host,
    clock: systemClock,
    version: '0',
    wording,
    settings: () => ({ exposure: 'auto' }),
  });
  await host.start();
  if (withGateway) await gateway.start();
  const servers: ManyTools[] = [];
  const watch = watchSlices();
  const before = process.cpuUsage();
  const ids = Array.from({ length: size.servers }, (_, place) => {
    const server = createServer(place, size.tools);
    servers.push(server);
    return host.servers.addForExtension({ id: 'bench.scale', label: 'Bench' }, `server-${place}`, { type: 'sdk', extension: 'bench.scale', server: `server-${place}` }, async () => server.inProcess); // prettier-ignore
  });
  await host.servers.approve(ids);
  await test.until(() => host.catalog.tools.length === size.servers * size.tools, 120_000);
  const startCpuMs = cpuSince(before);
  const longestSliceCpuMs = watch.stop();
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
  return { startCpuMs, longestSliceCpuMs, changeCpuMs };
}
