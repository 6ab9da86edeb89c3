import { Script, createContext } from 'node:vm';

/** What was to run within a limit didn't. */
export class OutOfTime extends Error {}

/**
 * Runs actions that together have a time limit, in milliseconds of this process's own time. A script's limit ends a regular
 * expression's backtracking, too, which nothing else in this thread can.
 *
 * @returns runs one action; it may be run a second time, from its beginning. Throws `OutOfTime`
 */
export function timeLimited(limitMs: number): (action: () => void) => void {
  const sandbox: { action?: () => void } = {};
  const context = createContext(sandbox);
  const script = new Script('action()');
  let leftMs = limitMs;
  const run = (action: () => void, mayStall: boolean): void => {
    sandbox.action = action;
    const spent = stopwatch();
    try {
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(leftMs)) });
      leftMs -= spent();
    } catch (error) {
      const isTimeout = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (!isTimeout) throw error;
      // The clock runs on while the machine does something else: that is not the action's fault.
      const spentMs = spent();
      if (!mayStall || spentMs > leftMs / 2) throw outOfTime(limitMs, error);
      leftMs -= spentMs;
      run(action, false);
    }
  };
  return (action) => {
    if (leftMs <= 0) throw outOfTime(limitMs);
    run(action, true);
  };
}

/** How long it has been since, in milliseconds, as far as this process was at work. */
function stopwatch(): () => number {
  const start = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - start, (user + system) / 1000);
  };
}

function outOfTime(limitMs: number, cause?: unknown): OutOfTime {
  return new OutOfTime(`not within ${limitMs} ms`, { cause });
}
