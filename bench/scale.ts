// npm run -s bench -- scale [--rounds N]
//
// Thousands of tools in one window: many servers in one process, each with many tools, come up at once: the core in plain
// Node, the same with the gateway in front, and the whole extension in the extension host of a real editor, with the settings,
// the tree and the gateway that a user has. Each side is a process of its own that does the same rounds, in turn and in
// alternating order. Printed: the processor time, what one server's changed list takes, and how long one piece of work holds the
// thread at most, with and without the engine's collecting of garbage.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/lib/paths.mjs';
import { median, option, report } from './connection/report.ts';
import { measureInEditor } from './editor/run.ts';
import type { RoundFigures } from './scale/round.ts';

type Side = 'core' | 'gateway' | 'editor';
/** The rounds of a side, in their order. */
type Figures = readonly RoundFigures[];

const sides: Record<Side, () => Promise<Figures>> = {
  core: async () => inNode('core'),
  gateway: async () => inNode('gateway'),
  editor: () =>
    measureInEditor<Figures>('manyServers', {
      prepare: (folder) => {
        rmSync(path.join(folder, '.mcp.json'));
        rmSync(path.join(folder, '.vscode'), { recursive: true });
      },
    }),
};

function inNode(side: Side): Figures {
  const file = path.join(root, 'bench/scale/comeUp.ts');
  return JSON.parse(execFileSync(process.execPath, [file, side], { encoding: 'utf8' })) as Figures;
}

const measured: Record<Side, Figures[]> = { core: [], gateway: [], editor: [] };
for (let round = 0; round < option('rounds', 2); round += 1) {
  const order: readonly Side[] = ['core', 'gateway', 'editor'];
  for (const side of round % 2 === 0 ? order : order.toReversed()) measured[side].push(await sides[side]());
}

/** The median of one figure of one round, over all times that a side was measured. */
function figure(side: Side, round: number, pick: (figures: RoundFigures) => number): number {
  return median(measured[side].map((figures) => pick(figures[round] ?? fail(side))));
}

function fail(side: Side): never {
  throw new Error(`${side} gave no figures`);
}

const [HUNDRED, TWICE, WATCHED] = [1, 2, 3];
const cpu = (side: Side): number => figure(side, HUNDRED, ({ cpuMs }) => cpuMs);
const seconds = (round: number): number => figure('editor', round, ({ wallMs }) => wallMs) / 1000;
report(
  'scale',
  {
    coreCpuMs: cpu('core'),
    gatewayCpuMs: cpu('gateway'),
    gatewayShare: cpu('gateway') / cpu('core'),
    changeCpuMs: figure('gateway', HUNDRED, ({ changeCpuMs }) => median(changeCpuMs)),
    longestSliceMs: figure('gateway', WATCHED, ({ longestSliceMs }) => longestSliceMs),
    longestWorkMs: figure('gateway', WATCHED, ({ longestWorkMs }) => longestWorkMs),
    editorCpuMs: cpu('editor'),
    editorShare: cpu('editor') / cpu('core'),
    editorLongestSliceMs: figure('editor', WATCHED, ({ longestSliceMs }) => longestSliceMs),
    editorLongestWorkMs: figure('editor', WATCHED, ({ longestWorkMs }) => longestWorkMs),
    editorSeconds: seconds(HUNDRED),
    editorSecondsOfTwice: seconds(TWICE),
    editorTwice: seconds(TWICE) / seconds(HUNDRED),
  },
  {
    gatewayShare: '<= 1.2',
    longestSliceMs: '<= 16',
    longestWorkMs: '<= 16',
    editorShare: '<= 3',
    editorTwice: '<= 2.2',
    editorLongestSliceMs: '<= 16',
    editorLongestWorkMs: '<= 16',
  },
);
process.exit(0);
