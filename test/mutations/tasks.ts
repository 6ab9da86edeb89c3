import type { Rows } from './edit.ts';

/** A call that goes on as a task is one call, and its result is its caller’s. */
export const tasks: Rows = {
  'A handle of a task that is made up, or another caller’s': [
    ['src/calls/tasks/runningTasks.ts', 'if (task?.owner === owner) return task;', 'if (task) return task;'],
  ],
  'Another extension lists, gets or cancels the tasks of the agent': [
    ['src/calls/tasks/keptTask.ts', "surfaceContext === undefined ? 'extension' : 'editor'", "'editor'"],
  ],
  'A task that never ends': [
    [
      'src/calls/tasks/runningTask.ts',
      "const timer = clock.schedule(untilMs, () => this.stop('expired'));",
      'const timer = clock.schedule(untilMs, () => undefined);',
    ],
  ],
  'A server that wants to be asked for its tasks without a pause': [
    ['src/connection/session/requests/taskStatus.ts', 'Math.max(POLL_MS.min, pollMs, ageMs / PART_OF_AGE)', 'pollMs'],
  ],
  'A server answers for another of its tasks': [
    [
      'src/connection/session/requests/taskCall.ts',
      'if (status.taskId !== undefined && status.taskId !== taskId)',
      'if (false)',
    ],
  ],
  'A server forgets its tasks, so that calls are made again': [
    ['src/calls/tasks/runningTask.ts', 'if (codeOf(error) !== RPC_CODES.invalidParams) return error;', 'return error;'],
  ],
  'A connection is lost while a task runs': [
    ['src/calls/tasks/runningTasks.ts', 'if (running.isClosing) return outcome;', ''],
  ],
  'A server makes a task that nobody can ask for': [
    [
      'src/connection/session/requests/taskStatus.ts',
      "throw new EndedTask('failed', 'it was made",
      "return undefined;\n  if (taskId === '')\n    throw new EndedTask('failed', 'it was made",
    ],
  ],
  'A caller waits for a task for longer than any clock does': [
    ['src/bridge/lmTools/askForTask.ts', 'Math.min(MAX_WAIT_S, seconds) * 1_000', 'seconds * 1_000'],
    ['src/base/clock.ts', 'Math.min(LONGEST_DELAY_MS, Math.max(0, delayMs))', 'Math.max(0, delayMs)'],
  ],
  'The definition of a server changes while its task runs': [
    ['src/calls/tasks/runningTask.ts', 'if (now === fingerprint) return;', 'if (now !== undefined) return;'],
  ],
  'A task that asks the user without end': [
    ['src/connection/session/requests/taskCall.ts', 'if (answered.size + fresh.length > MAX_INPUTS)', 'if (false)'],
  ],
  'A task needs what isn’t a question to the user or a model': [
    [
      'src/connection/protocol/protocolClient.ts',
      'if (!handler) throw new RefusedRequest',
      'if (!handler) return {};\n  if (!handler) throw new RefusedRequest',
    ],
  ],
  'A result of a task over the limit': [
    [
      'src/calls/tasks/taskedCalls.ts',
      'await this.#steps.results.fitted(after ? withVerdict(shown, after) : shown)',
      'after ? withVerdict(shown, after) : shown',
    ],
  ],
  'Tasks without number, to fill what is kept': [
    ['src/calls/tasks/taskStore.ts', '.length < TASK_LIMITS.running', '.length >= 0'],
  ],
  'The result of a task is asked for twice at once': [
    ['src/calls/tasks/runningTasks.ts', '(task.deliveredAt !== undefined && !again)', 'false'],
  ],
  'Two windows of one workspace follow a task': [
    ['src/calls/tasks/runningTasks.ts', 'return window !== undefined &&', 'return false && window !== undefined &&'],
  ],
  'A result comes as a task, past the hooks that look at results': [
    ['src/calls/tasks/taskedCalls.ts', 'const after = hooks.any', 'const after = hooks.any && false'],
  ],
};
