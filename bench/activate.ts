// npm run -s bench -- activate [--runs N]
//
// What activation loads, and what requiring and activating the extension costs in a real extension host; and what it all costs
// until the first server has its tools, beside a bare SDK client that connects the same server in the same host.
import { execFileSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundleModule, sdkAliasAlone } from '../scripts/lib/bundle-module.mjs';
import { node24, root } from '../scripts/lib/paths.mjs';
import { median, option, report } from './connection/report.ts';
import { extensionCopy } from './editor/extensionCopy.ts';
import { measureInEditor } from './editor/run.ts';

interface Activation {
  readonly alreadyActive: boolean;
  readonly requireMs: number;
  readonly activateMs: number;
  readonly cpuMs: number;
  /** Each of one half of the runs. */
  readonly firstServerCpuMs: number | null;
  readonly firstServerSliceMs: number | null;
}

/** One half of the runs watches slices, which takes the processor itself, so each measures one of them. */
interface BareClient {
  readonly cpuMs?: number;
  readonly sliceMs?: number;
}

const server = { command: node24, args: [path.join(root, 'demo/notes-server/main.js')] };

const runs = option('runs', 6);
execFileSync(process.execPath, ['scripts/bundle.mjs', '--production'], { cwd: root, stdio: 'pipe' });
// As it is shipped, but nothing activates it until the measurement does.
const quiet = extensionCopy((manifest) => ({ ...manifest, activationEvents: [] }));
const bare = path.join(root, 'out', 'bench', 'bareClient.js');
await bundleModule('bench/editor/bareClient.ts', bare, { format: 'cjs', minify: true, alias: sdkAliasAlone });
const activations: Activation[] = [];
const bareClients: BareClient[] = [];
try {
  for (let run = 0; run < runs; run++) {
    const options = {
      extension: quiet,
      env: {
        SWITCHBOARD_BENCH_WATCHED: run % 2 === 0 ? '1' : '',
        SWITCHBOARD_BENCH_BARE: bare,
        SWITCHBOARD_BENCH_SERVER: JSON.stringify([server.command, ...server.args]),
      },
      settings: {
        'mcpSwitchboard.servers': { notes: server },
        // Else the extension host of a remote looks for open ports in all processes every few seconds, on either side.
        'remote.autoForwardPortsSource': 'output',
      },
      prepare: (folder: string) => {
        rmSync(path.join(folder, '.mcp.json'));
        rmSync(path.join(folder, '.vscode'), { recursive: true });
      },
    };
    activations.push(await measureInEditor<Activation>('activation', options));
    bareClients.push(await measureInEditor<BareClient>('bareFirstServer', options));
  }
} finally {
  rmSync(quiet, { recursive: true, force: true });
}
const measured = activations.filter(({ alreadyActive }) => !alreadyActive);
if (measured.length === 0) throw new Error('the editor had activated the extension before it could be measured');
report(
  'activate',
  {
    activationKB: statSync(path.join(root, 'dist', 'extension.js')).size / 1000,
    cpuMs: median(measured.map(({ cpuMs }) => cpuMs)),
    requireMs: median(measured.map(({ requireMs }) => requireMs)),
    activateMs: median(measured.map(({ activateMs }) => activateMs)),
    firstServerCpuMs: median(numbers(measured.map(({ firstServerCpuMs }) => firstServerCpuMs))),
    firstServerSliceMs: median(numbers(measured.map(({ firstServerSliceMs }) => firstServerSliceMs))),
    bareFirstServerCpuMs: median(bareClients.flatMap(({ cpuMs = [] }) => cpuMs)),
    bareFirstServerSliceMs: median(bareClients.flatMap(({ sliceMs = [] }) => sliceMs)),
    runs: measured.length,
  },
  { activationKB: '<= 135', cpuMs: '<= 30', firstServerCpuMs: '<= 70', firstServerSliceMs: '<= 30' },
);
process.exit(0);

/** JSON has no NaN: what a run didn't measure is null. */
function numbers(values: readonly (number | null)[]): readonly number[] {
  return values.filter((value) => value !== null);
}
