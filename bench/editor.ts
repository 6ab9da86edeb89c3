// npm run -s bench -- editor [--calls N]
//
// One call of an echo tool in a real editor: through mcp_call_tool, against a tool of an extension that gives nothing; and natively
// through the gateway, against the editor's own MCP on the same server over Streamable HTTP, which is how the editor reaches the
// gateway, too, and over stdio. The floors of both: a tool that asks the same server by a hand-written client, and the editor's own MCP
// through a second process that forwards to it. How soon tools that are remembered are offered natively; and how long a tool that joins the
// agent's own list takes until the editor has it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { node24, root } from '../scripts/lib/paths.mjs';
import { realServers } from './connection/realServers.ts';
import { floorToolsExtension } from './editor/floorTools.ts';
import { firstTools } from './editor/firstTools.ts';
import { median, option, quantile, report } from './connection/report.ts';
import { measureInEditor } from './editor/run.ts';

const echo = path.join(root, 'bench/connection/echoServer.ts');
const server = { command: node24, args: [echo] };
const [httpUrl] = (await once(fork(echo, ['--http'], { execPath: node24 }), 'message')) as [string];
const forward = path.join(root, 'bench/connection/forwardServer.ts');
const [forwardUrl] = (await once(fork(forward, ['--name', 'forwarded'], { execPath: node24 }), 'message')) as [string];
type Side = 'ours' | 'gateway' | 'builtIn' | 'builtInHttp' | 'forwarded' | 'empty' | 'raw';
const floorTools = await floorToolsExtension(server);
const times = await measureInEditor<Record<Side, number[]>>('calls', {
  link: [floorTools],
  env: { SWITCHBOARD_BENCH_CALLS: String(option('calls', 300)) },
  settings: { 'mcpSwitchboard.servers': { echo: server } },
  prepare: (folder) => {
    rmSync(path.join(folder, '.mcp.json'));
    rmSync(path.join(folder, '.vscode'), { recursive: true });
    mkdirSync(path.join(folder, '.vscode'));
    const servers = { builtin: { type: 'stdio', ...server }, builtinhttp: { type: 'http', url: httpUrl }, forwarded: { type: 'http', url: forwardUrl } }; // prettier-ignore
    writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers }));
  },
});
rmSync(floorTools, { recursive: true, force: true });
const figures = {
  oursP50Ms: median(times.ours),
  gatewayP50Ms: median(times.gateway),
  builtInP50Ms: median(times.builtIn),
  builtInHttpP50Ms: median(times.builtInHttp),
  forwardedP50Ms: median(times.forwarded),
  emptyP50Ms: median(times.empty),
  rawP50Ms: median(times.raw),
  oursP95Ms: quantile(times.ours, 0.95),
  gatewayP95Ms: quantile(times.gateway, 0.95),
  builtInP95Ms: quantile(times.builtIn, 0.95),
  oursP99Ms: quantile(times.ours, 0.99),
  emptyP99Ms: quantile(times.empty, 0.99),
  gatewayP99Ms: quantile(times.gateway, 0.99),
  builtInHttpP99Ms: quantile(times.builtInHttp, 0.99),
};
const [everything] = realServers;
const joining = await measureInEditor<number[]>('loading', {
  settings: {
    'mcpSwitchboard.servers': { everything: { command: node24, args: everything?.args ?? [] } },
    'mcpSwitchboard.toolExposure': 'search',
    'mcpSwitchboard.loadFoundTools': true,
  },
  prepare: (folder) => {
    rmSync(path.join(folder, '.mcp.json'));
    rmSync(path.join(folder, '.vscode'), { recursive: true });
  },
});
const p50Ratio = figures.oursP50Ms / figures.builtInP50Ms;
const gatewayRatio = figures.gatewayP50Ms / figures.builtInP50Ms;
// What is left of it where the editor's connection is of the same kind.
const gatewayOverHttp = figures.gatewayP50Ms / figures.builtInHttpP50Ms;
const firstToolsFromCacheMs = median(await firstTools());
const gatewayOverForwarded = figures.gatewayP50Ms / figures.forwardedP50Ms;
const overEmpty = figures.oursP50Ms / figures.emptyP50Ms;
const overRaw = figures.oursP50Ms / figures.rawP50Ms;
const joined = { joinedP50Ms: median(joining), joinedP95Ms: quantile(joining, 0.95) };
report(
  'editor',
  { ...figures, ...joined, p50Ratio, gatewayRatio, gatewayOverHttp, gatewayOverForwarded, overEmpty, overRaw, firstToolsFromCacheMs }, // prettier-ignore
  {
    overEmpty: '<= 1.05',
    overRaw: '<= 1.05',
    gatewayOverHttp: '<= 1.05',
    gatewayOverForwarded: '<= 1.05',
    firstToolsFromCacheMs: '<= 150',
    joinedP50Ms: '<= 400',
  },
);
process.exit(0);
