// npm run -s bench -- start [--rounds N] [--editor-rounds N]
//
// How long real servers take until the first of them has its tools, and until all have: through the core as a window runs it,
// against a bare loop over the SDK that starts the same set with the same concurrency, 10 servers, each time in a fresh process,
// as in an editor that was started from a terminal. `menu`: from a menu, where the user's login shell is asked for the PATH first.
// And 12 in a real editor, against its own MCP on the same set, each in a window of its own. Rounds alternate; medians.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleModule } from '../scripts/lib/bundle-module.mjs';
import { root } from '../scripts/lib/paths.mjs';
import { realServers } from './connection/realServers.ts';
import { median, option, report } from './connection/report.ts';
import { measureInEditor } from './editor/run.ts';
import type { StartTimes } from './start/side.ts';

const rounds = option('rounds', 7);
const SERVERS = 10;
const command = process.execPath;
const bundle = path.join(root, 'out', 'bench', 'start-side.mjs');
await bundleModule('bench/start/side.ts', bundle, { format: 'esm' });
const servers = JSON.stringify(realServers.slice(0, SERVERS));

type Side = 'ours' | 'menu' | 'bare';

function timesOf(side: Side): StartTimes {
  const env = { ...process.env, VSCODE_CLI: side === 'menu' ? '' : '1' };
  return JSON.parse(execFileSync(command, [bundle, side, servers], { encoding: 'utf8', env })) as StartTimes;
}

// Once each before it counts: files are then in the system's cache for both.
timesOf('bare');
timesOf('ours');
const inNode: Record<Side, StartTimes[]> = { ours: [], menu: [], bare: [] };
for (let round = 0; round < rounds; round += 1) {
  // The order alternates, too.
  const sides = ['ours', 'menu', 'bare'] as const;
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) inNode[side].push(timesOf(side));
}
const inEditor = { ours: [] as number[], builtIn: [] as number[] };
for (let round = 0; round < option('editor-rounds', 2); round += 1) {
  const sides = ['ours', 'builtIn'] as const;
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) inEditor[side].push(await secondsInEditor(side));
}

function secondsInEditor(side: 'ours' | 'builtIn'): Promise<number> {
  return measureInEditor<number>('start', {
    env: { SWITCHBOARD_BENCH_SIDE: side },
    settings: {
      'mcpSwitchboard.servers': Object.fromEntries(realServers.map(({ id, args }) => [id, { command, args }])),
      'mcpSwitchboard.startMode': 'manual',
    },
    prepare: (folder) => {
      rmSync(path.join(folder, '.mcp.json'));
      rmSync(path.join(folder, '.vscode'), { recursive: true });
      mkdirSync(path.join(folder, '.vscode'));
      const same = realServers.map(({ id, args }) => [`theirs-${id}`, { type: 'stdio', command, args }]);
      writeFileSync(path.join(folder, '.vscode/mcp.json'), JSON.stringify({ servers: Object.fromEntries(same) }));
    },
  });
}

const figure = (side: Side, which: keyof StartTimes): number => median(inNode[side].map((times) => times[which]));
report(
  'start',
  {
    servers: SERVERS,
    rounds,
    bareFirstMs: figure('bare', 'firstMs'),
    firstMs: figure('ours', 'firstMs'),
    firstRatio: figure('ours', 'firstMs') / figure('bare', 'firstMs'),
    menuFirstMs: figure('menu', 'firstMs'),
    bareAllMs: figure('bare', 'allMs'),
    allMs: figure('ours', 'allMs'),
    ratio: figure('ours', 'allMs') / figure('bare', 'allMs'),
    editorOursSeconds: median(inEditor.ours),
    editorBuiltInSeconds: median(inEditor.builtIn),
    editorRatio: median(inEditor.ours) / median(inEditor.builtIn),
  },
  { firstRatio: '<= 1.15', ratio: '<= 1.1', editorRatio: '<= 1' },
);
process.exit(0);
