// npm run -s mutate [-- TEXT …]: takes the guard of each row of the attack table of docs/security.md out and runs the row's
// test, which has to fail. TEXT is some of a title or of a test file's name; all rows without it. The guards stand in
// test/mutations. Each of two jobs works in a copy of the repository, so that nothing here is changed.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guards } from '../test/mutations/guards.ts';
import { repositoryCopy } from '../test/support/repositoryCopy.ts';
import { say } from './lib/run.mjs';

const JOBS = 2;
/** A test whose guard is out may never end, which shows it as well. In milliseconds. */
const LIMIT_MS = 60_000;

const wanted = process.argv.slice(2);
const left = guards.filter(
  ({ title, test }) => wanted.length === 0 || wanted.some((text) => title.includes(text) || test.includes(text)),
);
if (left.length === 0) {
  say(`No row ${wanted.join(', ')}.`);
  process.exit(2);
}

/** Runs one test of a file in a copy of the repository. */
function runTest(copy, { test, title }) {
  const exact = `${title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
  const args = ['node_modules/mocha/bin/mocha.js', test, '--reporter', 'spec', '--no-color', '-g', exact];
  return new Promise((resolve) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(process.execPath, args, { cwd: copy, detached: !isWindows, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let isOver = true;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    const end = () => {
      try {
        process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      isOver = false;
      end();
    }, LIMIT_MS);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      end();
      resolve({ output, isOver, signal });
    });
  });
}

/** What becomes of a row's test without its guard: `red` as it should, `GREEN`, or `NOT RUN`, where nothing can be said. */
async function withoutGuard(copy, guard) {
  const before = new Map();
  for (const [file, text, replacement] of guard.edits) {
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    if (!before.has(path)) before.set(path, source);
    writeFileSync(
      path,
      source.replace(text, () => replacement),
    );
  }
  try {
    const { output, isOver, signal } = await runTest(copy, guard);
    if (!isOver) return { verdict: 'red', why: `It doesn't end within ${LIMIT_MS / 1000} s.` };
    const [passing, failing] = ['passing', 'failing'].map((word) =>
      Number(RegExp(`(\\d+) ${word}`).exec(output)?.[1] ?? 0),
    );
    if (signal) return { verdict: 'red', why: `Its process ends with ${signal}.` };
    if (failing > 0) return { verdict: 'red', why: /\n {2}1\) [\s\S]*?:\n\n([\s\S]+?)\n\n/.exec(output)?.[1] ?? '' };
    return passing === 1 ? { verdict: 'GREEN', why: '' } : { verdict: 'NOT RUN', why: output.slice(-600) };
  } finally {
    for (const [path, source] of before) writeFileSync(path, source);
  }
}

const counts = {};
async function work() {
  const copy = repositoryCopy();
  try {
    for (let guard = left.shift(); guard; guard = left.shift()) {
      const { verdict, why } = await withoutGuard(copy.path, guard);
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      console.log(`${verdict} ${guard.title} (${[...new Set(guard.edits.map(([file]) => file))].join(', ')})`);
      if (why) console.log(`    ${why.trim().replaceAll(/\s+/g, ' ').slice(0, 250)}`);
    }
  } finally {
    copy.remove();
  }
}
await Promise.all(Array.from({ length: JOBS }, work));
console.log(
  Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', '),
);
process.exitCode = Object.keys(counts).join() === 'red' ? 0 : 1;
