import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { floorEditor } from './install-editor.mjs';
import { changedFiles, testsNear } from './nearest-tests.mjs';
import { root } from './paths.mjs';
import { say } from './run.mjs';

/**
 * A window waits a quarter of its time: beside two of them, one job fits in that waits for most of its time. With three at a time a run takes
 * as long, and each has less time for its limits.
 */
const WINDOW_CORES = 0.75;

const script = (name, ...args) => [join('scripts', name), ...args];

/** Mocha on some files of test/NAME. */
const mocha = (files, ...options) => {
  const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/lib/reporter.cjs', ...options];
  if (process.env.CI) args.push('--forbid-only');
  return [...args, ...files];
};

/**
 * The test files of a suite of whose paths one contains `part`, largest first. The suites that share a file's window are
 * modules in the folder of its name.
 */
function filesOf(suite, part = '') {
  const files = readdirSync(join(root, 'test', suite), { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', suite, file))
    .filter((file) => file.endsWith('.ts'));
  const partsOf = (file) => {
    const folder = `${file.replace(/\.test\.ts$/, '')}${sep}`;
    return [file, ...files.filter((other) => other.startsWith(folder) && !other.endsWith('.test.ts'))];
  };
  const bytesOf = (parts) => parts.reduce((sum, each) => sum + statSync(join(root, each)).size, 0);
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => ({ file, parts: partsOf(file) }))
    .filter(({ parts }) => parts.some((each) => each.includes(part)))
    .map(({ file, parts }) => ({ file, bytes: bytesOf(parts) }))
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ file }) => file);
}

/** As many files of unit tests as take half a minute on two cores. */
const FEW = 24;

/** The unit tests nearest to what changed since the branch was made. */
function filesNearChanges() {
  const near = testsNear(changedFiles());
  if (near.length > FEW) say(`${near.length - FEW} more files of unit tests depend on what changed: npm run test:unit`);
  return near.slice(0, FEW).map(({ file }) => file);
}

/** Whether tests draw pages in a browser, which isn't on every machine. */
const drawsPages = (file) => /\b(?:AppBrowser|launchBrowser)\b/.test(readFileSync(join(root, file), 'utf8'));

/** Deals files out, so that each share has some of the large and some of the small. */
const shares = (files, count) =>
  Array.from({ length: count }, (_, share) => files.filter((_file, index) => index % count === share)).filter(
    ({ length }) => length > 0,
  );

/**
 * The suites in the order in which their jobs are begun: first what is quick and likely to have something to say, then
 * what takes longest. See run-suites.mjs.
 * - `jobs(part)`: name and arguments for Node 24 of each process that runs a part of the suite; with `part`, of those
 *   whose name contains it. One job is named like its suite.
 * - `cores`: how much of the machine it takes while it runs, 1 where it isn't said: half of one where tests wait for timers
 *   and processes most of the time
 * - `limitMs`: the time after which a job counts as dead; a slow machine takes ten times as long as a fast one
 * - `counts`: whether it reports its tests (see reporter.cjs), or counts as one
 * - `needs`: what has to be there: `build`, `browser`, `editor` or `floor`, which bring a browser
 * - `byDefault`: whether `npm test` runs it
 */
export const suites = [
  {
    name: 'typecheck',
    jobs: () => [{ args: script('typecheck.mjs') }],
    limitMs: 1_200_000,
    counts: false,
    needs: [],
    byDefault: true,
  },
  {
    name: 'lint',
    jobs: () => [{ args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'] }],
    limitMs: 1_200_000,
    counts: false,
    needs: [],
    byDefault: true,
  },
  {
    name: 'host',
    jobs: () => [{ args: script('lib/host-suite.mjs') }],
    cores: WINDOW_CORES,
    limitMs: 1_200_000,
    counts: true,
    needs: ['build', 'editor'],
    byDefault: true,
  },
  {
    name: 'agent',
    jobs: (part) =>
      filesOf('agent', part).map((file) => ({
        name: file.replace(/^test\/|\.test\.ts$/g, ''),
        args: mocha([file], '--timeout', '450000'),
      })),
    cores: WINDOW_CORES,
    limitMs: 1_800_000,
    counts: true,
    needs: ['build', 'editor'],
    byDefault: true,
  },
  {
    name: 'conformance',
    jobs: () => [{ args: ['test/conformance/run.mjs'] }],
    cores: 0.5,
    limitMs: 1_200_000,
    counts: true,
    needs: [],
    byDefault: true,
  },
  {
    name: 'unit',
    jobs: (part) =>
      shares(
        filesOf('unit', part).filter((file) => !drawsPages(file)),
        6,
      ).map((files, index) => ({ name: `unit ${index + 1}`, args: mocha(files) })),
    cores: 0.5,
    limitMs: 1_200_000,
    counts: true,
    needs: [],
    byDefault: true,
  },
  {
    // The unit tests that need a browser.
    name: 'browser',
    jobs: (part) => shares(filesOf('unit', part).filter(drawsPages), 1).map((files) => ({ args: mocha(files) })),
    cores: WINDOW_CORES,
    limitMs: 1_200_000,
    counts: true,
    needs: ['browser'],
    byDefault: true,
  },
  {
    // For `npm run check`: of the unit tests, which take some minutes, those that the change is likely to break.
    name: 'changed',
    jobs: () =>
      shares(filesNearChanges(), 2).map((files, index) => ({
        name: `changed ${index + 1}`,
        args: mocha(files),
        needs: files.some(drawsPages) ? ['browser'] : [],
      })),
    cores: 0.5,
    limitMs: 1_200_000,
    counts: true,
    needs: [],
    byDefault: false,
  },
  {
    // What can be counted of what the benchmarks measure: in a process for each file, as heaps are compared.
    name: 'ratios',
    jobs: (part) =>
      filesOf('ratios', part).map((file) => ({
        name: file.replace(/^test\/|\.test\.ts$/g, ''),
        args: mocha([file], '--timeout', '120000'),
      })),
    limitMs: 1_200_000,
    counts: true,
    needs: [],
    byDefault: true,
  },
  {
    name: 'contract',
    jobs: (part) => [{ args: mocha(filesOf('contract', part), '--timeout', '120000') }],
    limitMs: 1_200_000,
    counts: true,
    needs: ['build'],
    byDefault: true,
  },
  {
    name: 'electron',
    jobs: () => [{ args: script('lib/electron-suite.mjs') }],
    limitMs: 900_000,
    counts: true,
    needs: ['build'],
    byDefault: false,
  },
  {
    name: 'floor',
    jobs: () => [{ args: script('lib/host-suite.mjs', floorEditor) }],
    limitMs: 1_200_000,
    counts: true,
    needs: ['build', 'floor'],
    byDefault: false,
  },
];

/**
 * The jobs that are wanted: of every suite that runs by default, or of those that are named, as SUITE or SUITE/PART.
 * @param {readonly string[]} wanted
 */
export function jobsOf(wanted) {
  return suites.flatMap((suite) => {
    const parts = wanted
      // What is named as a unit test may be one that needs a browser.
      .filter((name) => name.split('/')[0] === suite.name || (suite.name === 'browser' && name.startsWith('unit/')))
      .map((name) => name.split('/').slice(1).join('/'));
    if (wanted.length === 0 && suite.byDefault) parts.push('');
    return parts
      .flatMap((part) => suite.jobs(part))
      .map((job) => ({ cores: 1, name: suite.name, ...suite, ...job, suite: suite.name }));
  });
}
