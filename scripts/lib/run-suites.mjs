import { availableParallelism } from 'node:os';
import { build } from './build.mjs';
import { ensureEditor, floorEditor } from './install-editor.mjs';
import { ensureChromium } from './install.mjs';
import { abortJobs, runJob } from './run-job.mjs';

/** What jobs need, which is begun once and at once, while jobs that need less run already. */
const preparations = {
  build,
  browser: ensureChromium,
  editor: async () => {
    await Promise.all([ensureChromium(), ensureEditor()]);
  },
  floor: async () => {
    await Promise.all([ensureChromium(), ensureEditor(floorEditor)]);
  },
};

/** As many as there are cores: with more, the same work takes as long, and a window has less time for each of its limits. */
const lanes = Math.max(2, availableParallelism());

/** More failed jobs than this, of about forty, aren't the machine's fault. */
const triedAgain = 8;
/** How often each of them is run once more. */
const tries = 2;

/**
 * Runs jobs side by side, the first that can begin first. What a job prints is shown whole when it ends, or as it comes
 * where it is the only one. Where few failed beside others, each of them is run once more, alone, and again if need be: what
 * passes then is a test that can't stand a busy machine, and `unstable` has what it failed with before.
 * @param {readonly ReturnType<typeof import('./suites.mjs').jobsOf>[number][]} jobs
 * @param {boolean} isOnce none is run once more
 * @returns {Promise<{ suite: string, name: string, passed: number, failed: number, failures: string[],
 *   unstable?: string[], seconds: number, cpuSeconds: number }[]>}
 */
export async function runSuites(jobs, isOnce = false) {
  const results = await sideBySide(jobs);
  const again = results.filter(
    ({ suite, failed }) => failed > 0 && jobs.some((job) => job.suite === suite && job.counts),
  );
  if (isOnce || jobs.length === 1 || again.length > triedAgain) return results;
  for (const first of again) {
    const failures = [];
    let last = first;
    let { seconds, cpuSeconds } = first;
    for (let time = 0; last.failed > 0 && time < tries; time += 1) {
      console.log(`\n${first.name} failed, and is run again alone:\n${last.failures.join('\n')}`);
      failures.push(...last.failures);
      // Of two parts of a suite, the jobs have the same names.
      const tried = await sideBySide(jobs.filter(({ name }) => name === first.name));
      last = tried.find(({ failed }) => failed > 0) ?? tried[0] ?? first;
      seconds += last.seconds;
      cpuSeconds += last.cpuSeconds;
    }
    results[results.indexOf(first)] = { ...last, seconds, cpuSeconds, unstable: last.failed > 0 ? [] : failures };
  }
  return results;
}

async function sideBySide(jobs) {
  const abort = () => {
    abortJobs();
    process.exit(130);
  };
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, abort);
  const prepared = prepare(new Set(jobs.flatMap(({ needs }) => needs)));
  const waiting = [...jobs];
  const running = new Set();
  const results = [];
  let free = lanes;
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(
      ({ cores, needs }) => cores <= free && needs.every((name) => prepared.done.has(name)),
    );
    if (next < 0) {
      await Promise.race([...running, ...prepared.pending]);
      continue;
    }
    const [job] = waiting.splice(next, 1);
    free -= job.cores;
    const ended = run(job, prepared.failed(job.needs), jobs.length === 1).then((result) => {
      free += job.cores;
      running.delete(ended);
      results.push(result);
    });
    running.add(ended);
  }
  for (const name of ['SIGINT', 'SIGTERM']) process.off(name, abort);
  return results;
}

async function run(job, unprepared, isAlone) {
  const title = `\n== ${job.name}`;
  const texts = [];
  if (isAlone) console.log(title);
  const result = unprepared
    ? { passed: 0, failed: 1, failures: [unprepared.message], seconds: 0, cpuSeconds: 0 }
    : await runJob(job, (text) => (isAlone ? process.stdout.write(text) : texts.push(text)));
  const took = `${result.seconds.toFixed(1)} s, ${result.cpuSeconds.toFixed(0)} s of a processor`;
  if (!isAlone) console.log(`${title} (${took})\n${texts.join('').trimEnd()}`);
  return { suite: job.suite, name: job.name, ...result };
}

/** Begins all that is needed. */
function prepare(names) {
  const done = new Set();
  const errors = new Map();
  const pending = new Set();
  for (const name of names) {
    const work = preparations[name]()
      .catch((error) => errors.set(name, error))
      .then(() => {
        done.add(name);
        pending.delete(work);
      });
    pending.add(work);
  }
  return { done, pending, failed: (needs) => needs.map((name) => errors.get(name)).find(Boolean) };
}
