import * as fs from 'node:fs';
import * as path from 'node:path';
import { exportsOf } from '../support.ts';
import type { Check } from './checks.ts';
import { timeIn, type Probe } from './probe.ts';

const PREFIX = 'mcpSwitchboard';
const PATIENT_MS = 400;

/** Which calls run, which ask, and which don't. */
export function policyChecks(probe: Probe): Record<string, Check> {
  const decided = (tool: string) => (): Promise<unknown> => probe.decision(tool);
  const allowed = { [`${PREFIX}.permissions.rules`]: [{ tool: 'mcp__probe__write', action: 'allow' }] };
  const hook = (command: string): object => ({
    PreToolUse: [{ matcher: 'mcp__probe__.*', hooks: [{ type: 'command', command }] }],
  });
  return {
    [`${PREFIX}.permissions.rules`]: {
      effect: decided('read'),
      shows: [
        [undefined, 'allow'],
        [[{ tool: 'mcp__probe__r*', action: 'deny' }], 'deny'],
      ],
    },
    [`${PREFIX}.approvalMode`]: {
      with: () => allowed,
      effect: decided('write'),
      shows: [
        [undefined, 'allow'],
        ['askAlways', 'ask'],
        ['denyWrites', 'deny'],
      ],
    },
    [`${PREFIX}.trustAnnotations`]: {
      effect: decided('read'),
      shows: [
        [undefined, 'allow'],
        [{ probe: 'none' }, 'ask'],
        [{ '*': 'destructiveOnly' }, 'ask'],
      ],
    },
    [`${PREFIX}.planMode.writePatterns`]: {
      effect: decided('read'),
      shows: [
        [undefined, 'allow'],
        [['mcp_*_read_*'], 'ask'],
      ],
    },
    [`${PREFIX}.hooks`]: {
      effect: decided('read'),
      shows: [
        [undefined, 'allow'],
        [hook('exit 2'), 'deny'],
      ],
    },
    [`${PREFIX}.hookFailure`]: {
      with: () => ({ [`${PREFIX}.hooks`]: hook('exit 1') }),
      effect: decided('read'),
      shows: [
        [undefined, 'deny'],
        ['ignore', 'allow'],
      ],
    },
  };
}

/** How calls are made again, how many at a time, and what is kept of them. */
export function callChecks(probe: Probe): Record<string, Check> {
  const audit = path.join(probe.folder, 'audit.jsonl');
  const retries = (more: Readonly<Record<string, number>>) => () =>
    Object.fromEntries(
      Object.entries({ maxAttempts: 4, initialDelayMs: PATIENT_MS, multiplier: 1, maxDelayMs: 60_000, ...more }).map(
        ([name, value]) => [`${PREFIX}.retry.${name}`, value],
      ),
    );
  return {
    [`${PREFIX}.timeouts.callMs`]: {
      effect: () => timeOfCall(probe),
      shows: [
        [100, '0.1 s'],
        [200, '0.2 s'],
      ],
    },
    [`${PREFIX}.retry.maxAttempts`]: {
      with: retries({ initialDelayMs: 0 }),
      effect: async () => (await attempts(probe)).length,
      shows: [
        [undefined, 3],
        [5, 5],
        [1, 1],
      ],
    },
    [`${PREFIX}.retry.initialDelayMs`]: {
      with: retries({}),
      effect: async () => pauses(await attempts(probe)),
      shows: [
        [0, 'at once'],
        [PATIENT_MS, 'after a while'],
      ],
    },
    [`${PREFIX}.retry.multiplier`]: {
      with: retries({ initialDelayMs: 10, maxDelayMs: PATIENT_MS }),
      effect: async () => pauses((await attempts(probe)).slice(1)),
      shows: [
        [1, 'at once'],
        [PATIENT_MS, 'after a while'],
      ],
    },
    [`${PREFIX}.retry.maxDelayMs`]: {
      with: retries({}),
      effect: async () => pauses(await attempts(probe)),
      shows: [
        [0, 'at once'],
        [PATIENT_MS, 'after a while'],
      ],
    },
    [`${PREFIX}.callConcurrency`]: {
      effect: () => mostAtOnce(probe),
      shows: [
        [undefined, 3],
        [1, 1],
        [2, 2],
      ],
    },
    [`${PREFIX}.tasks.handOverAfter`]: {
      effect: () => gotOfTask(probe),
      shows: [
        [undefined, 'its result'],
        [0.05, 'its handle'],
        [0, 'its result'],
      ],
    },
    [`${PREFIX}.maxResultTokens`]: {
      effect: () => lengthOfLongResult(probe),
      shows: [
        [undefined, 'whole'],
        [500, 'in parts'],
      ],
    },
    [`${PREFIX}.history.content`]: {
      effect: async () => {
        await probe.call('read', { note: 'kept?' });
        const { host } = await exportsOf();
        return host.calls.history.entries.at(-1)?.args?.includes('kept?') ?? false;
      },
      shows: [
        [undefined, false],
        [true, true],
      ],
    },
    [`${PREFIX}.history.auditFile`]: {
      effect: async () => {
        fs.rmSync(audit, { force: true });
        await probe.call('read');
        return fs.existsSync(audit) && fs.readFileSync(audit, 'utf8').includes('mcp__probe__read');
      },
      shows: [
        [undefined, false],
        [audit, true],
      ],
    },
  };
}

