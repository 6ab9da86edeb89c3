// One call of an echo tool in a real editor: through mcp_call_tool and natively through the gateway, against the editor's own
// MCP on the same server; and how soon tools that are remembered are offered natively.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { node24, root } from '../scripts/lib/paths.mjs';
import { firstTools } from './editor/firstTools.ts';
import { median, option, quantile, report } from './connection/report.ts';
import { measureInEditor } from './editor/run.ts';

const server = { command: node24, args: [path.join(root, 'bench/connection/echoServer.ts')] };
const times = await measureInEditor<{ ours: number[]; gateway: number[]; builtIn: number[]; floor: number[] }>(
  'calls',
  {
    env: { SWITCHBOARD_BENCH_CALLS: String(option('calls', 300)) },
    settings: { 'mcpSwitchboard.servers': { echo: server } },
    prepare: (folder) => {
      rmSync(path.join(folder, '.mcp.json'));
      rmSync(path.join(folder, '.vscode'), { recursive: true });
      mkdirSync(path.join(folder, '.vscode'));
      writeFileSync(
        path.join(folder, '.vscode/mcp.json'),
        JSON.stringify({ servers: { builtin: { type: 'stdio', ...server } } }),
      );
    },
  },
);
const figures = {
  oursP50Ms: median(times.ours),
  gatewayP50Ms: median(times.gateway),
  builtInP50Ms: median(times.builtIn),
  floorP50Ms: median(times.floor),
  oursP95Ms: quantile(times.ours, 0.95),
  gatewayP95Ms: quantile(times.gateway, 0.95),
  builtInP95Ms: quantile(times.builtIn, 0.95),
};
const p50Ratio = figures.oursP50Ms / figures.builtInP50Ms;
const gatewayRatio = figures.gatewayP50Ms / figures.builtInP50Ms;
const firstToolsFromCacheMs = median(await firstTools());
const overFloor = figures.oursP50Ms / figures.floorP50Ms;
report(
  'editor',
  { ...figures, p50Ratio, gatewayRatio, overFloor, firstToolsFromCacheMs },
  { p50Ratio: '<= 1.15', gatewayRatio: '<= 1.25', firstToolsFromCacheMs: '<= 150' },
);
process.exit(0);
