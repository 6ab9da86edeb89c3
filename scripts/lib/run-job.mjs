import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node24, root } from './paths.mjs';
import { ProcessTree, signal } from './process-tree.mjs';
import { withNode } from './run.mjs';

/** Time for a job's processes to end after the job itself has. Servers are given 1 s + 1 s at a deactivation. */
const graceTimeMs = 5_000;

/** Ends the jobs that run now, with all that they started. */
export function abortJobs() {
  for (const abort of aborts) abort();
}

/** @type {Set<() => void>} */
const aborts = new Set();

/**
 * Runs one job of a suite in a process group of its own, under its time limit, and counts. A job that dies, takes too
 * long or reports nothing counts as one failure, and so does each process that outlives it. Its processes are told from
 * those of other jobs by a mark in their environment.
 * @param {{ args: string[], limitMs: number, counts: boolean }} job `counts`: it reports its tests (see reporter.cjs)
 * @param {(text: string) => void} print is given what the job prints, as it comes
 * @returns {Promise<{ passed: number, failed: number, failures: string[], seconds: number, cpuSeconds: number }>} `cpuSeconds`:
 *   what its processes worked, as far as it was seen
 */
export async function runJob(job, print) {
  const began = performance.now();
  const failedAtOnce = (error) => ({ passed: 0, failed: 1, failures: [error.message], cpuSeconds: 0 });
  const result = await execute(job, print).catch(failedAtOnce);
  return { ...result, seconds: (performance.now() - began) / 1000 };
}

async function execute(job, print) {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-switchboard-test-'));
  const results = join(scratch, 'results.json');
  const mark = `SWITCHBOARD_TEST_RUN=${randomUUID()}`;
  const [markName, markValue] = mark.split('=');
  const child = spawn(node24, job.args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withNode(node24), [markName]: markValue, SWITCHBOARD_RESULTS: results },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
  const tree = new ProcessTree(child.pid, { mark });
  const abort = () => {
    signal(-child.pid, 'SIGKILL');
    tree.kill();
  };
  aborts.add(abort);
  try {
    const ending = await ended(child, job.limitMs);
    if (ending === 'time') signal(-child.pid, 'SIGKILL');
    const left = ending === 'time' ? [] : await tree.ended(graceTimeMs);
    tree.kill();
    return { ...count(job, ending, results, left), cpuSeconds: tree.cpuSeconds() };
  } finally {
    aborts.delete(abort);
    tree.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function ended(child, limitMs) {
  return new Promise((done) => {
    const timer = setTimeout(() => done('time'), limitMs);
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, name) => {
      clearTimeout(timer);
      done(name ?? code);
    });
  });
}

function count(job, ending, results, left) {
  const counted = job.counts ? readResults(results) : { passed: ending === 0 ? 1 : 0, failed: 0, failures: [] };
  const failures = [...counted.failures];
  let { passed, failed } = counted;
  const fail = (text) => {
    failed++;
    failures.push(text);
  };
  if (ending === 'time') fail(`took longer than ${job.limitMs / 1000} s and was ended`);
  else if (job.counts && passed + failed === 0) fail(`reported no tests (ended with ${ending})`);
  else if (ending !== 0 && failed === 0) fail(`ended with ${ending}`);
  for (const { pid, command } of left) fail(`left a process behind: ${command} (pid ${pid})`);
  return { passed, failed, failures };
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}
