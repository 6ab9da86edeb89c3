// npm run -s bench -- config [--rounds N]
//
// 500 servers in 20 files on disk: how long a fresh process takes to read, parse and merge them all (`coldMs`: the first
// time that this code runs at all; `coldCpuMs`: the CPU of its thread alone), and what CPU it costs from the end of the
// debounce to the published difference when one entry changes. Every round is a process of its own; medians.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleModule } from '../scripts/lib/bundle-module.mjs';
import { root } from '../scripts/lib/paths.mjs';
import { FILES, SERVERS_PER_FILE, sourcesIn, textOf } from './config/files.ts';
import type { Round } from './config/measure.ts';
import { median, option, report } from './connection/report.ts';

const bundle = path.join(root, 'out', 'bench', 'config.mjs');
await bundleModule('bench/config/measure.ts', bundle, { format: 'esm', minify: true });
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
try {
  for (const [index, { file = '' }] of sourcesIn(folder).entries()) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, textOf(index));
  }
  const rounds = Array.from(
    { length: option('rounds', 15) },
    () => JSON.parse(execFileSync(process.execPath, [bundle, folder], { encoding: 'utf8' })) as Round,
  );
  report(
    'config',
    {
      servers: FILES * SERVERS_PER_FILE,
      files: FILES,
      coldMs: median(rounds.map(({ coldMs }) => coldMs)),
      coldCpuMs: median(rounds.map(({ coldCpuMs }) => coldCpuMs)),
      changeCpuMs: median(rounds.map(({ changeCpuMs }) => changeCpuMs)),
    },
    { coldMs: '<= 60', changeCpuMs: '<= 10' },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
