// npm run -s bench -- all [NAME …]
//
// Runs benchmarks one after the other, all of the table or those named, and writes what they print into docs/performance.md,
// whose other lines stay as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/lib/paths.mjs';
import { ROWS, type Report } from './table/rows.ts';
import { tableOf } from './table/table.ts';

const document = path.join(root, 'docs', 'performance.md');
const reports = new Map<string, Report>();
const named = process.argv.slice(2);
const names = named.length > 0 ? named : [...new Set(ROWS.map(({ bench }) => bench))];
let failed = 0;
for (const name of names) {
  const file = path.join(root, 'bench', `${name}.ts`);
  if (!existsSync(file)) throw new Error(`there is no benchmark ${name}`);
  process.stderr.write(`${name} …\n`);
  const { stdout } = spawnSync(process.execPath, [file], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const report = reportIn(stdout);
  process.stdout.write(`${JSON.stringify(report ?? { bench: name, failed: true })}\n`);
  if (report) reports.set(name, report);
  else failed += 1;
}

writeFileSync(document, tableOf(ROWS, reports, readFileSync(document, 'utf8')));
process.exit(failed > 0 ? 1 : 0);

/** The last line of what a benchmark printed. */
function reportIn(output: string): Report | undefined {
  try {
    const last = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Omit<Report, 'day'>;
    return { ...last, day: new Date().toISOString().slice(0, 10) };
  } catch {
    return undefined;
  }
}
