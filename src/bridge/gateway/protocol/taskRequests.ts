import type { JsonObject } from '../../../base/json/json.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import type { UpstreamTasks } from '../upstream.ts';
import { RpcError } from './jsonRpc.ts';

/** What an endpoint with tasks says that it can (specification 2025-11-25: *Tasks*). A list it hasn't: whose tasks would be in it? */
export const TASKS_CAPABILITY: JsonObject = { cancel: {}, requests: { tools: { call: {} } } };

/**
 * Answers a client's request about a task.
 * @returns `undefined`: it is about something else
 * @throws RpcError where the client has no such task
 */
export function taskRequest(
  tasks: UpstreamTasks,
  method: string,
  { taskId }: JsonObject,
  caller: string,
  signal: AbortSignal,
): Promise<JsonObject> | undefined {
  const id = (): string => {
    if (typeof taskId === 'string') return taskId;
    throw new RpcError(RPC_CODES.invalidParams, '`taskId` must be a string.');
  };
  switch (method) {
    case 'tasks/get':
      return tasks.get(id(), caller);
    case 'tasks/result':
      return tasks.result(id(), caller, signal);
    case 'tasks/cancel':
      return tasks.cancel(id(), caller);
    default:
      return undefined;
  }
}
