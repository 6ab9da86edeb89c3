// Runs in the extension host: the view of servers asks for its rows, as the editor does, and is told of one that changes.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';
import type { Node } from '../../src/ui/servers/tree/treeNodes.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createServer } from '../scale/manyTools.ts';
import { threadCpuMs } from '../scale/processorTime.ts';
import { median } from '../connection/report.ts';

/** What the view took. */
export interface TreeFigures {
  readonly treeServers: number;
  readonly treeTools: number;
  /** Files of the view that were loaded before it was shown. */
  readonly treeLoadedAtActivation: number;
  /** The first rows, one for each server, with the code that makes them. */
  readonly treeFirstCpuMs: number;
  /** All of them again. */
  readonly treeAgainCpuMs: number;
  /** How many rows the editor is told of when one server's state changes, at most. */
  readonly treeRowsOfAChange: number;
  /** Finding that row among all servers, and making it. */
  readonly treeChangeMs: number;
  /** The rows of the tools of one server. */
  readonly treeToolsCpuMs: number;
}

const CHANGES = 20;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host, tree } = await extension.activate();
  const size = JSON.parse(process.env['SWITCHBOARD_BENCH_SIZES'] ?? '{}') as { servers: number; tools: number };
  const { servers, tools } = size;
  const added = Array.from({ length: servers }, (_, place) => {
    const name = `server-${place}`;
    const definition = { type: 'sdk' as const, extension: 'bench.tree', server: name };
    const server = createServer(place, tools);
    return host.servers.addForExtension({ id: 'bench.tree', label: 'Bench' }, name, definition, async () => server.inProcess); // prettier-ignore
  });
  await host.servers.approve(added);
  await eventually('all tools are there', () => host.catalog.tools.length === servers * tools, 300_000);
  const treeLoadedAtActivation = loaded().length;
  const rows = async (parent?: Node): Promise<number> => {
    const nodes = await tree.getChildren(parent);
    for (const node of nodes) await tree.getTreeItem(node);
    return nodes.length;
  };
  const treeFirstCpuMs = await cpuOf(async () => {
    if ((await rows()) !== servers) throw new Error('there are other rows');
  });
  if (loaded().length === 0) throw new Error('the code of the view is not found');
  const treeAgainCpuMs = await cpuOf(rows);
  const data = await tree.data();
  const told: (readonly Node[] | undefined)[] = [];
  const subscription = tree.onDidChangeTreeData((nodes) => told.push(nodes));
  data.tellChanges();
  const times: number[] = [];
  let most = 0;
  for (let index = 0; index < CHANGES; index++) {
    const id = added[(index * 37) % servers] ?? '';
    await host.pool.disconnect(id);
    told.length = 0;
    // Too short for the clock of the processor's time; nothing else runs in between.
    const began = performance.now();
    data.tellChanges();
    for (const node of told.flatMap((nodes) => nodes ?? [])) data.row(node);
    times.push(performance.now() - began);
    most = Math.max(most, ...told.map((nodes) => nodes?.length ?? servers));
    if (told.length === 0) throw new Error('the editor was told of nothing');
    await host.pool.connect(id);
    data.tellChanges();
  }
  subscription.dispose();
  const [category] = await data.children(data.serverNode(added[1] ?? ''));
  const treeToolsCpuMs = await cpuOf(() => rows(category));
  const figures: TreeFigures = {
    treeServers: servers,
    treeTools: servers * tools,
    treeLoadedAtActivation,
    treeFirstCpuMs,
    treeAgainCpuMs,
    treeRowsOfAChange: most,
    treeChangeMs: median(times),
    treeToolsCpuMs,
  };
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(figures));
}

/** Processor time of this thread, in milliseconds. */
async function cpuOf(body: () => Promise<unknown>): Promise<number> {
  const before = threadCpuMs();
  await body();
  return threadCpuMs() - before;
}

/** The files of the view that this process has loaded. */
function loaded(): readonly string[] {
  return Object.keys(require.cache).filter((file) => file.endsWith('serversTreeData.js'));
}
