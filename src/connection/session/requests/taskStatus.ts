import { isRecord } from '../../../base/json/json.ts';
import type { ServerInfo, TaskRef } from '../../connectionTypes.ts';
import { carriedTask } from '../../cleaning/cleanTask.ts';
import { EndedTask } from './endedTask.ts';
import { TASKS_EXTENSION } from '../../protocol/tasksExtension.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a server says of a task, within our limits. */
export interface TaskStatus {
  /** Another server's word for it counts as that it is at work. */
  readonly state: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly message: string | undefined;
  /** Absent where the server doesn't repeat it. */
  readonly taskId: string | undefined;
  /** Until the next question for its status, in milliseconds. */
  readonly pollMs: number;
  /** What it needs (SEP-2663): requests by their keys. */
  readonly inputRequests: Members;
  /** What its error says (SEP-2663). */
  readonly error: string | undefined;
}

const MAX_MESSAGE_CHARS = 1_000;
/** It goes into a header. In UTF-16 units. */
const MAX_ID_CHARS = 1_024;
/** Between two questions for the status, where the server doesn't say; and the limits of what it can say. */
const POLL_MS = { default: 1_000, min: 100, max: 30_000 };
/** A task is asked for at most once in such a part of its age, so that one that never ends is asked seldom. */
const PART_OF_AGE = 100;

/** Whether a server takes calls as tasks if it is told to (specification 2025-11-25: *Tasks*). Pure. */
export function runsTasks({ era, capabilities: { tasks } }: ServerInfo): boolean {
  const requests = isRecord(tasks) ? tasks['requests'] : undefined;
  const tools = isRecord(requests) ? requests['tools'] : undefined;
  return era === 'legacy' && isRecord(tools) && isRecord(tools['call']);
}

/** Whether a server may make a task of any call (SEP-2663). Pure. */
export function makesTasks({ capabilities: { extensions } }: ServerInfo): boolean {
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]);
}

/**
 * The task that a server made of a call; `undefined`: it is the call's result. Pure.
 * @param answer of `tools/call`, as the guard has it
 * @throws EndedTask where nobody can ask for it
 */
export function createdTask(answer: { readonly _meta?: unknown }): TaskRef | undefined {
  const { form, task } = carriedTask(answer) ?? {};
  if (!form || !task) return undefined;
  const { taskId } = task;
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > MAX_ID_CHARS)
    throw new EndedTask('failed', 'it was made without an id that can be asked for');
  const ttl = form === 'core' ? task['ttl'] : task['ttlMs'];
  return { taskId, form, ...(isDuration(ttl) ? { ttlMs: ttl } : {}) };
}

/** Pure. @param answer of `tasks/get`, as the guard has it */
export function statusOf(answer: Members): TaskStatus {
  const { taskId, status, statusMessage, pollInterval, pollIntervalMs, inputRequests, error } = answer;
  const poll = pollIntervalMs ?? pollInterval;
  const said = isRecord(error) ? error['message'] : undefined;
  return {
    state: STATES.find((state) => state === status) ?? 'working',
    taskId: typeof taskId === 'string' ? taskId : undefined,
    message: cut(statusMessage),
    pollMs: isDuration(poll) ? poll : POLL_MS.default,
    inputRequests: isRecord(inputRequests) ? inputRequests : {},
    error: cut(said),
  };
}

const STATES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** How long to wait before a task is asked for again, in milliseconds. Pure. @param ageMs since it is followed */
export function pauseMs(pollMs: number, ageMs: number): number {
  return Math.min(POLL_MS.max, Math.max(POLL_MS.min, pollMs, ageMs / PART_OF_AGE));
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function cut(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_MESSAGE_CHARS) : undefined;
}
