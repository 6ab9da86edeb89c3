import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import { ownerOf } from '../../calls/tasks/keptTask.ts';
import type { TaskView } from '../../calls/tasks/taskView.ts';
import type { Host } from '../../host/host.ts';

/** How long `wait` waits where the model says nothing, in seconds. */
const DEFAULT_WAIT_S = 60;
/** And at most, as the schema of its input says; not every caller keeps to that. */
const MAX_WAIT_S = 600;
/** How many tasks `list` names. */
const MAX_LISTED = 100;
/**
 * `mcp_task`: waits for a call that goes on as a task, says how it is, cancels it, or lists all: those of the caller's own kind.
 * @param surfaceContext what the editor gives to calls from a chat; other extensions have none
 * @throws SwitchboardError `invalid-arguments`: there is no such task; or how the task failed, which is its result
 */
export async function askForTask(
  { broker }: Host,
  input: JsonObject,
  { signal, surfaceContext }: { readonly signal: AbortSignal; readonly surfaceContext: unknown },
): Promise<readonly ResultPart[]> {
  const owner = ownerOf({ surface: 'lm-tool', surfaceContext }) ?? '';
  const tasks = await broker.tasks();
  const handle = typeof input['task'] === 'string' ? input['task'].trim() : '';
  const isAgain = input['again'] === true;
  switch (input['action']) {
    case 'list': {
      const all = await tasks.list(owner);
      const more = all.length > MAX_LISTED ? { more: all.length - MAX_LISTED } : {};
      return [said({ tasks: all.slice(0, MAX_LISTED).map(lineOf), ...more })];
    }
    case 'cancel':
      return [said(lineOf(await tasks.cancel(handle, owner)))];
    case 'wait': {
      const seconds = typeof input['seconds'] === 'number' ? input['seconds'] : DEFAULT_WAIT_S;
      await tasks.wait(handle, owner, Math.min(MAX_WAIT_S, seconds) * 1_000, signal);
      break;
    }
    case 'get':
      break;
    default:
      throw new SwitchboardError('invalid-arguments', 'action must be wait, get, cancel or list.');
  }
  // Nobody reads the answer: the result waits for who does.
  if (signal.aborted) throw new SwitchboardError('call-cancelled', 'Waiting was cancelled. The task goes on.');
  const outcome = await tasks.take(handle, owner, isAgain);
  return outcome?.parts ?? [said(lineOf(await tasks.view(handle, owner)))];
}

function lineOf({ handle, tool, serverName, status, message, startedAt, endedAt, deliveredAt }: TaskView): JsonObject {
  return {
    task: handle,
    tool,
    server: serverName,
    status,
    ...(message === undefined ? {} : { message }),
    started: new Date(startedAt).toISOString(),
    ...(endedAt === undefined ? {} : { ended: new Date(endedAt).toISOString() }),
    ...(endedAt !== undefined && deliveredAt === undefined ? { result: 'Get it with “get”.' } : {}),
    ...(deliveredAt === undefined
      ? {}
      : { resultGiven: new Date(deliveredAt).toISOString(), next: 'Get it again with “again”: true.' }),
  };
}

function said(value: JsonObject): ResultPart {
  return { kind: 'text', text: JSON.stringify(value) };
}
