// npm run compare [-- NAME [OPTION …]]: the same work on this project, on the editor's own host and on a bare SDK client, by the
// benchmarks that do it, or by one, with its options; writes docs/comparison.md, and keeps the rows of the others. What a run
// doesn't measure stays as it was: `peers --peer ours` changes one cell.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedTable, ROWS } from './lib/comparison.mjs';
import { node24, root } from './lib/paths.mjs';

const file = join(root, 'docs', 'comparison.md');
const [named, ...options] = process.argv.slice(2);
const benches = [...new Set(ROWS.map(({ bench }) => bench))].filter((name) => named === undefined || name === named);
if (benches.length === 0) {
  console.error(`No comparison ${named}. There are: ${[...new Set(ROWS.map(({ bench }) => bench))].join(', ')}.`);
  process.exitCode = 2;
}
let text = existsSync(file) ? readFileSync(file, 'utf8') : '';
for (const bench of benches) {
  const { stdout, status } = spawnSync(node24, ['scripts/bench.mjs', bench, ...options], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }); // prettier-ignore
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) {
    console.error(`${bench} gave no figures (${status}).`);
    process.exitCode = 1;
    continue;
  }
  const { figures, environment } = JSON.parse(last);
  text = changedTable(text, bench, figures, { ...environment, day: new Date().toISOString().slice(0, 10) });
  // After each, so that what took long isn't lost.
  writeFileSync(file, text);
}