/** After which time a call that isn't answered is given up. */
export function timeOfCall(probe: Probe): Promise<string | undefined> {
  return probe.answering(
    'tools/call',
    () => 'no answer',
    async () => timeIn(await probe.call('read')),
  );
}

/** Whether the model gets a long result whole. */
export async function lengthOfLongResult(probe: Probe): Promise<string> {
  return (await probe.call('long')).includes('switchboard-result:') ? 'in parts' : 'whole';
}

/** When a call that fails again and again reached the server. */
export async function attempts(probe: Probe): Promise<readonly number[]> {
  const { seen } = probe.server;
  const before = seen.length;
  await probe.answering(
    'tools/call',
    () => ({ status: 503 }),
    () => probe.call('read'),
  );
  return seen.slice(before).flatMap(({ method, at }) => (method === 'tools/call' ? [at] : []));
}

/** The shortest of the pauses counts: a busy machine makes some longer, and none shorter. The jitter takes up to half. */
function pauses(times: readonly number[]): string {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return Math.min(...gaps) < PATIENT_MS / 2 - 10 ? 'at once' : 'after a while';
}

/** What a call gets whose server makes a task of it that ends when it has been asked for five times. */
async function gotOfTask(probe: Probe): Promise<string> {
  const task = { taskId: 'a-task', ttlMs: null, pollIntervalMs: 100 };
  let asked = 0;
  const status = (): object => {
    asked += 1;
    if (asked < 5) return { ...task, status: 'working' };
    return { ...task, status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
  };
  const create = (): object => ({ resultType: 'task', ...task, status: 'working' });
  return probe.answering('tasks/get', status, () =>
    probe.answering('tools/call', create, async () => {
      const text = await probe.call('read');
      const [handle] = /task_[\w-]+/.exec(text) ?? [];
      if (handle === undefined) return text === 'done' ? 'its result' : text;
      const tasks = await (await exportsOf()).host.broker.tasks();
      // The suite is an extension outside of a chat.
      await tasks.wait(handle, 'extension', 10_000, new AbortController().signal);
      return 'its handle';
    }),
  );
}

/** How many of three reading calls are at the server at the same time. */
async function mostAtOnce(probe: Probe): Promise<number> {
  let now = 0;
  let most = 0;
  const answer = async (): Promise<object> => {
    most = Math.max(most, ++now);
    // Long enough for the others to come, if they may.
    await new Promise((resolve) => setTimeout(resolve, 200));
    now -= 1;
    return { content: [{ type: 'text', text: 'done' }] };
  };
  await probe.answering('tools/call', answer, () =>
    Promise.all(['read', 'long', 'read'].map((tool) => probe.call(tool))),
  );
  return most;
}
