import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostSettings } from '../../src/host/hostPorts.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { median } from './report.ts';

const BLOCK = 200;
const WARM_UP_BLOCKS = 4;
const command = process.execPath;
const args = [fileURLToPath(new URL('./echoServer.ts', import.meta.url))];
const { signal } = new AbortController();

/** A host with an echo server. */
export interface EchoHost {
  readonly host: TestHost;
  readonly call: (text: string) => Promise<unknown>;
}

/** Opens one with these settings. */
export async function openEchoHost(settings: Partial<HostSettings>): Promise<EchoHost> {
  const host = new TestHost({ settings });
  writeFileSync(join(host.folder, '.mcp.json'), JSON.stringify({ mcpServers: { echo: { command, args } } }));
  await host.host.start();
  await host.approveAll();
  const [tool] = host.host.catalog.tools;
  if (!tool) throw new Error('the echo server did not connect');
  return { host, call: (text) => host.host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal }) };
}

/** What a call takes at a host, in microseconds. */
export interface CallCost {
  readonly P50: number;
  readonly Cpu: number;
}

/**
 * What calls take at each of several hosts. Blocks of calls alternate, and so does which host is first, so that a busy machine
 * slows all of them. The first blocks warm up.
 * @param calls at each host
 */
export async function alternateHosts<Name extends string>(
  hosts: Readonly<Record<Name, EchoHost>>,
  calls: number,
): Promise<Readonly<Record<Name, CallCost>>> {
  const order = Object.entries<EchoHost>(hosts).map(([name, { call }]) => ({
    ...{ name, call, times: [] as number[], cpu: [] as number[] },
  }));
  for (let block = -WARM_UP_BLOCKS; block * BLOCK < calls; block++) {
    for (const { call, times, cpu } of block % 2 === 0 ? order : order.toReversed()) {
      const begun = process.cpuUsage();
      for (let index = 0; index < BLOCK; index++) {
        const start = performance.now();
        await call(`text ${index}`);
        if (block >= 0) times.push((performance.now() - start) * 1000);
      }
      const { user, system } = process.cpuUsage(begun);
      if (block >= 0) cpu.push((user + system) / BLOCK);
    }
  }
  const costs = order.map(({ name, times, cpu }) => [name, { P50: median(times), Cpu: median(cpu) }] as const);
  return Object.fromEntries(costs) as Record<Name, CallCost>;
}
