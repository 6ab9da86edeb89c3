// npm run -s bench -- config [--rounds N]
//
// 500 servers in 20 files on disk, and in 500: what a fresh process takes to read, parse and merge them all (`coldCpuMs`: the
// processor time of its thread, the first time that this code runs at all; `coldMs`: the time, with what the machine does
// otherwise), and what processor time it takes from the end of the debounce to the published difference when one entry changes.
// Every round is a process of its own, the two in turn; medians.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleModule } from '../scripts/lib/bundle-module.mjs';
import { root } from '../scripts/lib/paths.mjs';
import { FEW_FILES, MANY_FILES, sourcesIn, textOf, type Shape } from './config/files.ts';
import type { Round } from './config/measure.ts';
import { median, option, report } from './connection/report.ts';

const bundle = path.join(root, 'out', 'bench', 'config.mjs');
await bundleModule('bench/config/measure.ts', bundle, { format: 'esm', minify: true });

const bareReads = path.join(root, 'bench/config/bareReads.ts');

function folderOf(shape: Shape): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  for (const [index, { file = '' }] of sourcesIn(folder, shape).entries()) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, textOf(shape, index));
  }
  return folder;
}

const folders = { few: folderOf(FEW_FILES), many: folderOf(MANY_FILES) };
try {
  const measured: Record<keyof typeof folders, Round[]> = { few: [], many: [] };
  for (let round = 0; round < option('rounds', 15); round += 1) {
    for (const shape of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
      const output = execFileSync(process.execPath, [bundle, folders[shape], shape], { encoding: 'utf8' });
      measured[shape].push(JSON.parse(output) as Round);
    }
  }
  const reads = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < option('rounds', 15); round += 1) {
    for (const shape of ['few', 'many'] as const)
      reads[shape].push(Number(execFileSync(process.execPath, [bareReads, folders[shape]], { encoding: 'utf8' })));
  }
  const few = (figure: keyof Round): number => median(measured.few.map((round) => round[figure]));
  const many = (figure: keyof Round): number => median(measured.many.map((round) => round[figure]));
  report(
    'config',
    {
      servers: FEW_FILES.files * FEW_FILES.serversPerFile,
      coldMs: few('coldMs'),
      coldCpuMs: few('coldCpuMs'),
      changeCpuMs: few('changeCpuMs'),
      manyFilesMs: many('coldMs'),
      manyFilesCpuMs: many('coldCpuMs'),
      manyFilesRatio: many('coldCpuMs') / few('coldCpuMs'),
      // Where all but the operations of the file system took as long as for a few files.
      manyFilesFloor: 1 + (median(reads.many) - median(reads.few)) / few('coldCpuMs'),
      bareReadsMs: median(reads.many),
    },
    { coldCpuMs: '<= 60', changeCpuMs: '<= 10', manyFilesRatio: '<= 1.5' },
  );
} finally {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
}
