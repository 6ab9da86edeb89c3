import type { Client } from '@modelcontextprotocol/client';
import { deferred, onAbort } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { isRecord } from '../../../base/json/json.ts';
import type { CallProgress, ServerInfo } from '../../connectionTypes.ts';
import { LaterRoundError, wasNeverSent } from '../../protocol/neverSent.ts';
import { AS_IT_CAME } from '../../protocol/protocolClient.ts';

/** How each request of the call is sent. `onprogress` is told of the task's status, too. */
export interface TaskRequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  onprogress(progress: CallProgress): void;
}

type Answer = { readonly _meta?: unknown; readonly task?: unknown };

const MAX_MESSAGE_CHARS = 1_000;
const CANCEL_TIMEOUT_MS = 10_000;
/** How long the server is asked to keep the result, in milliseconds. It is fetched as soon as it is there. */
const KEEP_MS = 60 * 60_000;
/** Between two questions for the status, where the server doesn't say; and the limits of what it can say. */
const POLL_MS = { default: 1_000, min: 100, max: 30_000 };

/** Whether a server takes calls as tasks. Later versions have them as an extension. Pure. */
export function runsTasks({ era, capabilities: { tasks } }: ServerInfo): boolean {
  const requests = isRecord(tasks) ? tasks['requests'] : undefined;
  const tools = isRecord(requests) ? requests['tools'] : undefined;
  return era === 'legacy' && isRecord(tools) && isRecord(tools['call']);
}

/**
 * Calls a tool that only runs as a task, and waits for its result (specification 2025-11-25: *Tasks*). A call that is
 * cancelled cancels the task.
 * @param params of `tools/call`
 * @returns the result of `tools/call`; of a server that runs the call at once after all, that
 * @throws EndedTask where there is none, and what the client throws
 */
export async function callAsTask(
  params: Readonly<Record<string, unknown>>,
  client: Client,
  options: TaskRequestOptions,
  clock: Clock,
): Promise<Answer> {
  const send = (method: string, sent: Readonly<Record<string, unknown>>): Promise<Answer> =>
    client.request({ method, params: sent }, AS_IT_CAME, options);
  const created = await send('tools/call', { ...params, task: { ttl: KEEP_MS } });
  let status = statusOf(created);
  if (!status) return created;
  const { taskId } = status;
  const cancel = (): void => {
    const request = { method: 'tasks/cancel', params: { taskId } };
    // The call has ended: what comes of this matters to nobody.
    client.request(request, AS_IT_CAME, { timeout: CANCEL_TIMEOUT_MS }).catch(() => undefined);
  };
  const cancelling = onAbort(options.signal, cancel);
  try {
    for (let answers = 1; status?.status === 'working'; answers += 1) {
      options.onprogress({ progress: answers, message: status.message });
      await pause(status.pollMs, clock, options.signal);
      status = statusOf({ task: await send('tasks/get', { taskId }) });
    }
    if (status?.status === 'cancelled') throw new EndedTask('cancelled', status.message);
    // Answers when the task has ended. Until then, what the server needs from the user comes as its requests.
    return await send('tasks/result', { taskId });
  } catch (error) {
    if (status?.status === 'failed' && status.message) throw new EndedTask('failed', status.message);
    // The task runs, whatever came of a later request.
    throw wasNeverSent(error) ? new LaterRoundError('the task was not heard of again', { cause: error }) : error;
  } finally {
    cancelling.dispose();
  }
}

/** The server ended a task without a result. */
export class EndedTask extends Error {
  override readonly name = 'EndedTask';

  constructor(how: 'cancelled' | 'failed', message: string | undefined) {
    super(`the server's task ${how === 'failed' ? how : `was ${how}`}${message ? `: ${message}` : ''}`);
  }
}

interface TaskStatus {
  readonly taskId: string;
  readonly status: unknown;
  readonly message: string | undefined;
  readonly pollMs: number;
}

function statusOf({ task }: Answer): TaskStatus | undefined {
  if (!isRecord(task) || typeof task['taskId'] !== 'string') return undefined;
  const { taskId, status, statusMessage, pollInterval } = task;
  const pollMs = typeof pollInterval === 'number' ? pollInterval : POLL_MS.default;
  return {
    taskId,
    status,
    message: typeof statusMessage === 'string' ? statusMessage.slice(0, MAX_MESSAGE_CHARS) : undefined,
    pollMs: Math.min(POLL_MS.max, Math.max(POLL_MS.min, pollMs)),
  };
}

/** Ends early with the call; the next request then says so. */
async function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const over = deferred<void>();
  const timer = clock.schedule(ms, () => over.resolve());
  const listening = onAbort(signal, () => over.resolve());
  await over.promise;
  timer.dispose();
  listening.dispose();
}
