// npm test [-- --once] [-- SUITE | SUITE/PART …]: runs the suites, side by side where they can be, and closes with the line
// `N passed, N failed`. A part is some of a file's path: agent/calls, unit/connection. With --once, what fails isn't run again.
import { cpus } from 'node:os';
import { ensurePackages } from './lib/install.mjs';
import { root } from './lib/paths.mjs';
import { runSuites } from './lib/run-suites.mjs';
import { say } from './lib/run.mjs';
import { jobsOf, suites } from './lib/suites.mjs';

process.chdir(root);
const began = performance.now();
const idleAtFirst = idleMs();
const isOnce = process.argv.includes('--once');
const wanted = process.argv.slice(2).filter((name) => name !== '--once');
const names = suites.map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name) && jobsOf([name]).length === 0);
if (unknown.length > 0) {
  say(`No test ${unknown.join(', ')}. There are: ${names.join(', ')}, and parts of some: agent/calls.`);
  process.exit(2);
}

let results = [];
try {
  await ensurePackages();
  results = await runSuites(jobsOf(wanted), isOnce);
} catch (error) {
  results.push({
    suite: 'install',
    name: 'install',
    passed: 0,
    failed: 1,
    failures: [error.message],
    seconds: 0,
    cpuSeconds: 0,
  });
}

console.log('');
for (const { name, failures, unstable = [] } of results) {
  for (const failure of failures) console.log(`FAILED ${name}: ${failure}`);
  for (const failure of unstable) console.log(`UNSTABLE ${name}: passed only alone; beside other jobs: ${failure}`);
}
const line = (name, ...columns) => [name.padEnd(12), ...columns.map((text) => text.padStart(8))].join(' ');
const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`\n${line('suite', 'passed', 'failed', 'seconds', 'CPU s')}`);
const ran = ['install', ...names].map((name) => [name, results.filter(({ suite }) => suite === name)]);
for (const [name, rows] of ran.filter(([, { length }]) => length > 0)) {
  console.log(line(name, ...['passed', 'failed', 'seconds', 'cpuSeconds'].map((key) => sum(rows, key).toFixed(0))));
}
const tookMs = performance.now() - began;
const idle = (idleMs() - idleAtFirst) / (tookMs * cpus().length);
console.log(
  `\nSide by side in ${(tookMs / 1000).toFixed(1)} s; ${cpus().length} processors, busy ${(100 * (1 - idle)).toFixed(0)}% of it.`,
);
console.log(`${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed`);
process.exitCode = sum(results, 'failed') > 0 ? 1 : 0;

/** What the processors together didn't work since the machine started, in milliseconds. */
function idleMs() {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}
